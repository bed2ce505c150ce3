import Digests
import Hits
import Testing

@testable import TagManager

@Suite("Saved container file")
struct SavedContainerFileTests {
  private static let saved = SavedContainer(
    header: .init(
      id: "GTM-TEST", environment: "live", form: .json, fetchedAt: 1_800_000_000_000, etag: "\"e1\"", fingerprint: "e1",
      version: "7", sequence: 12, publishedAt: 1_700_000_000_000, origin: "https://tags.example.com",
      signature: nil, keyID: nil, defaultDigest: String(repeating: "ab", count: 32), sdk: "Tagworks/1.0.0"),
    payload: Array(#"{"greeting":"Hello"}"#.utf8))

  @Test("TM-211: magic, header length, header, payload, digest, at their places")
  func layout() throws {
    let bytes = try SavedContainerFile.encode(Self.saved)
    #expect(String(decoding: bytes.prefix(8), as: UTF8.self) == "TWSAVED1")
    let length = Int(bytes[8]) | Int(bytes[9]) << 8 | Int(bytes[10]) << 16 | Int(bytes[11]) << 24
    let header = try Value(json: Array(bytes[12..<12 + length]))
    guard case .map(let keys) = header else {
      Issue.record("the header is no object")
      return
    }
    #expect(
      Set(keys.keys) == [
        "id", "environment", "form", "length", "fetchedAt", "etag", "fingerprint", "version", "sequence", "publishedAt",
        "origin", "signature", "keyID", "defaultDigest", "sdk",
      ])
    #expect(keys["length"] == 20)
    #expect(keys["signature"] == .null)
    #expect(Array(bytes[(12 + length)..<(bytes.count - 32)]) == Self.saved.payload)
    #expect(Array(bytes.suffix(32)) == Digest.sha256(bytes.dropLast(32)))
  }

  @Test("TM-211: what is written is read back")
  func roundTrip() throws {
    #expect(try SavedContainerFile.decode(try SavedContainerFile.encode(Self.saved)) == Self.saved)
  }

  @Test("C7, TM-213: any flipped bit is found; only another version's digit is no damage")
  func flippedBits() throws {
    let bytes = try SavedContainerFile.encode(Self.saved)
    for position in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << UInt8(bit)
        let fault = #expect(throws: SavedContainerFile.Fault.self) { try SavedContainerFile.decode(damaged) }
        let isVersion = position == 7 && UInt8(ascii: "0")...UInt8(ascii: "9") ~= damaged[7]
        #expect((fault == .formatUnknown) == isVersion)
      }
    }
  }

  @Test("TM-160: a file cut at any byte is damaged, and traps nothing")
  func cut() throws {
    let bytes = try SavedContainerFile.encode(Self.saved)
    for count in bytes.indices {
      #expect(throws: SavedContainerFile.Fault.self) { try SavedContainerFile.decode(Array(bytes.prefix(count))) }
    }
  }

  @Test(
    "TM-211: a header length beyond the limit or the file is damage, though the digest fits",
    arguments: [UInt32.max, 65_537, 1_000])
  func headerLength(length: UInt32) throws {
    var bytes = Array(try SavedContainerFile.encode(Self.saved).dropLast(32))
    for index in 0..<4 { bytes[8 + index] = UInt8(truncatingIfNeeded: length >> UInt32(8 * index)) }
    bytes += Digest.sha256(bytes)
    #expect(throws: SavedContainerFile.Fault.corrupt("its header is too long")) {
      try SavedContainerFile.decode(bytes)
    }
  }

  @Test("TM-211: a header that would be beyond its limit is not written")
  func longHeader() {
    var saved = Self.saved
    saved.header.version = String(repeating: "9", count: 70_000)
    #expect(throws: SavedContainerFile.Fault.self) { try SavedContainerFile.encode(saved) }
  }
}
