import HitQueue
import Testing

@Suite struct CRC32Tests {
  @Test(
    "HQ-305: the checksum is CRC-32 of IEEE",
    arguments: [
      ("123456789", UInt32(0xcbf4_3926)), ("", 0), ("a", 0xe8b7_be43),
      ("The quick brown fox jumps over the lazy dog", 0x414f_a339),
    ])
  func vectors(text: String, checksum: UInt32) {
    #expect(CRC32.checksum(Array(text.utf8)) == checksum)
  }
}
