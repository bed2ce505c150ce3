import Dispatch
import Foundation

/// Whether an open file still has its name, asked with every commit (HQ-353).
///
/// To resolve a path costs several times what it costs to read the record of an open file. Whatever takes the name away
/// changes that record: the number of its links, or the time of its last change. So the path is resolved when the record
/// has changed, once more a little later, for the system's clock may not tell two changes apart that come close together,
/// and otherwise once a second, for what no record shows, such as a directory that was moved.
package final class FilePlace {
  /// The file.
  package let identity: FileIdentity
  private let path: String
  private let descriptor: Int32
  private var record: Record?
  private var resolvesAt: UInt64 = 0
  private var wasHeld = true

  private struct Record: Equatable {
    var links: UInt64
    var seconds: Int
    var nanoseconds: Int
  }

  // O_PATH, which only programs in C can name.
  private static let onlyPath: Int32 = 0o10_000_000
  private static let pause = (afterChange: UInt64(20_000_000), otherwise: UInt64(1_000_000_000))

  /// Remembers the file that has a name now; nil when there is none.
  package init?(path: String) {
    guard let identity = FileIdentity(path: path) else { return nil }
    self.identity = identity
    self.path = path
    #if canImport(Darwin)
      descriptor = -1
    #else
      // Any other kind of descriptor would, when it is closed, take away the locks that SQLite holds on the file.
      descriptor = open(path, Self.onlyPath | O_CLOEXEC | O_NOFOLLOW)
    #endif
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether the name is still the file's, at a time in nanoseconds that never goes back.
  package func isHeld(at now: UInt64) -> Bool {
    let record = currentRecord()
    if let record, record == self.record, now < resolvesAt { return wasHeld }
    resolvesAt = now + (record == self.record ? Self.pause.otherwise : Self.pause.afterChange)
    self.record = record
    wasHeld = FileIdentity(path: path) == identity
    return wasHeld
  }

  /// Whether the name is still the file's.
  package var isHeld: Bool { isHeld(at: DispatchTime.now().uptimeNanoseconds) }

  private func currentRecord() -> Record? {
    #if canImport(Darwin)
      return nil
    #else
      var facts = stat()
      guard descriptor >= 0, fstat(descriptor, &facts) == 0 else { return nil }
      return Record(links: UInt64(facts.st_nlink), seconds: facts.st_ctim.tv_sec, nanoseconds: facts.st_ctim.tv_nsec)
    #endif
  }
}
