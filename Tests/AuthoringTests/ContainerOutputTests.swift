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

  @Test(
    "CO-404: a share of installs gets the new version, the same ones always; a form without shares keeps the old one")
  func rollout() throws {
    func version(_ text: String) throws -> CompiledContainer {
      var settings = CompileSettings { $0.count }
      settings.version = text
      let workspace = Workspace.sketch(variables: [Variable("x", type: "c", [Parameter("value", text)])])
      return try #require(workspace.compiled(settings).container)
    }
    let (new, old) = (try version("2"), try version("1"))
    let bytes = try ContainerOutput.json.bytes(of: new, rollout: Rollout(percent: 12.5, previous: old))
    let decoded = ContainerDecoder.decode(bytes, id: "GTM-TEST")
    let (container, rollout) = (try #require(decoded.container), try #require(decoded.rollout))
    #expect(container == new && rollout.percent == 12.5 && rollout.previous.version == "1")
    for install in 0..<200 {
      let isNew = Bucket.number(salt: "GTM-TEST", id: "\(install)") < 1_250
      let chosen = rollout.choose(container, id: "GTM-TEST", installID: "\(install)")
      #expect(chosen.version == (isNew ? "2" : "1"))
    }
    for (percent, version) in [(12.5, "1"), (100, "2")] {
      let binary = try ContainerOutput.binary.bytes(of: new, rollout: Rollout(percent: percent, previous: old))
      #expect(ContainerDecoder.decode(binary, id: nil).container?.version == version)
    }
  }

  @Test("CO-405: the bundled default's file name is the id, with the extension of its form")
  func fileNames() {
    let names = ContainerOutput.allCases.map { $0.fileName(of: "GTM-X") }
    #expect(names == ["GTM-X.json", "GTM-X", "GTM-X.plist", "GTM-X.json"])
  }
}
