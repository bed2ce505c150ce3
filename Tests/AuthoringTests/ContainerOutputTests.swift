import Authoring
import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite struct ContainerOutputTests {
  private static let variables = [
    Variable("text", type: "c", id: "1", [Parameter("value", "a <b> & \"c\"\r\n\u{1F600}")]),
    Variable("number", type: "c", id: "2", [Parameter(fields: ["type": "INTEGER", "key": "value", "value": "-7"])]),
    Variable("flag", type: "c", id: "3", [Parameter("value", true)]),
    Variable(
      "list", type: "c", id: "4",
      [Parameter("value", list: [Parameter("", "1"), Parameter(map: [Parameter("k", "v")])])]),
    Variable("mixed", type: "c", id: "5", [Parameter("value", "{{text}}!")]),
    Variable("read", id: "6", [Parameter("name", "x")]),
    Variable(
      "always", type: "vc", id: "7", [Parameter("collection", "{'greeting': 'Hi', 'rate': 0.25, 'number': 8}")],
      more: ["enablingTriggerId": ["2147479555"]]),
    Variable(
      "sometimes", type: "vc", id: "8", [Parameter("collection", "{'only': 'then', 'number': 9}")],
      more: ["enablingTriggerId": ["2147479556"]]),
  ]
  private static let values: [String: Value] = [
    "text": "a <b> & \"c\"\r\n\u{1F600}", "number": 8, "flag": true, "list": ["1", ["k": "v"]], "greeting": "Hi",
    "rate": 0.25,
  ]

  @Test("CO-300, TM-130: values are the constants that hold outside all conditions; the rest is named")
  func values() throws {
    let container = try Workspace.sketch(variables: Self.variables).compiledContainer()
    let values = ContainerValues(container)
    #expect(values.values == Self.values)
    #expect(values.omitted == ["Event Name", "mixed", "only", "read"])
  }

  @Test(
    "CO-300, CO-405: values as property list and JSON are read back as what they are",
    arguments: [ContainerOutput.plist, .values])
  func flat(output: ContainerOutput) throws {
    let container = try Workspace.sketch(variables: Self.variables).compiledContainer()
    let bytes = try output.bytes(of: container)
    let decoded = try #require(ContainerDecoder.decode(bytes, id: nil).container)
    #expect(ContainerValues(decoded).values == Self.values)
    #expect(decoded.tags.isEmpty && decoded.rules.isEmpty)
    guard output == .plist else { return }
    let plist = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
    #expect(plist?["number"] as? Int == 8 && plist?["flag"] as? Bool == true && plist?["greeting"] as? String == "Hi")
  }

  @Test("CO-300: compiled JSON and binary decode to the container", arguments: [ContainerOutput.json, .binary])
  func compiled(output: ContainerOutput) throws {
    var container = try Workspace.sketch(variables: Self.variables.filter { $0.name != "always" }).compiledContainer()
    let decoded = try #require(ContainerDecoder.decode(output.bytes(of: container), id: nil).container)
    if output == .binary {
      (container.id, container.fingerprint, container.semantics) = (nil, nil, .legacy)
    }
    #expect(decoded == container)
  }

  @Test("CO-300: what a form cannot say is an error, not another container")
  func inexpressible() throws {
    let fraction = try Workspace.sketch(variables: Self.variables).compiledContainer()
    #expect(throws: ContainerEncodingError.self) { try ContainerOutput.binary.bytes(of: fraction) }
    let export = Workspace.sketch(variables: [Variable("exportFormatVersion", type: "c", [Parameter("value", "2")])])
    #expect(throws: ContainerEncodingError.self) { try ContainerOutput.values.bytes(of: export.compiledContainer()) }
    let control = Workspace.sketch(variables: [Variable("x", type: "c", [Parameter("value", "\u{1}")])])
    #expect(throws: ContainerEncodingError.self) { try ContainerOutput.plist.bytes(of: control.compiledContainer()) }
  }

  @Test("CO-405: the bundled default's file name is the id, with the extension of its form")
  func fileNames() {
    let names = ContainerOutput.allCases.map { $0.fileName(of: "GTM-X") }
    #expect(names == ["GTM-X.json", "GTM-X", "GTM-X.plist", "GTM-X.json"])
  }
}
