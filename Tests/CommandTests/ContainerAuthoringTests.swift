import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite struct ContainerAuthoringTests {
  private static let workspace = SampleShopTests.folder.appendingPathComponent("GTM-SHOP.workspace.json").path
  private static let container = SampleShopTests.folder.appendingPathComponent("GTM-SHOP.json").path

  @Test("CO-207: convert compiles a workspace into each form, by --to or by the extension")
  func convert() async throws {
    let directory = try TemporaryDirectory()
    for (arguments, name, form) in [
      ([], "shop.json", ContainerForm.compiledJSON), ([], "SHOP", .binary), ([], "shop.plist", .propertyList),
      (["--to", "binary"], "shop.out", .binary), (["--to", "json"], "SHOP2", .compiledJSON),
    ] {
      let path = directory.file(name)
      let result = try await Program.run(["container", "convert", Self.workspace, path] + arguments)
      #expect(result.status == 0 && result.output.isEmpty)
      let decoded = ContainerDecoder.decode(try Data(contentsOf: URL(fileURLWithPath: path)), id: nil)
      #expect(decoded.form == form)
      #expect(decoded.container != nil)
      #expect(result.errors.contains("left out") == (form == .propertyList))
    }
    let standard = try await Program.run(["container", "convert", Self.workspace, "-", "--to", "json"])
    #expect(
      try standard.json.first == Value(json: Array(Data(contentsOf: URL(fileURLWithPath: directory.file("shop.json")))))
    )
  }

  @Test("CO-207: convert does not write what it compiles over the author's export")
  func convertOverItself() async throws {
    let directory = try TemporaryDirectory()
    let export = try Data(contentsOf: URL(fileURLWithPath: Self.workspace))
    let path = directory.file("shop.json")
    try export.write(to: URL(fileURLWithPath: path))
    try FileManager.default.createSymbolicLink(atPath: directory.file("link.json"), withDestinationPath: path)
    for output in [path, directory.file("./shop.json"), directory.file("link.json")] {
      let result = try await Program.run(["container", "convert", path, output])
      #expect(result.status == 2)
      #expect(result.errors.contains("OUT is IN itself"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == export)
  }

  @Test("CO-207: convert writes a compiled container in another form, which is the same container")
  func convertCompiled() async throws {
    let directory = try TemporaryDirectory()
    let (binary, back) = (directory.file("SHOP"), directory.file("back.json"))
    #expect(try await Program.run(["container", "convert", Self.container, binary]).status == 0)
    #expect(try await Program.run(["container", "convert", binary, back]).status == 0)
    let diff = try await Program.run(["container", "diff", Self.container, back, "--json"])
    // Binary files have no place for the id.
    #expect(try diff.json.compactMap { $0.map?["kind"] } == ["container"])
  }

  @Test("CO-207: convert names what is wrong and writes nothing")
  func refused() async throws {
    let directory = try TemporaryDirectory()
    let export = try directory.write(
      #"{"exportFormatVersion":2,"containerVersion":{"tag":[{"tagId":"1","name":"t","type":"html","firingTriggerId":["4"]}]}}"#,
      to: "export.json")
    let result = try await Program.run(["container", "convert", export, directory.file("out.json")])
    #expect(result.status == 1)
    #expect(result.errors.contains("unknownType") && result.errors.contains("unknownReference"))
    #expect(result.errors.contains("export.json: tag \"t\" firingTriggerId"))
    #expect(!FileManager.default.fileExists(atPath: directory.file("out.json")))
    let wrongForm = try await Program.run(["container", "convert", Self.workspace, "out.txt"])
    #expect(wrongForm.status == 2)
    let nowhere = try await Program.run(["container", "convert", Self.workspace, directory.file("no/out.json")])
    #expect(nowhere.status == 3)
  }

  @Test("CO-206: check prints an export's own diagnostics beneath workspaceExport, exit 1")
  func check() async throws {
    let directory = try TemporaryDirectory()
    let export = try directory.write(
      #"{"exportFormatVersion":2,"containerVersion":{"trigger":[{"triggerId":"1","name":"t","type":"ALWAYS"}]}}"#,
      to: "export.json")
    let result = try await Program.run(["container", "check", export, "--json"])
    #expect(result.status == 1)
    let report = try #require(try result.json.first?.map)
    #expect(report["form"] == "workspaceExport" && report["usable"] == false)
    let diagnostics = report["diagnostics"]?.list?.compactMap(\.map) ?? []
    #expect(diagnostics.map { $0["code"] } == ["workspaceExport", "unusedEntity"])
    #expect(diagnostics.last?["location"] == "trigger \"t\"")
  }

  @Test("CO-207: diff compares workspaces as such, and shows each field before and after")
  func diff() async throws {
    let directory = try TemporaryDirectory()
    let text = try String(contentsOfFile: Self.workspace, encoding: .utf8)
    let changed = try directory.write(
      text.replacingOccurrences(of: "\"value\": \"Hello\"", with: "\"value\": \"Good day\""), to: "changed.json")
    let result = try await Program.run(["container", "diff", Self.workspace, changed])
    #expect(result.status == 0)
    #expect(result.output == "~ variable  greeting (14)\n    parameter.value  \"Hello\" → \"Good day\"\n")
    let json = try await Program.run(["container", "diff", Self.workspace, changed, "--json"])
    let change = try #require(try json.json.first?.map)
    #expect(change["kind"] == "variable" && change["difference"] == "changed")
    #expect(change["fields"] == [["name": "parameter.value", "from": "Hello", "to": "Good day"]])
    let same = try await Program.run(["container", "diff", Self.workspace, Self.workspace])
    #expect(same.status == 0 && same.output == "no difference\n")
  }

  @Test("CO-207: diff compiles a workspace to compare it with a container")
  func diffCompiled() async throws {
    let result = try await Program.run(["container", "diff", Self.workspace, Self.container])
    #expect(result.status == 0)
    #expect(result.output.contains("~ rule"), "the language has another name in them")
    for sign in ["+", "-"] { #expect(!result.output.contains("\(sign) rule"), "they belong together") }
  }
}
