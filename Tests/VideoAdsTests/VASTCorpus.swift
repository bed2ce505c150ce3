import Foundation
import TestSupport

/// The documents of the corpus folder `vast`.
struct VASTCorpus: Sendable {
  /// One line of the manifest.
  struct Entry: Sendable, CustomStringConvertible {
    let file: String
    let facts: [String: String]

    var isWellFormed: Bool { facts["wellformed"] == "yes" }
    var description: String { file }
  }

  let corpus: Corpus
  let entries: [Entry]

  static func find(for suite: String) throws -> VASTCorpus? {
    guard let corpus = Corpus.find(for: suite) else { return nil }
    let lines = try corpus.lines("vast/manifest.tsv").map { line in
      String(decoding: line, as: UTF8.self).split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = lines.first else { return nil }
    let entries = lines.dropFirst().map { cells in
      Entry(file: cells[0], facts: Dictionary(uniqueKeysWithValues: zip(header, cells)))
    }
    return VASTCorpus(corpus: corpus, entries: entries)
  }

  func names(in folder: String) throws -> [String] { try corpus.files(in: "vast/\(folder)") }

  func bytes(_ file: String) throws -> [UInt8] { Array(try corpus.data("vast/\(file)")) }
}
