import Digests
import Testing

@Suite("Digests")
struct DigestTests {
  /// Input, function, digest: RFC 1321 appendix A.5, FIPS 180-4 examples.
  static let vectors: [(String, Digest, String)] = [
    ("", .md5, "d41d8cd98f00b204e9800998ecf8427e"),
    ("a", .md5, "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", .md5, "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", .md5, "f96b697d7cb7938d525a2f31aaf161d0"),
    (String(repeating: "1234567890", count: 8), .md5, "57edf4a22be3c955ac49da2e2107b67a"),
    ("", .sha1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ("abc", .sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (twoBlocks, .sha1, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    ("", .sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", .sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (twoBlocks, .sha256, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    (
      "abc", .sha384,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      "abc", .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ]

  private static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"

  @Test("The vectors of RFC 1321 and FIPS 180-4 come out", arguments: vectors)
  func digests(input: String, function: Digest, expected: String) throws {
    let digest = try #require(function.digest(of: input.utf8))
    #expect(digest == Hex.bytes(expected))
  }

  @Test("A million letters a give the digest of FIPS 180-4")
  func digestsAMillionLetters() {
    let digest = Digest.sha256(repeatElement(UInt8(ascii: "a"), count: 1_000_000))
    #expect(digest == Hex.bytes("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"))
  }
}

/// Texts of base 16.
enum Hex {
  static func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
