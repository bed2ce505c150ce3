import Foundation

/// Damaged databases, kept aside for a while: `damaged/<wall milliseconds>/` beside the store (HQ-350).
package struct DamagedFiles: Sendable {
  private let directory: String

  /// The most that is kept; the oldest goes first.
  private static let limit = (stores: 3, bytes: Int64(128 << 20))
  private static let endings = ["", "-wal", "-shm"]

  /// - Parameter store: the directory of the store.
  package init(store: String) { directory = store + "/damaged" }

  /// Moves a database with its log aside, and gives its new path.
  package func setAside(_ path: String, at milliseconds: Int64) throws(StoreError) -> String {
    var place = "\(directory)/\(milliseconds)"
    var number = 1
    while access(place, F_OK) == 0 {
      place = "\(directory)/\(milliseconds + Int64(number))"
      number += 1
    }
    try StoreDirectory.prepare(place)
    let name = path.split(separator: "/").last.map(String.init) ?? "store"
    for ending in Self.endings where rename(path + ending, "\(place)/\(name)\(ending)") != 0 && errno != ENOENT {
      throw StoreError(errno: errno, code: .ioError, doing: "move \(path)\(ending)")
    }
    try prune(keeping: place)
    return "\(place)/\(name)"
  }

  /// Whether a file is one of those that were set aside.
  package func holds(_ identity: FileIdentity, name: String) -> Bool {
    stores().contains { FileIdentity(path: "\($0)/\(name)") == identity }
  }

  private func stores() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.compactMap { Int64($0) }.sorted().map { "\(directory)/\($0)" }
  }

  private func prune(keeping place: String) throws(StoreError) {
    var kept = stores().filter { $0 != place }
    while let oldest = kept.first,
      kept.count >= Self.limit.stores || (kept + [place]).reduce(0, { $0 + Self.bytes(of: $1) }) > Self.limit.bytes
    {
      do { try FileManager.default.removeItem(atPath: oldest) } catch {
        throw StoreError(code: .ioError, message: "cannot remove \(oldest): \(error.localizedDescription)")
      }
      kept.removeFirst()
    }
  }

  private static func bytes(of store: String) -> Int64 {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: store)) ?? []
    return names.reduce(0) { total, name in
      var facts = stat()
      return lstat("\(store)/\(name)", &facts) == 0 ? total + Int64(facts.st_size) : total
    }
  }
}
