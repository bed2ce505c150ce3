import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Files of the original SDK")
struct LegacySavedTests {
  private static func file(_ title: String, age: Int64, isWrapped: Bool) throws -> Data {
    let container = try #require(
      ContainerDecoder.decode(Data(OpeningBench.json(title, version: "7").utf8), id: nil).container)
    let resource = try BinaryContainerEncoder().encode(container)
    var file = WireBuilder()
    file.int(1, Int(OpeningBench.start - age))
    if isWrapped { file.message(3) { $0.content(2, resource) } } else { file.content(2, resource) }
    return Data(file.bytes)
  }

  private static let hour = OpeningBench.hour

  @Test(
    "TM-214: where nothing is saved, a file of the legacy SDK is taken over once, as old as it says",
    arguments: [false, true])
  func takenOver(isWrapped: Bool) async throws {
    let file = try Self.file("legacy", age: 2 * Self.hour, isWrapped: isWrapped)
    let bench = OpeningBench(legacy: ["resource_GTM-TEST": file])
    let result = try await bench.open(.fresh)
    #expect(result.endedBy == .saved)
    #expect(result.container.string(for: "title") == "legacy")
    #expect(bench.transport.requests.isEmpty)
    let saved = try #require(bench.savedContainer)
    #expect(saved.header.fetchedAt == OpeningBench.start - 2 * Self.hour)
    #expect(saved.header.version == "7")
    #expect(bench.logger.texts(.info).contains { $0.contains("taken over") })
  }

  @Test("TM-214: a saved container counts, and the legacy file is not looked at; an old one is checked with the server")
  func notNeeded() async throws {
    let file = try Self.file("legacy", age: 0, isWrapped: false)
    let kept = OpeningBench(saved: try OpeningBench.saved(age: 0), legacy: ["resource_GTM-TEST": file])
    #expect(try await kept.open(.nonDefault).container.string(for: "title") == "saved")
    let old = OpeningBench(
      [OpeningBench.answer()], legacy: ["resource_GTM-TEST": try Self.file("old", age: 13 * Self.hour, isWrapped: true)]
    )
    #expect(try await old.open(.fresh).endedBy == .network)
    #expect(old.transport.requests.first?.headers["If-None-Match"] == nil)
  }

  @Test("TM-214: a damaged legacy file is a warning, and the opening goes on without it", arguments: ["", "{}", "xx"])
  func damaged(text: String) async throws {
    let bench = OpeningBench([OpeningBench.answer()], legacy: ["resource_GTM-TEST": Data(text.utf8)])
    #expect(try await bench.open(.nonDefault).endedBy == .network)
    #expect(bench.logger.texts(.warning).contains { $0.contains("resource_GTM-TEST in memory is not taken over") })
  }

  @Test("TM-214, TM-442: unsigned as it is, it counts neither where signatures are required nor in another environment")
  func notAllowed() async throws {
    let file = try Self.file("legacy", age: 0, isWrapped: false)
    for (signature, environment) in [(SignaturePolicy.required([:]), "live"), (.off, "test")] {
      let configuration = TagManager.Configuration(
        server: .tagworks("https://tags.example.com"), environment: environment, signature: signature)
      let bench = OpeningBench(
        [OpeningBench.offline], configuration: configuration, legacy: ["resource_GTM-TEST": file])
      #expect(try await bench.open(.nonDefault).endedBy == .failure(.noNetwork))
      #expect(bench.savedContainer == nil)
    }
  }
}
