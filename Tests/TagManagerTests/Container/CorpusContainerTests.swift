import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@Suite("Containers of the corpus")
struct CorpusContainerTests {
  /// A folder, how many files it has, their form, and the error they end in.
  static let folders: [(String, Int, ContainerForm?, Diagnostic.Code?)] = [
    ("legacy_binary", 23, .binary, nil), ("legacy_plist", 1, .propertyList, nil), ("v5_json", 15, .compiledJSON, nil),
    ("export_mobile", 5, .workspaceExport, .workspaceExport), ("export_other", 5, .workspaceExport, .workspaceExport),
  ]

  @Test("A10: every public container of every form has its verdict", arguments: folders)
  func verdicts(folder: String, count: Int, form: ContainerForm?, code: Diagnostic.Code?) throws {
    guard let corpus = Corpus.find(for: "Containers of the corpus") else { return }
    let files = try corpus.files(in: "containers/\(folder)")
    #expect(files.count == count)
    for file in files {
      let result = ContainerDecoder.decode(try corpus.data("containers/\(folder)/\(file)"), id: nil)
      #expect(result.form == form, "\(file)")
      #expect(result.error?.code == code, "\(file): \(String(describing: result.error))")
      #expect((result.container != nil) == (code == nil), "\(file)")
    }
  }
}
