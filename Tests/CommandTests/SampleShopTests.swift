import Foundation
import Testing

@testable import TagManager

/// The sample shop is written once, as compiled JSON; its binary form is made from it.
@Suite struct SampleShopTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/tagworks/Demo/Shop").standardizedFileURL

  @Test("The binary sample is what the compiled JSON one encodes to; TAGWORKS_WRITE_SAMPLES=1 writes it")
  func binary() throws {
    let json = try Data(contentsOf: Self.folder.appendingPathComponent("GTM-SHOP.json"))
    let container = try #require(ContainerDecoder.decode(json, id: "GTM-SHOP").container)
    let encoded = Data(try BinaryContainerEncoder().encode(container))
    let file = Self.folder.appendingPathComponent("GTM-SHOP")
    if ProcessInfo.processInfo.environment["TAGWORKS_WRITE_SAMPLES"] != nil { try encoded.write(to: file) }
    #expect(try Data(contentsOf: file) == encoded)
  }

  @Test("The sample has no diagnostics in either form")
  func diagnostics() throws {
    for name in ["GTM-SHOP", "GTM-SHOP.json"] {
      let result = ContainerDecoder.decode(
        try Data(contentsOf: Self.folder.appendingPathComponent(name)), id: "GTM-SHOP")
      #expect(result.container != nil)
      #expect(result.diagnostics == [])
    }
  }
}
