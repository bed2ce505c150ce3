import Hits
import TestSupport
import Testing

@testable import VideoAds

@Suite struct AdFetcherTests {
  private static func request(
    _ url: String, role: AdFetch.Role = .first, base: String? = nil, _ change: (inout MacroFacts) -> Void = { _ in }
  ) throws -> HTTPRequest {
    var facts = MacroExpansionTests.facts
    facts.request.correlator = "1234567890123456"
    change(&facts)
    let fetch = AdFetch(url: url, base: base, role: role)
    return try AdFetcher(facts: facts, userAgent: "Tagworks/1").request(for: fetch, random: SeededRandomSource(seed: 1))
  }

  @Test("VA-205, VA-206, VA-213, VA-214: a request states its headers, time, size and redirects")
  func bounds() throws {
    let first = try Self.request("https://a.test/x") { $0.request.headers = ["X-Key": "1"] }
    #expect(first.method == "GET" && first.body.isEmpty)
    #expect(first.headers["Accept"] == "application/xml, text/xml, */*;q=0.5")
    #expect(first.headers["Accept-Language"] == "en" && first.headers["User-Agent"] == "Tagworks/1")
    #expect(first.headers["X-Key"] == "1" && first.headers["Cookie"] == nil && first.headers["Referer"] == nil)
    #expect(first.timeout == .seconds(8) && first.responseLimit == 8 << 20 && first.redirects == .follow(5))
    let further = try Self.request("https://a.test/x", role: .further) {
      $0.request.headers = ["X-Key": "1"]
      $0.settings.userAgent = "TV"
    }
    #expect(further.timeout == .seconds(4) && further.responseLimit == 2 << 20)
    #expect(further.headers["X-Key"] == nil && further.headers["User-Agent"] == "TV")
  }

  @Test(
    "VA-214: one timeout replaces both, and what is none does not",
    arguments: [(250.0, 250), (0, 8_000), (-1, 8_000), (.nan, 8_000), (.infinity, 8_000)] as [(Double, Int64)])
  func timeouts(_ timeout: Double, _ expected: Int64) throws {
    #expect(
      try Self.request("https://a.test/") { $0.request.vastLoadTimeout = timeout }.timeout == .milliseconds(expected))
  }

  @Test("VA-203, VA-208: macros are expanded, and http becomes https when asked")
  func urls() throws {
    #expect(try Self.request("http://a.test/?a=[ADTYPE]&b=[FOO]").url == "http://a.test/?a=video&b=%5BFOO%5D")
    #expect(try Self.request("http://a.test/") { $0.settings.upgradeToHTTPS = true }.url == "https://a.test/")
    #expect(try Self.request("next.xml", base: "https://a.test/b/c.xml").url == "https://a.test/b/next.xml")
    #expect(throws: AdURL.Refusal.scheme) { try Self.request("file:///etc/passwd") }
  }

  @Test("VA-204, VA-1701: a GAM tag gets its correlator and, when allowed, what it lacks; other tags nothing")
  func gamTags() throws {
    let tag = "https://pubads.g.doubleclick.net/gampad/ads?sz=640x480&iu=%2F1%2Fx&correlator="
    let plain = try Self.request(tag) { $0.settings.decorateGAMTags = false }
    #expect(plain.url == tag + "1234567890123456")
    let decorated = try Self.request(tag) {
      $0.request.content = ContentInfo()
      $0.request.content?.duration = 61.5
      $0.request.continuousPlayback = false
    }
    #expect(decorated.url == tag + "1234567890123456&vpa=auto&vpmute=1&vconp=1&vid_d=61&hl=en")
    let given = "https://ad.doubleclick.net/gampad/ads?hl=de&vpa=click&vpmute=0&correlator=7"
    #expect(try Self.request(given).url == given)
    let missing = "https://doubleclick.net/gampad/ads"
    #expect(
      try Self.request(missing) { $0.settings.decorateGAMTags = false }.url == missing + "?correlator=1234567890123456")
    for other in [
      "https://notdoubleclick.net/gampad/ads?correlator=", "https://doubleclick.net/x?correlator=",
      "https://a.test/?correlator=",
    ] {
      #expect(try Self.request(other).url == other)
    }
  }

  @Test("VA-1201, VA-1204: consent goes to GAM tags, ids only when permitted")
  func consent() throws {
    let tag = "https://doubleclick.net/gampad/ads?correlator=1&vpa=0&vpmute=0&hl=en"
    let id = String(repeating: "p", count: 32)
    func url(_ change: (inout PrivacySignals) -> Void) throws -> String {
      try Self.request(tag) {
        $0.settings.ppid = id
        change(&$0.privacy)
      }.url
    }
    #expect(try url { _ in } == tag)
    #expect(try url { $0.isTrackingAuthorized = true } == tag + "&ppid=\(id)&sid=s")
    #expect(
      try url {
        $0.tcf = PrivacySignals.TCF(gdprApplies: true, tcString: "T")
        $0.gpp = PrivacySignals.GPP(string: "G", sectionIDs: [7])
        $0.usPrivacy = "1YNN"
        $0.coppa = true
      } == tag + "&gdpr=1&gdpr_consent=T&gpp=G&gpp_sid=7&us_privacy=1YNN&tfcd=1&npa=1")
  }

  @Test("VA-105: a ppid has 32 to 150 characters of its set")
  func ppid() {
    var settings = AdsSettings(sessionID: "s")
    for (id, isUsable) in [
      (String(repeating: "a", count: 31), false), (String(repeating: "a", count: 32), true),
      (String(repeating: "aZ0-_.:9", count: 18), true), (String(repeating: "a", count: 151), false),
      (String(repeating: "é", count: 20), false), (String(repeating: " ", count: 40), false),
    ] {
      settings.ppid = id
      #expect((settings.usablePPID != nil) == isUsable, "\(id)")
    }
  }

  @Test("VA-209: any 2xx with a body is read, without one there is no ad, other statuses fail")
  func answers() {
    func outcome(_ status: Int, _ body: String, type: String = "text/html") -> FetchOutcome {
      AdFetcher.document(
        of: HTTPResponse(status: status, headers: ["Content-Type": type], body: Array(body.utf8), url: "u"))
    }
    guard case .document(let result, "u") = outcome(201, "<VAST version='2.0'/>") else { return #expect(Bool(false)) }
    #expect(result.content == .vast(VAST.Document(version: "2.0")))
    #expect(outcome(204, "") == .empty)
    #expect(outcome(200, " \r\n\t") == .empty)
    #expect(outcome(304, "<VAST/>") == .failed(.status(304)))
    #expect(outcome(404, "<VAST/>") == .failed(.status(404)))
    guard
      case .document(let latin, _) = AdFetcher.document(
        of: HTTPResponse(
          status: 200, headers: ["content-type": "text/xml; Charset=\"ISO-8859-1\""],
          body: Array("<VAST version='2.0'><Error>".utf8) + [0xE9] + Array("</Error></VAST>".utf8))),
      case .vast(let document) = latin.content
    else { return #expect(Bool(false)) }
    #expect(document.errors == ["é"])
  }

  @Test("VA-213: a document that is no playlist may have 2 MiB")
  func sizes() {
    let filler = String(repeating: " ", count: 2 << 20)
    func outcome(_ body: String) -> FetchOutcome {
      AdFetcher.document(of: HTTPResponse(status: 200, body: Array(body.utf8)))
    }
    #expect(outcome("<VAST version='2.0'>\(filler)</VAST>") == .failed(.tooLarge))
    guard case .document = outcome("<VMAP version='1.0'>\(filler)</VMAP>") else { return #expect(Bool(false)) }
  }

  @Test(
    "VA-415, VA-206: each failure has its code for wrappers, breaks and the first request",
    arguments: [
      (.timedOut, 301, 1_007, "requestTimedOut"), (.unreachable, 301, 1_008, "requestFailed"),
      (.status(404), 301, 1_008, "requestFailed"), (.status(410), 301, 1_008, "requestFailed"),
      (.status(503), 301, 1_008, "requestFailed"), (.status(403), 300, 1_008, "requestFailed"),
      (.status(301), 300, 1_008, "requestFailed"), (.tooLarge, 100, 1_002, "malformedResponse"),
      (.redirected("a circle"), 301, 1_008, "requestFailed"), (.undecodable, 301, 1_008, "requestFailed"),
      (.refused(.scheme), 301, 1_008, "invalidAdTagURL"), (.refused(.blank), 301, 1_008, "invalidArguments"),
    ] as [(FetchFailure, Int, Int, String)])
  func failures(_ failure: FetchFailure, _ wrapper: Int, _ adBreak: Int, _ first: String) {
    #expect(failure.wrapperCode.rawValue == wrapper)
    #expect(failure.breakCode.rawValue == adBreak)
    let error = failure.firstError(url: "https://user:secret@a.test/x?key=1#f")
    #expect(error.code.rawValue == first)
    #expect(error.url == nil || error.url == "https://a.test/x")
  }

  @Test("VA-206: transport errors become failures")
  func transportErrors() {
    func failure(_ code: TransportError.Code) -> FetchFailure {
      FetchFailure(TransportError(phase: .uncertain, code: code, message: ""))
    }
    #expect(failure(.timeout) == .timedOut && failure(.tooLarge) == .tooLarge && failure(.cancelled) == .cancelled)
    for code in [TransportError.Code.dns, .refused, .tls, .offline] {
      #expect(failure(code) == .unreachable)
    }
    #expect(failure(.redirectRefused) == .redirected("") && failure(.encoding) == .undecodable)
  }

  @Test("VA-206, VA-207, VA-415: a redirect to what is no http or https URL is refused, whoever found that out")
  func scriptRedirect() async throws {
    for (status, location, name) in [
      (302, "javascript:alert(1)", "redirectRefused"), (307, "data:text/xml,<VAST/>", "redirectRefused"),
      (302, nil, "status"), (304, "javascript:alert(1)", "status"),
    ] as [(Int, String?, String)] {
      var headers = HTTPHeaders()
      headers["Location"] = location
      let answer = HTTPResponse(status: status, headers: headers, body: Array("<VAST version='2.0'/>".utf8))
      let fixture = await AdsFixture(change: { $0.transport = ScriptedTransport { _ in .response(answer) } })
      let source = await AdDocumentSource(fixture.environment)
      let fetch = AdFetch(url: "https://t.test/", base: nil, role: .further, hop: 1)
      guard case .failed(let failure) = await source.fetch(fetch, facts: MacroExpansionTests.facts) else {
        Issue.record("\(status) gives a document")
        continue
      }
      #expect(source.records.map(\.error) == [name])
      #expect(failure.wrapperCode == (name == "status" ? .wrapperFailed : .wrapperUnavailable))
    }
  }

  @Test("VA-1300: circles, too many redirects and unknown encodings say what they are")
  func failureTexts() {
    func message(_ code: TransportError.Code, _ reason: String) -> String {
      FetchFailure(TransportError(phase: .uncertain, code: code, message: reason)).firstError(url: nil).message
    }
    let circle = "The ad request's redirect is not followed: redirects in a circle."
    #expect(message(.redirectRefused, "redirects in a circle") == circle)
    #expect(message(.redirectRefused, "more than 5 redirects").hasSuffix("more than 5 redirects."))
    #expect(message(.encoding, "x") == "The ad response is in a content encoding that cannot be read.")
    #expect(message(.dns, "x") == "The ad request got no answer.")
  }

  @Test("VA-209, VA-213, VA-440, VA-1401: a document that the app has is bounded and may be empty, as an answer may")
  func ownDocuments() {
    let filler = String(repeating: " ", count: 2 << 20)
    let playlist = String(repeating: " ", count: 8 << 20)
    for (text, failure) in [
      ("<VAST version='2.0'>\(filler)</VAST>", FetchFailure.tooLarge), ("<VMAP version='1.0'>\(filler)</VMAP>", nil),
      ("<VMAP version='1.0'>\(playlist)</VMAP>", .tooLarge),
    ] as [(String, FetchFailure?)] {
      for outcome in [AdFetcher.document(Array(text.utf8), url: nil), AdFetcher.document(text: text, url: nil)] {
        if case .failed(let found) = outcome { #expect(found == failure) } else { #expect(failure == nil) }
      }
    }
    #expect(AdFetcher.document([], url: nil) == .empty && AdFetcher.document(Array(" \n".utf8), url: nil) == .empty)
  }

  @Test("VA-213: an answer that is too long is recorded as that, not by its status")
  func tooLargeRecord() async throws {
    let body = Array("<VAST version='2.0'>\(String(repeating: " ", count: 2 << 20))</VAST>".utf8)
    let transport = ScriptedTransport { request in
      .response(HTTPResponse(status: 200, body: body, url: request.url))
    }
    let fixture = await AdsFixture(change: { $0.transport = transport })
    let source = await AdDocumentSource(fixture.environment)
    let outcome = await source.fetch(
      AdFetch(url: "https://t.test/", base: nil, role: .first), facts: MacroExpansionTests.facts)
    #expect(outcome == .failed(.tooLarge))
    #expect(source.records.map(\.error) == ["tooLarge"] && source.records.map(\.status) == [200])
  }
}
