import Digests
import Testing

@Suite("Ed25519")
struct Ed25519Tests {
  /// Public key, message, signature: RFC 8032, section 7.1, tests 1 to 3.
  static let vectors: [(String, String, String)] = [
    (
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    ),
    (
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    ),
    (
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    ),
  ]

  @Test("TM-443: the test vectors of RFC 8032 verify, and no changed byte does", arguments: vectors)
  func verifies(publicKey: String, message: String, signature: String) {
    let (key, text, good) = (Hex.bytes(publicKey), Hex.bytes(message), Hex.bytes(signature))
    #expect(Ed25519.isValid(signature: good, of: text, publicKey: key))
    #expect(!Ed25519.isValid(signature: good, of: text + [0], publicKey: key))
    for position in [0, 31, 32, 63] {
      var bad = good
      bad[position] ^= 1
      #expect(!Ed25519.isValid(signature: bad, of: text, publicKey: key))
    }
    var otherKey = key
    otherKey[0] ^= 1
    #expect(!Ed25519.isValid(signature: good, of: text, publicKey: otherKey))
  }

  /// The private keys of the same vectors, in their order.
  static let privateKeys = [
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
  ]

  @Test("TM-440: the private keys of RFC 8032 give its public keys and signatures", arguments: 0..<3)
  func signs(index: Int) {
    let (publicKey, message, signature) = Self.vectors[index]
    let privateKey = Hex.bytes(Self.privateKeys[index])
    #expect(Ed25519.publicKey(ofPrivate: privateKey) == Hex.bytes(publicKey))
    #expect(Ed25519.signature(of: Hex.bytes(message), privateKey: privateKey) == Hex.bytes(signature))
    #expect(Ed25519.publicKey(ofPrivate: Array(privateKey.dropLast())) == nil)
    #expect(Ed25519.signature(of: [], privateKey: privateKey + [0]) == nil)
  }

  @Test("Keys and signatures of another size verify nothing")
  func refusesSizes() {
    let (key, signature) = (Hex.bytes(Self.vectors[0].0), Hex.bytes(Self.vectors[0].2))
    #expect(!Ed25519.isValid(signature: [], of: [], publicKey: key))
    #expect(!Ed25519.isValid(signature: signature + [0], of: [], publicKey: key))
    #expect(!Ed25519.isValid(signature: signature, of: [], publicKey: []))
    #expect(!Ed25519.isValid(signature: signature, of: [], publicKey: Array(key.dropLast())))
  }
}
