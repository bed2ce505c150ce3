import Foundation
import Hits
import TestSupport
import Testing

@testable import WebTags

@Suite struct PublishedSettingsTests {
  private static let offline = TransportError(phase: .notSent, code: .offline, message: "no network")

  @Test(
    "WT-201: one request brings page and settings; stored, they count before the network at the next start (peer bug 15)"
  )
  func stored() async throws {
    let storage = MemoryWebTagsStorage()
    let key = UUID().uuidString
    let first = InstanceBench(
      storage: storage,
      transport: ScriptedTransport { _ in
        InstanceBench.answer(InstanceBench.page(#"{"event_batch_size":"4"}"#), etag: "\"1\"")
      })
    let manager = try WebTagManager.newInstance(
      forKey: key, configuration: InstanceBench.configuration(), environment: first.environment)
    try await first.ready(manager)
    #expect(await manager.currentSettings.batchSize == 4 && first.transport.requests.count == 1)
    await WebTagManager.destroyInstance(forKey: key)
    let second = InstanceBench(storage: storage, transport: ScriptedTransport { _ in .hold })
    let next = try WebTagManager.newInstance(
      forKey: key, configuration: InstanceBench.configuration(), environment: second.environment)
    #expect(await next.currentSettings.batchSize == 4)
    await second.transport.waitForRequests(1)
    #expect(second.transport.requests[0].headers["If-None-Match"] == "\"1\"")
    await WebTagManager.destroyInstance(forKey: key)
  }

  @Test("WT-211: offline or with a failing server, the page that was kept is loaded, for 30 days")
  func cachedPage() async throws {
    for (days, isUsed) in [(29, true), (31, false)] {
      let storage = MemoryWebTagsStorage()
      let key = UUID().uuidString
      let first = InstanceBench(storage: storage)
      let manager = try WebTagManager.newInstance(
        forKey: key, configuration: InstanceBench.configuration(), environment: first.environment)
      try await first.ready(manager)
      await WebTagManager.destroyInstance(forKey: key)
      let second = InstanceBench(storage: storage, transport: ScriptedTransport([.hold]) { _ in .status(503) })
      second.clock.advance(by: .seconds(days * 86_400))
      let next = try WebTagManager.newInstance(
        forKey: key, configuration: InstanceBench.configuration(), environment: second.environment)
      let notices = second.notices(of: next)
      second.answerPage(.status(503))
      if isUsed {
        try await second.wait("the page's source") {
          notices.all(\.origin) == [.cache]
        }
      } else {
        try await second.wait("the failure") { await next.failure == .httpStatus }
        #expect(second.host?.loads.isEmpty == true)
      }
      await WebTagManager.destroyInstance(forKey: key)
    }
  }

  @Test(
    "WT-210: the page's answer must be HTML from an allowed host, and a refusal is final for the try",
    arguments: [
      (ScriptedTransport.Answer.response(HTTPResponse(status: 404)), PageFailure.Code.httpStatus),
      (.response(HTTPResponse(status: 204)), .httpStatus),
      (.response(HTTPResponse(status: 200, headers: ["Content-Type": "image/png"])), .badDocument),
      (.response(HTTPResponse(status: 200)), .badDocument),
      (.response(HTTPResponse(status: 302, headers: ["Location": "https://evil.example/"])), .blocked),
      (.response(HTTPResponse(status: 302, headers: ["Location": "http://tags.tiqcdn.com/x"])), .blocked),
      (.response(HTTPResponse(status: 302, headers: ["Location": "file:///etc/passwd"])), .blocked),
      (.response(HTTPResponse(status: 302)), .blocked),
      (.failure(TransportError(phase: .notSent, code: .tls, message: "untrusted")), .tls),
      (.failure(TransportError(phase: .notSent, code: .refused, message: "refused")), .loadFailed),
      (.failure(TransportError(phase: .uncertain, code: .tooLarge, message: "long")), .badDocument),
    ] as [(ScriptedTransport.Answer, PageFailure.Code)])
  func badAnswers(answer: ScriptedTransport.Answer, code: PageFailure.Code) async throws {
    let bench = InstanceBench(transport: ScriptedTransport { _ in answer })
    let manager = try bench.open()
    let event = manager.trackEvent(title: "e")
    try await bench.wait("the failure") { await manager.failure == code }
    #expect(bench.host?.loads.isEmpty == true && bench.deliveries.isEmpty)
    await bench.close()
    #expect(try await event.ended() == .carriedOver)
  }

  @Test("WT-210: redirects inside the allowed hosts are followed, five at most")
  func redirects() async throws {
    let bench = InstanceBench(
      transport: ScriptedTransport { request in
        guard let number = request.url.split(separator: "/").last.flatMap({ Int($0) }) else {
          return .response(HTTPResponse(status: 302, headers: ["Location": "/1"]))
        }
        if number == 5 { return InstanceBench.answer(InstanceBench.page()) }
        return .response(HTTPResponse(status: 307, headers: ["Location": "\(number + 1)"]))
      })
    let manager = try bench.open()
    try await bench.ready(manager)
    #expect(bench.transport.requests.count == 6)
    await bench.close()
    let endless = InstanceBench(
      transport: ScriptedTransport { _ in .response(HTTPResponse(status: 302, headers: ["Location": "/again"])) })
    let second = try endless.open()
    try await endless.wait("the failure") { await second.failure != nil }
    #expect(endless.transport.requests.count == 6)
    await endless.close()
  }

  @Test("WT-221: a captive portal changes nothing and takes no validator (peer bug 2)")
  func captivePortal() async throws {
    let portal = InstanceBench.answer(Array("<html>Log in</html>".utf8), etag: "\"portal\"")
    let bench = InstanceBench(
      transport: ScriptedTransport([
        InstanceBench.answer(InstanceBench.page(#"{"event_batch_size":"2"}"#), etag: "\"1\"")
      ]) {
        _ in portal
      })
    let manager = try bench.open()
    try await bench.ready(manager)
    await #expect(throws: WebTagsError.self) { try await manager.refreshSettings() }
    #expect(await manager.currentSettings.batchSize == 2)
    await #expect(throws: WebTagsError.self) { try await manager.refreshSettings() }
    #expect(bench.transport.requests.last?.headers["If-None-Match"] == "\"1\"")
    await bench.close()
  }

  @Test("WT-222: switched off, waiting and new events end, and the page closes; on again, all works (peer bug 32)")
  func switchedOff() async throws {
    let answers = Locked(InstanceBench.page())
    let switched = InstanceBench(transport: ScriptedTransport { _ in InstanceBench.answer(answers.withLock { $0 }) })
    let other = try switched.open()
    try await switched.ready(other)
    switched.connectivity.change(.offline)
    try await switched.closed(.offline, other)
    let held = other.trackEvent(title: "held")
    _ = await held.stored()
    switched.connectivity.change(.wifi)
    answers.withLock { $0 = InstanceBench.page(#"{"_is_enabled":"false"}"#) }
    _ = try await held.ended()
    try await other.refreshSettings()
    #expect(try await other.trackEvent(title: "new").ended() == .dropped(.libraryDisabled))
    #expect(await other.pageState == .idle(.disabled))
    answers.withLock { $0 = InstanceBench.page(#"{"enable_tag_management":"false"}"#) }
    try await other.refreshSettings()
    #expect(try await other.trackEvent(title: "new").ended() == .dropped(.tagManagementOff))
    answers.withLock { $0 = InstanceBench.page() }
    try await other.refreshSettings()
    #expect(try await other.trackEvent(title: "again").ended() == .delivered(confirmed: true))
    await switched.close()
  }

  @Test("WT-231: while settings are young no track asks for them; old ones are asked for once")
  func refresh() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    try await bench.ready(manager)
    _ = try await manager.trackEvent(title: "a").ended()
    await bench.settle(manager)
    #expect(bench.requests("mobile.html").count == 1)
    bench.clock.setWall(milliseconds: 1_800_000_000_000)
    bench.clock.advance(by: .seconds(901))
    _ = try await manager.trackEvent(title: "b").ended()
    _ = try await manager.trackEvent(title: "c").ended()
    try await bench.wait("the requests") { bench.requests("mobile.html").count == 2 }
    await bench.settle(manager)
    #expect(bench.requests("mobile.html").count == 2)
    #expect(bench.requests("mobile.html")[1].url == "https://tags.tiqcdn.com/utag/A/P/E/mobile.html")
    await bench.close()
  }

  @Test("WT-233: a page that changed is loaded again before the next event; settings alone do not do that")
  func changedPage() async throws {
    let answers = Locked(InstanceBench.page())
    let bench = InstanceBench(transport: ScriptedTransport { _ in InstanceBench.answer(answers.withLock { $0 }) })
    let manager = try bench.open()
    try await bench.ready(manager)
    answers.withLock { $0 = InstanceBench.page(#"{"battery_saver":"false"}"#) }
    let notices = bench.notices(of: manager)
    try await manager.refreshSettings()
    #expect(await manager.pageState == .ready)
    try await bench.wait("the change of the settings") {
      notices.all(\.settings).map { [$0.from.batterySaver, $0.to.batterySaver] } == [[true, false]]
    }
    answers.withLock { $0 = InstanceBench.page(#"{"battery_saver":"false"}"#, body: "<p>new</p>") }
    try await manager.refreshSettings()
    #expect(await manager.pageState == .stale(.pageChanged))
    _ = try await manager.trackEvent(title: "e").ended()
    #expect(bench.host?.loads.count == 2)
    await bench.close()
  }

  @Test("WT-130: an overridden page leaves the settings where they are (peer bug 33)")
  func overriddenPage() async throws {
    let bench = InstanceBench()
    let manager = try bench.open { $0.pageURL = URL(string: "https://own.example/p.html") }
    try await bench.ready(manager)
    try await bench.wait("the requests") { bench.transport.requests.count == 2 }
    #expect(bench.requests("https://own.example/p.html?").count == 1)
    #expect(bench.transport.requests.map(\.url).contains("https://tags.tiqcdn.com/utag/A/P/E/mobile.html"))
    await bench.close()
  }

  @Test("WT-202, WT-204: the engine fetches a direct page itself; a page made here needs no request")
  func modes() async throws {
    let direct = InstanceBench()
    let first = try direct.open { $0.pageMode = .direct }
    try await direct.ready(first)
    guard case .url(let url)? = direct.host?.loads.first?.source else {
      Issue.record("no URL was loaded")
      return
    }
    #expect(url.absoluteString.hasPrefix("https://tags.tiqcdn.com/utag/A/P/E/mobile.html?platform=linux"))
    await direct.close()
    let generated = InstanceBench()
    let second = try generated.open {
      $0.universalTag = .gtm("GTM-ABC1")
      $0.pageMode = .generated
    }
    try await generated.ready(second)
    #expect(generated.transport.requests.isEmpty)
    guard case .html(let html, let base)? = generated.host?.loads.first?.source else {
      Issue.record("no text was loaded")
      return
    }
    #expect(html.contains(#"src="https://www.googletagmanager.com/gtm.js?id=GTM-ABC1""#))
    #expect(base.absoluteString.hasPrefix("https://www.googletagmanager.com/?platform=linux"))
    await generated.close()
  }

  @Test(
    "WT-215: providers add to the URL; one that never answers is not waited for beyond 5 s, one that throws gives nothing"
  )
  func providers() async throws {
    struct Items: QueryParameterProvider {
      let items: [URLQueryItem]?
      var didAnswer: @Sendable () -> Void = {}
      func queryItems() async throws -> [URLQueryItem] {
        defer { didAnswer() }
        guard let items else { throw CancellationError() }
        return items
      }
    }
    struct Never: QueryParameterProvider {
      func queryItems() async throws -> [URLQueryItem] {
        for await _ in AsyncStream(Never.self, { _ in }) {}
        return []
      }
    }
    let bench = InstanceBench()
    let answered = Locked(false)
    let items = Items(items: [URLQueryItem(name: "z", value: "1")]) {
      answered.withLock { $0 = true }
      bench.changes.note()
    }
    let manager = try bench.open {
      $0.queryProviders = [items, Never(), Items(items: nil)]
    }
    try await bench.wait("the provider's answer") { answered.withLock { $0 } }
    try await bench.pass(.seconds(5))
    try await bench.ready(manager)
    #expect(bench.transport.requests.first?.url.hasSuffix("&z=1") == true)
    await bench.close()
  }

  @Test("WT-830: a page that is not what is pinned is not run; what was kept and is pinned is")
  func integrity() async throws {
    let good = InstanceBench.page()
    let page = try #require(URL(string: "https://tags.tiqcdn.com/utag/A/P/E/mobile.html"))
    let pin = try #require(IntegrityHash("sha256-" + Data(repeating: 7, count: 32).base64EncodedString()))
    let answers = Locked(good)
    let bench = InstanceBench(transport: ScriptedTransport { _ in InstanceBench.answer(answers.withLock { $0 }) })
    var environment = bench.environment
    environment.hash = { _, body in body == good ? Array(repeating: 7, count: 32) : [0] }
    let configuration = InstanceBench.configuration { $0.integrity.pins = [page: pin] }
    let manager = try WebTagManager.newInstance(
      forKey: bench.key, configuration: configuration, environment: environment)
    try await bench.ready(manager)
    answers.withLock { $0 = InstanceBench.page(body: "<script>evil()</script>") }
    await manager.reload()
    #expect(await manager.pageState == .ready && bench.host?.loads.count == 2)
    for load in bench.host?.loads ?? [] {
      guard case .html(let html, _) = load.source else { continue }
      #expect(!html.contains("evil"))
    }
    await bench.close(erase: true)
    let fresh = InstanceBench(transport: ScriptedTransport { _ in InstanceBench.answer(answers.withLock { $0 }) })
    var freshEnvironment = fresh.environment
    freshEnvironment.hash = environment.hash
    let second = try WebTagManager.newInstance(
      forKey: fresh.key, configuration: configuration, environment: freshEnvironment)
    try await fresh.wait("the failure") { await second.failure == .integrity }
    #expect(fresh.host?.loads.isEmpty == true)
    await fresh.close()
  }

  @Test("WT-708: cookies of the native answer go into the page's jar for its own host alone")
  func cookies() throws {
    let url = try #require(URL(string: "https://a.example/p"))
    var response = HTTPResponse(status: 200)
    for text in [
      "s=1; Path=/; HttpOnly; SameSite=Lax", "m=2; Max-Age=60; Secure", "e=3; Expires=Wed, 21 Oct 2099 07:28:00 GMT",
      "x=4; Domain=example", "y=5; Domain=.A.example", "z=6; Domain=b.example", "=7", "noequals", "",
    ] { response.headers.add(text, for: "Set-Cookie") }
    let now = Date(timeIntervalSince1970: 1_000)
    let cookies = WebCookie.cookies(set: response, for: url, now: now)
    #expect(
      cookies == [
        WebCookie(name: "s", value: "1", domain: "a.example", httpOnly: true, sameSite: .lax),
        WebCookie(name: "m", value: "2", domain: "a.example", expires: now.addingTimeInterval(60), secure: true),
        WebCookie(name: "e", value: "3", domain: "a.example", expires: Date(timeIntervalSince1970: 4_096_250_880)),
        WebCookie(name: "y", value: "5", domain: ".a.example"),
      ])
  }
}

extension WebTagManager {
  /// Why the page failed, while it has.
  fileprivate var failure: PageFailure.Code? {
    if case .failed(let failure, _) = pageState { failure.code } else { nil }
  }
}
