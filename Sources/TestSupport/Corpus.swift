package import Foundation

/// The shared corpus of other people's documents, read in place beside the package; it may be missing.
package struct Corpus: Sendable {
  /// The corpus directory.
  package let root: URL

  /// Finds the corpus; when it is not there, prints one line that says so and gives nil.
  package static func find(for suite: String) -> Corpus? {
    // This file is <package>/Sources/TestSupport/Corpus.swift.
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let root = package.deletingLastPathComponent().appendingPathComponent("shared/corpus")
    guard FileManager.default.fileExists(atPath: root.path) else {
      print("\(suite): no corpus at ../shared/corpus beside the package; nothing was checked")
      return nil
    }
    return Corpus(root: root)
  }

  /// The bytes of one document, by its path inside the corpus.
  package func data(_ path: String) throws -> Data {
    try Data(contentsOf: root.appendingPathComponent(path))
  }

  /// The lines of one document that are not empty.
  package func lines(_ path: String) throws -> [Data] {
    try data(path).split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }

  /// The files of one folder by name, sorted.
  package func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
  }
}
