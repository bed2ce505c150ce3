import DurableStore
import Foundation
import Hits
package import TagManager

/// A directory of published containers that any web server can deliver (CO-406).
///
///     v1/containers/<id>                      the live one, where apps ask for it (TM-420)
///     v1/versions/<id>/<fingerprint>.json     every version that was published
///     manifest.json                           which file is which, and what its answer says
///     nginx/maps.conf, nginx/locations.conf   the same as configuration
///
/// Beside each container stands its gzip as `.gz`. Every file is replaced as a whole, the live one after what it
/// needs; whoever reads at any moment gets the old container or the new one. The manifest comes last: what a crash has
/// interrupted is done again by the next publish or mirroring.
package struct StaticSite: Sendable {
  private let directory: String

  /// Takes a directory, which is made with the first publish.
  package init(directory: String) { self.directory = directory }

  /// Finds out whether the directory can be written, and makes it if it is not there.
  func prepare() throws(ConsoleError) {
    // What cannot be made cannot be written either.
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    guard access(directory + "/", W_OK | X_OK) == 0 else {
      throw ConsoleError(code: .invalidSetting, message: "\(directory) cannot be used for the plain files")
    }
  }

  /// Publishes a container: `deliver` gets the number of the publication, which is one more than the last.
  ///
  /// - Returns: the delivery that is live now.
  package func publish(
    _ id: ContainerID, _ deliver: (_ sequence: Int64) throws(ConsoleError) -> ContainerDelivery
  ) throws(ConsoleError) -> ContainerDelivery {
    try exclusively { manifest throws(ConsoleError) in
      let noted = manifest.sequence(of: id)
      let last = if let noted { noted } else { try SiteFiles(directory).lastSequence(of: id) }
      let delivery = try deliver(last + 1)
      try write([delivery], removing: [], &manifest)
      return delivery
    }
  }

  /// Makes the containers that are live elsewhere live here too, and takes out those that were removed there.
  ///
  /// - Throws: `siteFailed` for one that cannot stand beside another, after all others are there.
  package func mirror(_ deliveries: [ContainerDelivery], removed: [ContainerID] = []) throws(ConsoleError) {
    try exclusively { manifest throws(ConsoleError) in try write(deliveries, removing: removed, &manifest) }
  }

  private func write(
    _ deliveries: [ContainerDelivery], removing removed: [ContainerID], _ manifest: inout SiteManifest
  ) throws(ConsoleError) {
    let before = manifest
    let gone = removed.flatMap { manifest.takeOut($0) }
    // What cannot stand there keeps nothing else out.
    var refusal: ConsoleError?
    var entered: [ContainerDelivery] = []
    for delivery in deliveries {
      do throws(ConsoleError) {
        try enter(delivery, &manifest)
        entered.append(delivery)
      } catch {
        refusal = error
      }
    }
    if manifest != before { try write(entered, insteadOf: before, removing: gone, of: removed, manifest) }
    if let refusal { throw refusal }
  }

  private func write(
    _ deliveries: [ContainerDelivery], insteadOf before: SiteManifest, removing gone: [String],
    of removed: [ContainerID], _ manifest: SiteManifest
  ) throws(ConsoleError) {
    for path in gone {
      try remove(path)
      try remove(path + ".gz")
    }
    // A folder with somebody else's files in it stays.
    for id in removed { rmdir(directory + SitePath.versions(id)) }
    for delivery in deliveries {
      let live = SitePath.live(delivery.id)
      guard manifest.files[live] != before.files[live] else { continue }
      try write(delivery.json, SitePath.version(delivery))
      try write(delivery.json, live)
    }
    try write(NginxConfiguration.locations.utf8, "/nginx/locations.conf")
    try write(NginxConfiguration(manifest).maps.utf8, "/nginx/maps.conf")
    try write(manifest.jsonBytes, "/manifest.json")
  }

  private func enter(_ delivery: ContainerDelivery, _ manifest: inout SiteManifest) throws(ConsoleError) {
    let path = SitePath.live(delivery.id)
    // nginx's maps and some file systems do not tell them apart.
    if let other = manifest.files.keys.first(where: { $0.lowercased() == path.lowercased() && $0 != path }) {
      throw ConsoleError(
        code: .siteFailed,
        message: "\(delivery.id) cannot stand beside \(other.dropFirst(SitePath.containers.count)): "
          + "only the case of letters tells them apart")
    }
    let content = SitePath.version(delivery)
    let headers = SiteHeaders.texts(delivery.json)
    manifest.files[path] = .init(
      content: content, headers: headers.merging(["Cache-Control": DeliveryBody.cacheControl]) { $1 })
    manifest.files[content] = .init(
      content: content, headers: headers.merging(["Cache-Control": SiteHeaders.immutable]) { $1 })
  }

  private func write(_ body: DeliveryBody, _ path: String) throws(ConsoleError) {
    let packed = path + ".gz"
    // The packed one first: a server that prefers it never gives an older one than the plain file.
    if let bytes = body.packed { try write(bytes, packed) } else { try remove(packed) }
    try write(body.plain, path)
  }

  private func write(_ bytes: some Sequence<UInt8>, _ path: String) throws(ConsoleError) {
    let place = directory + path
    do {
      try FileManager.default.createDirectory(
        atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try AtomicFile(path: place, isForEverybody: true).replace(with: Array(bytes))
    } catch {
      throw ConsoleError(code: .siteFailed, message: "\(place) cannot be written", cause: error)
    }
  }

  private func remove(_ path: String) throws(ConsoleError) {
    do throws(StoreError) { try AtomicFile(path: directory + path).remove() } catch {
      throw ConsoleError(code: .siteFailed, message: error.message, cause: error)
    }
  }

  /// Works on the manifest while no other process does.
  private func exclusively<Result>(
    _ work: (inout SiteManifest) throws(ConsoleError) -> Result
  ) throws(ConsoleError) -> Result {
    let lock: FileLock?
    var manifest = SiteManifest()
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      lock = try FileLock.take(directory + "/.lock")
      if let bytes = try AtomicFile(path: directory + "/manifest.json").read(limit: 64 << 20) {
        guard let read = SiteManifest(json: bytes) else {
          throw ConsoleError(
            code: .siteFailed, message: "\(directory)/manifest.json is damaged; remove it and publish again")
        }
        manifest = read
      }
    } catch let error as ConsoleError {
      throw error
    } catch {
      throw ConsoleError(code: .siteFailed, message: "\(directory) cannot be used", cause: error)
    }
    guard let lock else {
      throw ConsoleError(code: .siteFailed, message: "\(directory): another publish is at work there")
    }
    defer { lock.release() }
    return try work(&manifest)
  }
}

/// Where a site's files are, from its directory.
enum SitePath {
  static let containers = "/v1/containers/"

  static func live(_ id: ContainerID) -> String { containers + id.text }

  /// The folder of a container's versions, with its slash.
  static func versions(_ id: ContainerID) -> String { "/v1/versions/\(id)/" }

  static func version(_ delivery: ContainerDelivery) -> String {
    // A fingerprint may be anybody's text: a digest of the body names the file.
    "\(versions(delivery.id))\(ContentFingerprint.text(of: delivery.json.plain)).json"
  }
}

/// What a site's answers say.
enum SiteHeaders {
  static let immutable = "public, max-age=31536000, immutable"

  static func texts(_ body: DeliveryBody) -> [String: String] {
    var texts = ["Content-Type": body.form.contentType]
    for field in body.headers { texts[field.name] = field.value }
    return texts
  }
}
