import Hits
import TagManager
import Testing

@testable import Console

@Suite("Secrets and shares") struct SecretTests {
  @Test("CO-904: a secret is 43 characters of base64url after its kind, another one each time")
  func form() {
    let random = SeededRandomSource(seed: 1)
    var texts: Set<String> = []
    for kind in Secret.Kind.allCases {
      for _ in 0..<200 {
        let text = Secret(kind, from: random).text
        #expect(text.hasPrefix(kind.rawValue))
        #expect(text.utf8.count == 47)
        #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        texts.insert(text)
      }
    }
    #expect(texts.count == 1000)
  }

  @Test("CO-904: a secret that is printed, dumped or put into a message shows nothing")
  func hidden() {
    let secret = Secret(.access, from: SeededRandomSource(seed: 1))
    var dumped = ""
    dump(secret, to: &dumped)
    dump(secret.digest, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped, String(reflecting: secret.digest)] {
      #expect(!text.contains(secret.text))
      #expect(!text.contains(secret.digest.bytes.map(String.init).joined(separator: ", ")))
    }
  }

  @Test("the digest is SHA-256 of the text")
  func digest() {
    // FIPS 180-2, B.1: the digest of "abc".
    let expected: [UInt8] = [
      0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23, 0xB0, 0x03, 0x61,
      0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61, 0xF2, 0x00, 0x15, 0xAD,
    ]
    #expect(SecretDigest(of: "abc").bytes == expected)
  }

  @Test(
    "CO-404: a share has up to two decimals, from 0 to 100",
    arguments: [
      (0, 0), (0.01, 1), (10.25, 1025), (33.33, 3333), (99.99, 9999), (100, 10_000), (0.001, nil), (-1, nil),
      (100.01, nil), (.nan, nil), (.infinity, nil),
    ] as [(Double, Int?)])
  func share(percent: Double, hundredths: Int?) {
    #expect(RolloutShare(percent: percent)?.hundredths == hundredths)
  }

  @Test(
    "an environment's name is short and plain",
    arguments: [
      ("live", true), ("Staging-2.b_c", true), ("", false), ("a b", false), ("a/b", false), ("é", false),
      (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
    ])
  func environment(name: String, isName: Bool) { #expect(ContainerEnvironment.isName(name) == isName) }

  @Test("CO-900: each scope may do what those before it may")
  func scopes() {
    #expect(AccessScope.allCases.sorted() == [.read, .edit, .publish, .admin])
    #expect(AccessScope.read < .edit)
    #expect(AccessScope.publish < .admin)
  }

  @Test("CO-900, CO-500: a token lets in until it ends or is revoked")
  func validity() {
    var token = WorkspaceStoreContract.token("t")
    #expect(token.isValid(at: 99))
    #expect(!token.isValid(at: 100))
    token.expires = nil
    #expect(token.isValid(at: .max))
    token.revoked = 1
    #expect(!token.isValid(at: 0))
    let preview = WorkspaceStoreContract.preview("p", version: nil, at: 0)
    #expect(preview.isValid(at: 7 * 86_400_000 - 1))
    #expect(!preview.isValid(at: 7 * 86_400_000))
    #expect(preview.parameter == "0")
  }
}
