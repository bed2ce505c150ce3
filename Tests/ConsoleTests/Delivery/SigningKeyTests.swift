import Digests
import Foundation
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Signing key") struct SigningKeyTests {
  /// What `openssl genpkey -algorithm ed25519` printed, with what `openssl pkey -pubout` told of it.
  static let pem = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
    -----END PRIVATE KEY-----

    """
  /// RFC 8032, section 7.1, test 1: the public key of that private key.
  static let publicKey = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"

  private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

  @Test("TM-440: a key in PKCS #8 is read; its id is the beginning of its public key's SHA-256")
  func reads() throws {
    let key = try #require(SigningKey(pem: Self.pem))
    #expect(Self.hex(key.publicKey) == Self.publicKey)
    #expect(key.id == String(Self.hex(Digest.sha256(key.publicKey)).prefix(16)))
    #expect(SigningKey(pem: Self.pem.replacing("\n", with: "\r\n")) != nil)
  }

  @Test("TM-440: the signature is over the name, the number and the body, in the header's form")
  func signs() throws {
    let key = try #require(SigningKey(pem: Self.pem))
    let body = Array("{}".utf8)
    let signature = try key.signature(id: "GTM-A", environment: "live", sequence: 7, body: body)
    let message = Array("tagworks-container-v1\nGTM-A\nlive\n7\n{}".utf8)
    #expect(Ed25519.isValid(signature: signature.bytes, of: message, publicKey: key.publicKey))
    #expect(signature.headerText.hasPrefix("v1;\(key.id);"))
  }

  @Test("a text that is no key of the kind is none")
  func refuses() {
    let rsa = Self.pem.replacing("MC4CAQAwBQYDK2VwBCIE", with: "MC4CAQAwBQYDK2VuBCIE")
    for text in [
      "", "-----BEGIN PRIVATE KEY-----", rsa, Self.pem.replacing("9g", with: "=="), String(repeating: "\n", count: 9),
    ] {
      #expect(SigningKey(pem: text) == nil)
    }
  }

  @Test("CO-904: a key's file is made for its owner alone, never over another, and refused when others can read it")
  func files() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("key.pem")
    let key = try SigningKey.make(file: path)
    #expect(try SigningKey(file: path).publicKey == key.publicKey)
    #expect(throws: ConsoleError.self) { try SigningKey.make(file: path) }
    #expect(try SigningKey(file: path).publicKey == key.publicKey)
    var facts = stat()
    #expect(lstat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    chmod(path, 0o640)
    let open = #expect(throws: ConsoleError.self) { try SigningKey(file: path) }
    #expect(open?.code == .signingKey && open?.message.contains("chmod 600") == true)
    let missing = #expect(throws: ConsoleError.self) { try SigningKey(file: directory.file("none")) }
    #expect(missing?.code == .signingKey)
    let other = try directory.write("no key", to: "other")
    chmod(other, 0o600)
    #expect(throws: ConsoleError.self) { try SigningKey(file: other) }
  }

  @Test("CO-904: neither text nor dump of a key tells it")
  func silent() throws {
    let key = try #require(SigningKey(pem: Self.pem))
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(!text.contains("157") && !text.contains("9d61b1"), "\(text)")
    }
  }
}
