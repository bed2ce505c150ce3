import Hits
import Testing

@testable import TagManager

@Suite("Reading of saved containers")
struct SavedContainerReadingTests {
  private static let json = Array(#"{"resource":{"version":"8","macros":[]}}"#.utf8)

  private static func saved(_ change: (inout SavedContainer) -> Void = { _ in }) throws -> [UInt8] {
    var saved = SavedContainer(
      header: .init(
        id: "GTM-TEST", fetchedAt: 5, etag: "e", version: "8", sequence: nil, origin: "https://tags.example.com",
        defaultDigest: "old"),
      payload: json)
    change(&saved)
    return try SavedContainerFile.encode(saved)
  }

  private static func judge(
    _ bytes: [UInt8]?, defaults: DefaultFacts = DefaultFacts(), policy: SavedContainerPolicy = .newest,
    signature: SignaturePolicy = .off, verifier: (any SignatureVerifier)? = nil,
    server: String? = "https://tags.example.com"
  ) -> SavedContainerReading.Verdict {
    SavedContainerReading(
      decoder: PayloadDecoder(id: "GTM-TEST", installID: "i", limits: .standard), environment: "live", server: server,
      policy: policy, signatures: SignatureCheck(policy: signature, verifier: verifier), defaults: defaults
    ).judge(bytes)
  }

  private static func failure(_ verdict: SavedContainerReading.Verdict) -> (String, Diagnostic.Code?, removes: Bool)? {
    guard case .failed(let failure, let diagnostic, let removes, _) = verdict else { return nil }
    return ("\(failure.reason)(\(failure.detail))", diagnostic?.code, removes)
  }

  @Test("TM-213: each fault has its reason; only damage removes the file")
  func faults() throws {
    var unknown = try Self.saved()
    unknown[7] = UInt8(ascii: "2")
    let rows: [([UInt8]?, String, Diagnostic.Code?, Bool)] = [
      (nil, "noSavedContainer(absent)", nil, false),
      (unknown, "noSavedContainer(formatUnknown)", .savedFormatUnknown, false),
      (Array("TWSAVED1".utf8), "ioError(corrupt)", .savedCorrupt, true),
      (try Self.saved { $0.header.id = "GTM-OTHER" }, "ioError(corrupt)", .savedCorrupt, true),
      (try Self.saved { $0.payload = Array("{".utf8) }, "ioError(corrupt)", .savedCorrupt, true),
      (try Self.saved { $0.header.environment = "test" }, "noSavedContainer(absent)", nil, false),
    ]
    for (bytes, reason, code, removes) in rows {
      let failure = try #require(Self.failure(Self.judge(bytes)))
      #expect(failure.0 == reason)
      #expect(failure.1 == code)
      #expect(failure.removes == removes)
    }
  }

  @Test("TM-420: the entity tag counts only for the server it came from")
  func etag() throws {
    for (server, etag): (String?, String?) in [
      ("https://tags.example.com", "e"), ("https://other.example.com", nil), (nil, nil),
    ] {
      guard case .usable(let saved, _) = Self.judge(try Self.saved(), server: server) else {
        Issue.record("not usable")
        return
      }
      #expect(saved.etag == etag)
      #expect(saved.fetchedAt == 5)
      #expect(saved.content.origin == .saved)
      #expect(saved.content.container.version == "8")
    }
  }

  struct Comparison: Sendable {
    var digest: String?
    var version: String
    var sequence: Int64?
    var environment = "live"
    var saved: (version: String, sequence: Int64?)
    var defaultWins: Bool
  }

  @Test(
    "C8, TM-215, TM-216: a newer default wins, by digest, sequence and version in this order, unless saved always wins",
    arguments: [
      Comparison(digest: nil, version: "9", saved: ("8", nil), defaultWins: false),
      Comparison(digest: "old", version: "9", saved: ("7", nil), defaultWins: false),
      Comparison(digest: "new", version: "1", sequence: 5, saved: ("8", 4), defaultWins: true),
      Comparison(digest: "new", version: "9", sequence: 5, saved: ("8", 5), defaultWins: false),
      Comparison(digest: "new", version: "9", sequence: 3, saved: ("8", 5), defaultWins: false),
      Comparison(digest: "new", version: "9", sequence: 3, environment: "test", saved: ("8", 5), defaultWins: true),
      Comparison(digest: "new", version: "9", saved: ("8", nil), defaultWins: true),
      Comparison(digest: "new", version: "10", saved: ("9", 5), defaultWins: true),
      Comparison(digest: "new", version: "8", saved: ("8", nil), defaultWins: false),
      Comparison(digest: "new", version: "0009", saved: ("10", nil), defaultWins: false),
      Comparison(
        digest: "new", version: "99999999999999999999999", saved: ("8", nil), defaultWins: true),
      Comparison(digest: "new", version: "9a", saved: ("8", nil), defaultWins: false),
      Comparison(digest: "new", version: "", saved: ("8", nil), defaultWins: false),
    ])
  func defaultAgainstSaved(row: Comparison) throws {
    let facts = DefaultFacts(
      digest: row.digest, version: row.version, environment: row.environment, sequence: row.sequence)
    let bytes = try Self.saved {
      $0.header.version = row.saved.version
      $0.header.sequence = row.saved.sequence
    }
    let failure = Self.failure(Self.judge(bytes, defaults: facts))
    #expect((failure?.0 == "noSavedContainer(olderThanDefault)") == row.defaultWins)
    #expect((failure?.1 == .savedOlderThanDefault) == row.defaultWins)
    #expect(failure?.removes != true)
    // TM-216: the reference's rule.
    #expect(Self.failure(Self.judge(bytes, defaults: facts, policy: .savedAlways)) == nil)
  }

  @Test("TM-442: a required signature is checked again at load")
  func signature() throws {
    let signature = [UInt8](repeating: 7, count: 64)
    let good = try #require(
      ContainerSignature(
        keyID: "k", base64: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBw=="))
    #expect(good.bytes == signature)
    let bytes = try Self.saved {
      $0.header.keyID = "k"
      $0.header.signature = good.base64
      $0.header.sequence = 3
    }
    let message = Array("tagworks-container-v1\nGTM-TEST\nlive\n3\n".utf8) + Self.json
    let policy = SignaturePolicy.required(["k": [1]])
    #expect(
      Self.failure(Self.judge(bytes, signature: policy, verifier: OneSignature(signature, message, key: [1]))) == nil)
    for verdict in [
      Self.judge(bytes, signature: policy, verifier: OneSignature(signature, message + [0], key: [1])),
      Self.judge(try Self.saved(), signature: policy, verifier: OneSignature(signature, message, key: [1])),
    ] {
      let failure = try #require(Self.failure(verdict))
      #expect(failure.0 == "ioError(signatureInvalid)")
      #expect(failure.1 == .signatureInvalid)
    }
  }
}

/// A verifier that knows one signature to be right.
struct OneSignature: SignatureVerifier {
  let signature: [UInt8]
  let message: [UInt8]
  let key: [UInt8]

  init(_ signature: [UInt8], _ message: [UInt8], key: [UInt8]) {
    self.signature = signature
    self.message = message
    self.key = key
  }

  func isValid(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
    signature == self.signature && message == self.message && publicKey == key
  }
}
