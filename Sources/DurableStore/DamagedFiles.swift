import Foundation

/// Damaged databases, kept aside for a while: `damaged/<wall milliseconds>/` beside the store (HQ-350).
///
/// One whose content is still to be taken in has a mark beside it, an empty file, until that is done.
package struct DamagedFiles: Sendable {
  private let directory: String

  /// The most that is kept; the oldest goes first.
  private static let limit = (stores: 3, bytes: Int64(128 << 20))
  private static let endings = ["", "-wal", "-shm"]
  private static let mark = ".unsalvaged"

  /// - Parameter store: the directory of the store.
  package init(store: String) { directory = store + "/damaged" }

  /// Moves a database with its log aside, and gives its new path.
  ///
  /// - Parameter isForSalvage: whether it is one of `unsalvaged` until `noteSalvaged`.
  package func setAside(
    _ path: String, at milliseconds: Int64, isForSalvage: Bool = false
  ) throws(StoreError) -> String {
    var place = "\(directory)/\(milliseconds)"
    var number = 1
    while access(place, F_OK) == 0 {
      place = "\(directory)/\(milliseconds + Int64(number))"
      number += 1
    }
    try StoreDirectory.prepare(place)
    let name = path.split(separator: "/").last.map(String.init) ?? "store"
    // Before the database: whatever ends this process, what is moved is not taken for salvaged.
    if isForSalvage { try StoreDirectory.prepareFile("\(place)/\(name)\(Self.mark)") }
    for ending in Self.endings where rename(path + ending, "\(place)/\(name)\(ending)") != 0 && errno != ENOENT {
      throw StoreError(errno: errno, code: .ioError, doing: "move \(path)\(ending)")
    }
    prune(keeping: place)
    return "\(place)/\(name)"
  }

  /// The databases whose content is still to be taken in, oldest first.
  package var unsalvaged: [String] {
    stores().flatMap { store in
      Self.names(in: store).filter { $0.hasSuffix(Self.mark) }.map { "\(store)/\($0.dropLast(Self.mark.count))" }
    }
  }

  /// What can be read of a database is taken in.
  package func noteSalvaged(_ path: String) { unlink(path + Self.mark) }

  /// Whether a file is one of those that were set aside.
  package func holds(_ identity: FileIdentity, name: String) -> Bool {
    stores().contains { FileIdentity(path: "\($0)/\(name)") == identity }
  }

  private func stores() -> [String] {
    Self.names(in: directory).compactMap { Int64($0) }.sorted().map { "\(directory)/\($0)" }
  }

  private static func names(in directory: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
  }

  private func prune(keeping place: String) {
    var kept = stores().filter { $0 != place }
    while let oldest = kept.first,
      kept.count >= Self.limit.stores || (kept + [place]).reduce(0, { $0 + Self.bytes(of: $1) }) > Self.limit.bytes
    {
      // What cannot be removed now is no reason to be without a store; the next damage tries again.
      try? FileManager.default.removeItem(atPath: oldest)
      kept.removeFirst()
    }
  }

  private static func bytes(of store: String) -> Int64 {
    names(in: store).reduce(0) { total, name in
      var facts = stat()
      return lstat("\(store)/\(name)", &facts) == 0 ? total + Int64(facts.st_size) : total
    }
  }
}
