import Authoring
import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@Suite struct WorkspaceReadingTests {
  @Test("CO-201: every public export, v2 and 1.3, exports to JSON equal to what was imported")
  func roundTrip() throws {
    for path in ExportCorpus.paths {
      let bytes = try ExportCorpus.bytes(path)
      let reading = WorkspaceReading(export: bytes)
      #expect(reading.diagnostics == [], "\(path)")
      let workspace = try #require(reading.workspace, "\(path)")
      let original = try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary
      let exported = try JSONSerialization.jsonObject(with: Data(workspace.exportBytes)) as? NSDictionary
      #expect(original != nil && original == exported, "\(path)")
      #expect(WorkspaceReading(export: workspace.exportBytes).workspace == workspace, "\(path)")
    }
    #expect(ExportCorpus.paths.isEmpty || ExportCorpus.paths.count == 10)
  }

  @Test("CO-201: unknown fields, empty lists, nulls and numbers of any kind stay as they are, wherever they are")
  func lossless() throws {
    let json = """
      {"exportFormatVersion":1.3,"containerVersion":{"tag":[],"zone":[{"a":null}],"folder":[{"x":1.50,"y":[1,"2",[]]}],
      "container":{"enabledBuiltInVariable":["EVENT"],"new":{}},"variable":[{"name":"n","vendor":{"deep":[{"k":9007199254740993}]}}]},
      "later":true}
      """
    let workspace = try Workspace.read(json)
    let original = try Value(json: json)
    #expect(workspace.exported == original)
    #expect(workspace.variables.map(\.name) == ["n"])
  }

  @Test("CO-301: the export's bytes do not depend on the order of keys in the import")
  func order() throws {
    let one = try Workspace.read(#"{"exportFormatVersion":2,"containerVersion":{"tag":[{"name":"a","tagId":"1"}]}}"#)
    let other = try Workspace.read(#"{"containerVersion":{"tag":[{"tagId":"1","name":"a"}]},"exportFormatVersion":2}"#)
    #expect(one.exportBytes == other.exportBytes)
  }

  @Test(
    "CO-201: what is no export of a known format is refused by name and place",
    arguments: [
      ("", "malformedJSON"), ("{", "malformedJSON"), ("[]", "notWorkspaceExport"), ("{}", "notWorkspaceExport"),
      (#"{"resource":{"macros":[]}}"#, "notWorkspaceExport"),
      (#"{"exportFormatVersion":2,"containerVersion":[]}"#, "wrongType"),
      (#"{"exportFormatVersion":3,"containerVersion":{}}"#, "unknownExportVersion"),
      (#"{"containerVersion":{}}"#, "unknownExportVersion"),
      (#"{"exportFormatVersion":2,"containerVersion":{"tag":{}}}"#, "wrongType"),
      (#"{"exportFormatVersion":2,"containerVersion":{"trigger":[{},1]}}"#, "wrongType"),
      (#"{"exportFormatVersion":2,"containerVersion":{"x":1e999}}"#, "malformedJSON"),
    ])
  func refused(json: String, code: String) {
    let reading = WorkspaceReading(export: Array(json.utf8))
    #expect(reading.workspace == nil)
    #expect(reading.diagnostics.map(\.code.rawValue) == [code])
    #expect(reading.diagnostics.first?.message.hasSuffix(".") == true)
  }

  @Test("CO-903: depth, values, entities, texts and bytes have limits, each with its own name")
  func limits() {
    func code(_ json: String, _ change: (inout WorkspaceLimits) -> Void = { _ in }) -> String? {
      var limits = WorkspaceLimits.standard
      change(&limits)
      return WorkspaceReading(export: Array(json.utf8), limits: limits).diagnostics.first?.code.rawValue
    }
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(code(#"{"exportFormatVersion":2,"containerVersion":{"tag":\#(deep)}}"#) == "tooDeep")
    let many = Array(repeating: "{}", count: 101).joined(separator: ",")
    let export = #"{"exportFormatVersion":2,"containerVersion":{"tag":[\#(many)]}}"#
    #expect(code(export) == nil)
    #expect(code(export) { $0.entitiesPerKind = 100 } == "tooMany")
    #expect(code(export) { $0.nodes = 50 } == "tooMany")
    #expect(code(export) { $0.bytes = 100 } == "tooLarge")
    #expect(code(#"{"exportFormatVersion":2,"x":"abcdef","containerVersion":{}}"#) { $0.textBytes = 5 } == "tooLarge")
  }

  @Test("CO-202: kinds are told by the usage context, an app when there is none")
  func kinds() throws {
    let expected = [
      "ANDROID_SDK_5": "android", "IOS": "ios", "android": "android", "WEB": "web", "SERVER": "server", "AMP": "amp",
    ]
    for (context, kind) in expected {
      var workspace = Workspace()
      workspace.container["usageContext"] = [.string(context)]
      #expect(workspace.kinds.map(\.rawValue) == [kind])
      #expect(workspace.isForApps == (kind == "ios" || kind == "android"))
    }
    #expect(Workspace().kinds == [.iOS])
    for path in ExportCorpus.paths {
      let workspace = try #require(WorkspaceReading(export: ExportCorpus.bytes(path)).workspace)
      #expect(workspace.isForApps == path.contains("export_mobile"), "\(path)")
    }
  }
}
