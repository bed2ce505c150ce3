import Hits
import TagManager

/// What a directory of published containers holds: each file's path, and what its answer says (CO-406).
///
///     manifest = {"files": {path: {"content": path, "headers": {name: value}}}, "format": "tagworks-site/1"}
///
/// The path of a container leads to the file of a version, so that a server which goes by the manifest changes body and
/// head in one moment. It is made for upload scripts too.
struct SiteManifest: Sendable, Equatable {
  struct File: Sendable, Equatable {
    /// The path of the file with the bytes.
    var content: String
    var headers: [String: String]
  }

  /// By the path that is asked for.
  var files: [String: File] = [:]

  static let format = "tagworks-site/1"

  init() {}

  /// Reads the file; nil for anything else.
  init?(json bytes: [UInt8]) {
    // Bytes that are no JSON are no manifest.
    guard let root = try? Value(json: bytes), root.map?["format"] == .string(Self.format),
      let files = root.map?["files"]?.map
    else { return nil }
    for (path, file) in files {
      guard let content = file.map?["content"]?.string, let headers = file.map?["headers"]?.map else { return nil }
      self.files[path] = File(content: content, headers: headers.compactMapValues(\.string))
    }
  }

  /// The number of a container's last publication.
  func sequence(of id: ContainerID) -> Int64? {
    files[SitePath.live(id)]?.headers["Tagworks-Sequence"].flatMap { Int64($0) }
  }

  /// Forgets a container that is live; gives the paths of its files, the live one first: it must go first.
  mutating func takeOut(_ id: ContainerID) -> [String] {
    let live = SitePath.live(id)
    guard files.removeValue(forKey: live) != nil else { return [] }
    let versions = files.keys.filter { $0.hasPrefix(SitePath.versions(id)) }.sorted()
    for path in versions { files[path] = nil }
    return [live] + versions
  }

  var jsonBytes: [UInt8] {
    let files = files.mapValues { file in
      Value.map(["content": .string(file.content), "headers": .map(file.headers.mapValues(Value.string))])
    }
    return Value.map(["format": .string(Self.format), "files": .map(files)]).jsonBytes
  }
}
