package import Foundation

/// A directory that is there for one test, and gone with its object.
package final class TemporaryDirectory: Sendable {
  /// Its path.
  package let path: String
  /// Its place as a URL.
  package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

  /// Makes a directory of a new name, or only finds the name for what the test itself makes there.
  package init(isMade: Bool = true) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("tagworks-\(UUID().uuidString)").path
    guard isMade else { return }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  // Leftovers in the system's temporary directory harm no other test.
  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and gives its path.
  package func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}
