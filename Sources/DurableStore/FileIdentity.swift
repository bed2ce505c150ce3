import Foundation

/// What tells a file from another that has taken its name (HQ-353).
package struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64

  /// The file that has a name now; nil when there is none.
  package init?(path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: facts.st_dev)
    number = UInt64(truncatingIfNeeded: facts.st_ino)
  }
}
