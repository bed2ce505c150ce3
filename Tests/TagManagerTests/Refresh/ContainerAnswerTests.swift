import Hits
import Testing

@testable import TagManager

@Suite("Answers of the container server")
struct ContainerAnswerTests {
  private static let json = Array(#"{"resource":{"version":"8","macros":[]}}"#.utf8)

  private static func answer(
    etag: String? = nil, isPreview: Bool = false, signature: SignaturePolicy = .off,
    verifier: (any SignatureVerifier)? = nil, lastSequence: Int64? = nil, limits: DecodeLimits = .standard
  ) -> ContainerAnswer {
    ContainerAnswer(
      decoder: PayloadDecoder(id: "GTM-X", installID: "i", limits: limits), environment: "live",
      server: .tagworks("https://tags.example.com/base"),
      signatures: SignatureCheck(policy: signature, verifier: verifier), lastSequence: lastSequence,
      plan: FetchPlan(etag: etag, isPreview: isPreview))
  }

  private static func words(_ result: FetchResult) -> String {
    switch result.outcome {
    case .fetched(let fetched): "fetched \(fetched.saved.header.form) \(fetched.content.container.version)"
    case .notChanged: "notChanged"
    case .failed(let failure, let retryAfter):
      "\(failure.reason)(\(failure.detail))" + (retryAfter.map { " \($0)" } ?? "")
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var status: Int
    var headers: HTTPHeaders = [:]
    var body: [UInt8] = []
    var etag: String?
    var outcome: String
    var level: LogLevel
    var testDescription: String { "\(status) \(outcome)" }
  }

  private static let wrapper = WireBuilder {
    $0.message(2) {
      $0.message(2) {
        $0.int(1, 1); $0.text(2, "x")
      }; $0.text(13, "4")
    }
    $0.text(3, "f4")
  }.bytes
  private static let bare = WireBuilder {
    $0.message(2) {
      $0.int(1, 1); $0.text(2, "x")
    }; $0.text(13, "5")
  }.bytes

  static let table: [Row] = [
    Row(
      status: 200, headers: ["Content-Type": "application/json"], body: json, outcome: "fetched json 8", level: .info),
    Row(status: 200, headers: ["Content-Type": "text/plain"], body: json, outcome: "fetched json 8", level: .info),
    Row(status: 200, body: Array("\n".utf8) + json, outcome: "fetched json 8", level: .info),
    Row(status: 200, body: wrapper, outcome: "fetched supplemented 4", level: .info),
    Row(status: 200, body: bare, outcome: "fetched binary 5", level: .info),
    Row(
      status: 200, headers: ["Content-Type": "application/x-protobuf"],
      body: WireBuilder { $0.text(3, "f") }.bytes, outcome: "notChanged", level: .verbose),
    Row(status: 304, etag: "e", outcome: "notChanged", level: .verbose),
    Row(status: 304, outcome: "serverError(invalid)", level: .warning),
    Row(
      status: 200, headers: ["Content-Type": "text/html; charset=utf-8"], body: json,
      outcome: "serverError(invalid(htmlDocument))", level: .error),
    Row(
      status: 200, body: Array("<html>log in</html>".utf8), outcome: "serverError(invalid(htmlDocument))", level: .error
    ),
    Row(
      status: 200, body: Array(#"{"exportFormatVersion":2,"containerVersion":{}}"#.utf8),
      outcome: "serverError(invalid(workspaceExport))", level: .error),
    Row(status: 200, body: Array(json.dropLast(5)), outcome: "serverError(invalid(malformedJSON))", level: .error),
    Row(status: 200, outcome: "serverError(invalid(emptyFile))", level: .error),
    Row(
      status: 200, body: Array(#"{"container":{"id":"GTM-Y"},"resource":{"macros":[]}}"#.utf8),
      outcome: "serverError(invalid(containerMismatch))", level: .error),
    Row(status: 204, outcome: "serverError(status(204))", level: .warning),
    Row(status: 302, outcome: "serverError(status(302))", level: .warning),
    Row(status: 400, outcome: "serverError(status(400))", level: .error),
    Row(status: 401, outcome: "serverError(forbidden)", level: .error),
    Row(status: 403, outcome: "serverError(forbidden)", level: .error),
    Row(status: 404, outcome: "serverError(notFound)", level: .error),
    Row(status: 410, outcome: "serverError(gone)", level: .error),
    Row(status: 429, headers: ["Retry-After": "7"], outcome: "serverError(throttled) 7000", level: .warning),
    Row(status: 500, outcome: "serverError(unavailable)", level: .warning),
    Row(status: 503, headers: ["Retry-After": "999999"], outcome: "serverError(unavailable) 86400000", level: .warning),
  ]

  @Test("C2, C6, C9, A5, B4, TM-422, TM-430: what each answer means, and how loud it is", arguments: table)
  func mapping(row: Row) {
    let result = Self.answer(etag: row.etag).read(
      HTTPResponse(status: row.status, headers: row.headers, body: row.body), at: 1)
    #expect(Self.words(result) == row.outcome)
    #expect(result.level == row.level)
  }

  @Test(
    "TM-313, TM-430: what each failure of the transport means",
    arguments: [
      (TransportError.Code.offline, "noNetwork(offline)"), (.dns, "networkError(dns)"), (.tls, "networkError(tls)"),
      (.timeout, "networkError(timeout)"), (.refused, "networkError(connection)"),
      (.connection, "networkError(connection)"), (.redirectRefused, "networkError(redirect)"),
      (.tooLarge, "serverError(tooLarge)"), (.cancelled, "unknownError(cancelled)"),
      (.invalidRequest, "unknownError(internal)"),
    ])
  func transport(code: TransportError.Code, outcome: String) {
    #expect(Self.words(Self.answer().read(TransportError(phase: .uncertain, code: code, message: ""))) == outcome)
  }

  @Test("G7, TM-430: the texts of 403 and 404, with the reason of a JSON answer cut at 200 characters")
  func texts() {
    let reason = String(repeating: "r", count: 300)
    let refused = Self.answer().read(HTTPResponse(status: 403, body: Array(#"{"reason":"\#(reason)"}"#.utf8)), at: 1)
    #expect(
      refused.message
        == "The server refuses container GTM-X to this app. Is it a container for apps, and is it published? "
        + String(repeating: "r", count: 200))
    let missing = Self.answer().read(HTTPResponse(status: 404), at: 1)
    #expect(missing.message == "No container GTM-X on tags.example.com. Check the container id.")
  }

  @Test("TM-430: names and values alone are installed, with nameOnlyContainer")
  func flat() {
    let result = Self.answer().read(HTTPResponse(status: 200, body: Array(#"{"a":1}"#.utf8)), at: 1)
    guard case .fetched(let fetched) = result.outcome else {
      Issue.record("not fetched")
      return
    }
    #expect(fetched.content.diagnostics.map(\.code) == [.nameOnlyContainer])
  }

  @Test("C4, TM-423: a body over the cap is tooLarge")
  func tooLarge() {
    var limits = DecodeLimits.standard
    limits.bytes = 10
    #expect(
      Self.words(Self.answer(limits: limits).read(HTTPResponse(status: 200, body: Self.json), at: 1))
        == "serverError(tooLarge)")
  }

  @Test("TM-421: facts of the headers fill what the body does not say; the body wins")
  func headers() throws {
    let headers: HTTPHeaders = [
      "ETag": "\"e\"", "Tagworks-Version": "9", "Tagworks-Sequence": "12", "Tagworks-Published": "1700000000000",
    ]
    func header(_ body: String) -> SavedContainer.Header? {
      let response = HTTPResponse(status: 200, headers: headers, body: Array(body.utf8))
      guard case .fetched(let fetched) = Self.answer().read(response, at: 5).outcome else { return nil }
      return fetched.saved.header
    }
    let plain = try #require(header(#"{"resource":{"macros":[]}}"#))
    #expect(plain.version == "9" && plain.sequence == 12 && plain.publishedAt == 1_700_000_000_000)
    #expect(plain.etag == "\"e\"" && plain.fetchedAt == 5 && plain.origin == "https://tags.example.com")
    let full = try #require(
      header(#"{"container":{"sequence":3,"publishedAt":4},"resource":{"version":"2","macros":[]}}"#))
    #expect(full.version == "2" && full.sequence == 3 && full.publishedAt == 4)
  }

  private static let signature = ContainerSignature(
    keyID: "k", base64: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBw==")
  private static let header = "v1;k;" + (signature?.base64 ?? "")

  private static func signed(
    _ header: String?, policy: SignaturePolicy, sequence: Int64 = 5, last: Int64? = nil
  ) -> (outcome: String, codes: [Diagnostic.Code]) {
    let message = Array("tagworks-container-v1\nGTM-X\nlive\n\(sequence)\n".utf8) + json
    let verifier = OneSignature(signature?.bytes ?? [], message, key: [1])
    var headers: HTTPHeaders = ["Tagworks-Sequence": "\(sequence)"]
    headers["Tagworks-Signature"] = header
    let result = answer(signature: policy, verifier: verifier, lastSequence: last)
      .read(HTTPResponse(status: 200, headers: headers, body: json), at: 1)
    guard case .fetched(let fetched) = result.outcome else { return (words(result), []) }
    return ("fetched", fetched.content.diagnostics.map(\.code))
  }

  @Test("C5, TM-440, TM-441: who is believed, by policy")
  func signatures() {
    let keys: [String: [UInt8]] = ["k": [1]]
    let other: [String: [UInt8]] = ["other": [1]]
    let wrong: [String: [UInt8]] = ["k": [2]]
    let refused = "serverError(signature)"
    let rows: [(String?, SignaturePolicy, String, [Diagnostic.Code])] = [
      (nil, .off, "fetched", []), ("nonsense", .off, "fetched", []),
      (nil, .preferred(keys), "fetched", [.signatureMissing]), (Self.header, .preferred(keys), "fetched", []),
      (Self.header, .preferred(wrong), refused, []), (Self.header, .preferred(other), "fetched", [.signatureMissing]),
      ("nonsense", .preferred(keys), refused, []), ("v2;k;AA", .preferred(keys), refused, []),
      (nil, .required(keys), refused, []), (Self.header, .required(keys), "fetched", []),
      (Self.header, .required(wrong), refused, []), (Self.header, .required(other), refused, []),
      ("v1;new;\(Self.signature?.base64 ?? ""), \(Self.header)", .required(keys), "fetched", []),
    ]
    for (header, policy, outcome, codes) in rows {
      let result = Self.signed(header, policy: policy)
      #expect(result.outcome == outcome, "\(String(describing: header)) \(policy)")
      #expect(result.codes == codes)
    }
  }

  @Test("C5, TM-441: a sequence lower than the last accepted one is refused, unless signatures are off")
  func sequence() {
    let keys: [String: [UInt8]] = ["k": [1]]
    #expect(Self.signed(Self.header, policy: .required(keys), last: 6).outcome == "serverError(signature)")
    #expect(Self.signed(Self.header, policy: .required(keys), last: 5).outcome == "fetched")
    #expect(Self.signed(nil, policy: .preferred(keys), last: 6).outcome == "serverError(signature)")
    #expect(Self.signed(nil, policy: .off, last: 6).outcome == "fetched")
  }

  @Test(
    "TM-440: the grammar of a signature header",
    arguments: [
      "v1;k", "v1;;\(String(repeating: "A", count: 86))==", "v1;a b;AA==", "v1;k;AA==", "v1;k;!", "",
      "v1;\(String(repeating: "k", count: 33));AA==",
    ])
  func grammar(text: String) {
    #expect(ContainerSignature.all(inHeader: text) == nil)
  }
}
