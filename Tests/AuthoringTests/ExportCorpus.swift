import Authoring
import Foundation
import Hits
import TestSupport
import Testing

/// The public exports of the corpus, by path inside it.
enum ExportCorpus {
  static let paths: [String] = {
    guard let corpus = Corpus.find(for: "Workspace exports") else { return [] }
    return ["containers/export_mobile", "containers/export_other"].flatMap { folder in
      ((try? corpus.files(in: folder)) ?? []).map { "\(folder)/\($0)" }
    }
  }()

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try #require(Corpus.find(for: "Workspace exports")).data(path))
  }

  /// The one export whose file's name begins with a container's id; nil when there is no corpus.
  static func workspace(of id: String) throws -> Workspace? {
    guard let path = paths.first(where: { $0.contains("/\(id)__") }) else { return nil }
    let workspace: Workspace = try #require(WorkspaceReading(export: bytes(path)).workspace)
    return workspace
  }
}

extension Workspace {
  /// Reads a workspace from JSON written in a test.
  static func read(_ json: String) throws -> Workspace {
    let reading = WorkspaceReading(export: Array(json.utf8))
    #expect(reading.diagnostics == [])
    return try #require(reading.workspace)
  }
}
