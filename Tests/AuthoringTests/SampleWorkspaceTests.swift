import Authoring
import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

/// The sample shop as an author's workspace, beside the container that was written by hand.
@Suite struct SampleWorkspaceTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/tagworks/Demo/Shop").standardizedFileURL
  static let file = folder.appendingPathComponent("GTM-SHOP.workspace.json")

  private func compiled() throws -> CompiledContainer {
    let reading = WorkspaceReading(export: Array(try Data(contentsOf: Self.file)))
    let compilation = try #require(reading.workspace).compiled(CompileSettings { $0.count })
    #expect(compilation.diagnostics.filter { $0.severity != .info } == [])
    return try #require(compilation.container)
  }

  @Test(
    "CO-302: compiled, the sample workspace does in its session what the container written by hand does",
    arguments: ["en-US", "es-ES", "de-DE"], [ContainerOutput.json, .binary])
  func session(language: String, output: ContainerOutput) async throws {
    let written = output == .json ? "GTM-SHOP.json" : "GTM-SHOP"
    let byHand = try #require(
      ContainerDecoder.decode(Data(contentsOf: Self.folder.appendingPathComponent(written)), id: "GTM-SHOP").container)
    let own = try #require(ContainerDecoder.decode(output.bytes(of: compiled()), id: nil).container)
    let names = Set(byHand.macros.map(\.name)).filter { !$0.hasPrefix("_") && $0 != "random number" }
    let session = try String(contentsOf: Self.folder.appendingPathComponent("session.ndjson"), encoding: .utf8)
    let sides = try [own, byHand].map { container in
      try ObservedContainer(container, id: "GTM-SHOP", reading: names.sorted(), language: language)
    }
    var events = 0
    for line in session.split(separator: "\n") {
      let update = try #require(try Value(json: String(line)).map)
      let (ours, theirs) = (await sides[0].push(update), await sides[1].push(update))
      #expect(ours == theirs, "\(line)")
      events += 1
    }
    #expect(events == 42)
  }

  @Test("CO-405: its values are those of the container written by hand, outside all conditions")
  func values() throws {
    let byHand = try #require(
      ContainerDecoder.decode(Data(contentsOf: Self.folder.appendingPathComponent("GTM-SHOP.json")), id: nil).container)
    let values = ContainerValues(try compiled()).values
    #expect(values == ContainerValues(byHand).values)
    #expect(
      values == [
        "currency": "USD", "free_shipping_from": 50, "greeting": "Hello", "sale_banner": true,
        "tracking id": "UA-12345-1",
      ])
  }
}
