import GzipFormat
import Testing

@Suite("Gunzip") struct GunzipTests {
  @Test(
    "what was compressed comes back, several members too, up to the limit exactly", arguments: [0, 1, 65_536, 300_000])
  func roundTrip(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let packed = try #require(Gzip.compress(bytes))
    #expect(try Gunzip.unpack(packed, limit: size) == bytes)
    #expect(try Gunzip.unpack(packed + packed, limit: size * 2) == bytes + bytes)
    if size > 0 { #expect(throws: GunzipError.tooLarge) { try Gunzip.unpack(packed, limit: size - 1) } }
  }

  @Test("every cut of a packed body is broken, and so is what is none")
  func broken() throws {
    let packed = try #require(Gzip.compress(Array("some text that is worth it".utf8)))
    for count in packed.indices {
      #expect(throws: GunzipError.broken) { try Gunzip.unpack(Array(packed[..<count]), limit: 100) }
    }
    #expect(throws: GunzipError.broken) { try Gunzip.unpack(packed + [0], limit: 100) }
    var damaged = packed
    damaged[packed.count - 6] ^= 1
    #expect(throws: GunzipError.broken) { try Gunzip.unpack(damaged, limit: 100) }
  }
}
