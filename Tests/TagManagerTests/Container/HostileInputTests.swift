import Foundation
import Hits
import TagManager
import TestSupport
import Testing

/// A share of A11 that every test run has time for; the fuzzers do the rest.
@Suite("Hostile containers")
struct HostileInputTests {
  /// Inputs of every form, small enough to be decoded often.
  static func seeds() throws -> [[UInt8]] {
    var container = try EncoderTests.everything()
    var seeds = [
      try JSONContainerEncoder().encode(container), Array(#"{"a":1,"b":[1.5,null,{"c":"d"}],"e":"\ud83d\ude00"}"#.utf8),
      BinaryPropertyListTests.chain(of: 4, copies: 2),
    ]
    container.semantics = .legacy
    seeds.append(try BinaryContainerEncoder().encode(container))
    container.supplementals = [SupplementedResourceTests.expected]
    seeds.append(try BinaryContainerEncoder().encodeSupplemented(container))
    seeds.append(
      WireBuilder {
        $0.int(1, 9); $0.content(3, seeds[4])
      }.bytes)
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let list = try PropertyListSerialization.data(
        fromPropertyList: FlatContainerTests.everything, format: format, options: 0)
      seeds.append(Array(list))
    }
    return seeds
  }

  @Test("A11, TM-160: changed bytes of every form give a container or one error, in every decoder", arguments: 0..<8)
  func mutations(seed: Int) throws {
    let original = try Self.seeds()[seed]
    let random = SeededRandomSource(seed: UInt64(seed))
    for _ in 0..<300 {
      var bytes = original
      for _ in 0...random.integer(in: 0...3) {
        let place = Int(random.integer(in: 0...Int64(bytes.count - 1)))
        switch random.integer(in: 0...4) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[place] ^= 1 << UInt8(random.integer(in: 0...7))
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        default: bytes.removeLast(Int(random.integer(in: 0...Int64(bytes.count / 4))))
        }
        if bytes.isEmpty { bytes = [0] }
      }
      expectTotal(bytes)
    }
  }

  @Test("A11, TM-160: random bytes give one error", arguments: ["", "{", "<plist>", "bplist00", "\n", "\u{12}"])
  func noise(prefix: String) {
    let random = SeededRandomSource(seed: 11)
    for _ in 0..<300 {
      let count = random.integer(in: 0...64)
      expectTotal(Array(prefix.utf8) + (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
  }

  private func expectTotal(_ bytes: [UInt8]) {
    let result = ContainerDecoder.decode(Data(bytes), id: nil)
    #expect((result.container == nil) == (result.error != nil))
    for message in [
      ContainerDecoder.decodeSupplemented(bytes, id: nil), ContainerDecoder.decodeLegacySaved(bytes, id: nil),
    ] {
      guard let resource = message.resource else { continue }
      #expect((resource.container == nil) == (resource.error != nil))
    }
  }
}
