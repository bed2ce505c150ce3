import Hits
import TagManager
import Testing

@Suite("Messages around a resource")
struct SupplementedResourceTests {
  static let resource = WireBuilder { $0.text(13, "3") }.bytes

  static func text(_ text: String) -> (inout WireBuilder) -> Void {
    {
      $0.int(1, 1)
      $0.text(2, text)
    }
  }

  /// An experiment that clears `a.b`, pushes a map and draws a number.
  static func experiment(_ message: inout WireBuilder) {
    message.text(1, "gaExperiment:17_3")
    message.message(3) {
      $0.message(1) {
        $0.int(1, 3)
        $0.message(4, text("k"))
        $0.message(5) {
          $0.int(1, 2)
          $0.message(3, text("v"))
          $0.message(3) {
            $0.int(1, 6); $0.int(8, 4)
          }
        }
      }
      $0.message(2, text("a.b"))
      $0.message(3) {
        $0.text(1, "r"); $0.int(4, 1); $0.int(5, 90)
      }
      $0.message(3) {
        $0.text(1, "s"); $0.int(2, 3); $0.int(3, 5)
      }
    }
  }

  static let expected: Supplemental = {
    var expected = Supplemental(name: "gaExperiment:17_3")
    expected.valuesToPush = [["k": ["v", 4]]]
    expected.keysToClear = ["a.b"]
    expected.randoms = [
      ExperimentRandom(key: "r", range: 0...2_147_483_647, keepsOriginal: true, lifetimeMilliseconds: 90),
      ExperimentRandom(key: "s", range: 3...5, keepsOriginal: false, lifetimeMilliseconds: 0),
    ]
    return expected
  }()

  @Test("TM-124: resource, fingerprint and supplementals are read; others are ignored with a note")
  func supplemented() throws {
    let bytes = WireBuilder {
      $0.message(1, Self.experiment)
      $0.message(1) { $0.text(1, "other:1") }
      $0.content(2, Self.resource)
      $0.text(3, "fp")
    }.bytes
    let message = ContainerDecoder.decodeSupplemented(bytes, id: nil)
    #expect(message.fingerprint == "fp")
    #expect(message.supplementals == [Self.expected])
    let container = try #require(message.resource?.container)
    #expect(container.version == "3")
    #expect(container.fingerprint == "fp")
    #expect(container.supplementals == [Self.expected])
    #expect(message.resource?.diagnostics.map(\.code) == [.supplementalIgnored])
    #expect(
      ContainerDecoder.decodeSupplemented(try BinaryContainerEncoder().encodeSupplemented(container), id: nil).resource?
        .container == container)
  }

  @Test("C6, TM-124: without a resource nothing changed")
  func unchanged() {
    let message = ContainerDecoder.decodeSupplemented(WireBuilder { $0.text(3, "fp") }.bytes, id: nil)
    #expect(message.resource == nil)
    #expect(message.fingerprint == "fp")
  }

  @Test("TM-124: a damaged message or resource ends in its error")
  func damaged() {
    #expect(ContainerDecoder.decodeSupplemented([], id: nil).resource?.error?.code == .emptyFile)
    #expect(ContainerDecoder.decodeSupplemented([0x12], id: nil).resource?.error?.code == .malformedWire)
    let bytes = WireBuilder { $0.message(2) { $0.list([9]) } }.bytes
    #expect(ContainerDecoder.decodeSupplemented(bytes, id: nil).resource?.error?.code == .indexOutOfRange)
  }

  @Test("TM-125: a saved file has a time, and its supplemented resource is preferred")
  func saved() {
    let plain = WireBuilder {
      $0.int(1, 1_000); $0.content(2, Self.resource)
    }
    let saved = ContainerDecoder.decodeLegacySaved(plain.bytes, id: nil)
    #expect(saved.savedAt == 1_000)
    #expect(saved.resource?.container?.version == "3")
    var both = plain
    both.message(3) {
      $0.message(2) { $0.text(13, "4") }
      $0.text(3, "fp")
    }
    let preferred = ContainerDecoder.decodeLegacySaved(both.bytes, id: nil)
    #expect(preferred.resource?.container?.version == "4")
    #expect(preferred.fingerprint == "fp")
    #expect(
      ContainerDecoder.decodeLegacySaved(WireBuilder { $0.int(1, 5) }.bytes, id: nil).resource?.error?.code
        == .incompleteResource)
  }
}
