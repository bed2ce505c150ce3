import Hits
import TestSupport
import Testing

@testable import VideoAds

@Suite @MainActor struct AdsLoaderTests {
  typealias M = Markup

  @MainActor
  private final class LoaderListener: AdsLoaderDelegate {
    var log: [String] = []
    var manager: AdsManager?
    var contexts: [String] = []

    func adsLoader(_ loader: AdsLoader, adsLoadedWith data: AdsLoadedData) {
      log.append("loaded")
      contexts.append(data.userContext as? String ?? "")
      manager = data.adsManager
    }

    func adsLoader(_ loader: AdsLoader, failedWith data: AdLoadingErrorData) {
      log.append("failed \(data.adError.code.rawValue)")
      contexts.append(data.userContext as? String ?? "")
    }
  }

  private static func code(_ fixture: AdsFixture, _ request: AdsRequest) async -> String? {
    do throws(AdError) {
      _ = try await fixture.loader.load(request)
      return nil
    } catch {
      return "\(error.kind.rawValue) \(error.code.rawValue) \(error.imaCode)"
    }
  }

  @Test("VA-100, VA-107, case 45: one loader serves request after request, and several at once")
  func reuse() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a")), "b": M.vast(M.full("b"))])
    let first = try await fixture.start("a")
    await fixture.run(first, seconds: 11)
    #expect(fixture.listener.log.last == "allAdsCompleted")
    async let b = fixture.loader.load(fixture.request("b"))
    async let a = fixture.loader.load(fixture.request("a"))
    let managers = try await [a, b]
    #expect(managers.count == 2)
  }

  @Test("VA-101: a request without a source, or with an empty one, fails as invalidArguments, not with a trap")
  func noSource() async {
    let fixture = AdsFixture()
    #expect(await Self.code(fixture, AdsRequest(adTagURL: "")) == "loading invalidArguments 1101")
    #expect(await Self.code(fixture, AdsRequest(adsResponse: " \n")) == "loading invalidArguments 1101")
    #expect(
      await Self.code(fixture, AdsRequest(schedule: AdSchedule.Builder().build())) == "loading invalidArguments 1101")
    #expect(fixture.transport.requests.isEmpty)
  }

  @Test("VA-102, case 46: a canned response is read without a fetch; what is relative in it is 301 without a base")
  func inlineResponse() async throws {
    let fixture = AdsFixture(["x/next": M.vast(M.full("n"))])
    _ = try await fixture.loader.load(AdsRequest(adsResponse: M.vast(M.full("a"))))
    #expect(fixture.transport.requests.isEmpty)
    let wrapper = M.vast(M.wrapper("w", to: "next"))
    #expect(await Self.code(fixture, AdsRequest(adsResponse: wrapper)) == "loading wrapperUnavailable 301")
    let manager = try await fixture.loader.load(AdsRequest(adsResponse: wrapper, baseURL: "https://t.test/x/y"))
    #expect(fixture.transport.requests.map(\.url) == ["https://t.test/x/next"])
    #expect(manager.adCuePoints == [], "VA-520")
  }

  @Test(
    "VA-114: only when nothing can play does a request fail, with the code of its cause",
    arguments: [
      ("missing", "loading requestFailed 1005"), ("text", "loading malformedResponse 100"),
      ("empty", "loading noAds 1009"), ("html", "loading invalidStructure 100"),
      ("old", "loading unsupportedVersion 100"),
      ("noBreaks", "loading noAds 1009"), ("emptyBreak", nil),
    ])
  func failures(name: String, expected: String?) async {
    let fixture = AdsFixture([
      "text": "no ads today", "empty": "<VAST version='4.0'><Error>https://t.test/none-[ERRORCODE]</Error></VAST>",
      "html": "<html></html>", "old": "<VideoAdServingTemplate/>", "noBreaks": M.vmap(),
      "emptyBreak": M.vmap(M.adBreak("start", "empty")),
    ])
    #expect(await Self.code(fixture, fixture.request(name)) == expected)
    #expect(fixture.beacons == (name == "empty" ? ["none-303"] : []), "VA-440")
  }

  @Test(
    "VA-207, TW 3: an ad tag of another scheme is refused without any access",
    arguments: [
      "file:///etc/passwd", "javascript:alert(1)", "data:text/xml,<VAST/>", "ftp://t.test/x", "blob:x",
    ])
  func schemes(url: String) async {
    let fixture = AdsFixture()
    #expect(await Self.code(fixture, AdsRequest(adTagURL: url)) == "loading invalidAdTagURL 303")
    #expect(fixture.transport.requests.isEmpty)
  }

  @Test("VA-108: two live managers cannot share a container; after destroy it is free")
  func containers() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a"))])
    let container = AdDisplayContainer.headless(size: AdSize(width: 640, height: 360))
    let first = try await fixture.loader.load(fixture.request("a", container: container))
    #expect(await Self.code(fixture, fixture.request("a", container: container)) == "loading apiMisuse 1102")
    first.destroy()
    #expect(await Self.code(fixture, fixture.request("a", container: container)) == nil)
  }

  @Test("VA-109: a cancelled request sends no beacon and makes no call; load throws cancelled")
  func cancellation() async throws {
    let fixture = AdsFixture()
    let transport = ScriptedTransport { _ in .hold }
    fixture.environment.transport = transport
    let loader = AdsLoader(environment: fixture.environment)
    let listener = LoaderListener()
    loader.delegate = listener
    let handle = loader.requestAds(with: fixture.request("a"))
    await transport.waitForRequests(1)
    handle.cancel()
    await handle.task?.value
    #expect(listener.log.isEmpty && fixture.beacons.isEmpty)
    let task = Task { () -> String in
      do throws(AdError) {
        _ = try await loader.load(fixture.request("b"))
        return "loaded"
      } catch {
        return error.code.rawValue
      }
    }
    await transport.waitForRequests(2)
    task.cancel()
    #expect(await task.value == "cancelled")
    var released: AdsLoader? = AdsLoader(environment: fixture.environment)
    released?.delegate = listener
    let last = released?.requestAds(with: fixture.request("c"))
    await transport.waitForRequests(3)
    released = nil
    await last?.task?.value
    #expect(listener.log.isEmpty)
  }

  @Test("VA-112, VA-103: the delegate hears once, not from inside requestAds, with the request's context")
  func delegateForm() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a"))])
    let listener = LoaderListener()
    fixture.loader.delegate = listener
    var request = fixture.request("a")
    request.userContext = "first"
    let handle = fixture.loader.requestAds(with: request)
    #expect(listener.log.isEmpty)
    await handle.task?.value
    request = fixture.request("missing")
    request.userContext = "second"
    await fixture.loader.requestAds(with: request).task?.value
    #expect(listener.log == ["loaded", "failed requestFailed"] && listener.contexts == ["first", "second"])
  }

  @Test("VA-115: a document's chain is resolved before it is loaded; of a playlist only the playlist is read")
  func whatIsFetched() async throws {
    let fixture = AdsFixture([
      "w": M.vast(M.wrapper("w", to: "https://t.test/a")), "a": M.vast(M.full("a")),
      "m": M.vmap(M.adBreak("start", "a"), M.adBreak("00:01:00", "a")),
    ])
    _ = try await fixture.loader.load(fixture.request("w"))
    #expect(fixture.transport.requests.map(\.url) == ["https://t.test/w", "https://t.test/a"])
    let manager = try await fixture.loader.load(fixture.request("m"))
    #expect(fixture.transport.requests.count == 3 && manager.adCuePoints == [0, 60])
    manager.initialize()
    await manager.settle()
    #expect(fixture.transport.requests.count == 4, "the pre-roll alone is due")
  }

  @Test("VA-104, VA-105, VA-106: settings are copied; a bad ppid and unknown features are diagnostics")
  func settings() async throws {
    var settings = AdsSettings(sessionID: "s")
    settings.ppid = "short"
    settings.features = ["teleport": true]
    let fixture = AdsFixture(["a": M.vast(M.full("a"))], settings: settings)
    settings.language = "he"
    let manager = try await fixture.loader.load(fixture.request("a"))
    #expect(fixture.loader.settings.language == "en")
    #expect(manager.diagnostics.map(\.code).prefix(2) == ["settings.ppid", "settings.feature"])
  }

  @Test("VA-1701: two requests of the seed's tag send two correlators")
  func correlators() async throws {
    let fixture = AdsFixture()
    let tag = "https://pubads.g.doubleclick.net/gampad/ads?iu=/1/x&output=vast&correlator="
    for _ in 0..<2 { _ = await Self.code(fixture, AdsRequest(adTagURL: tag)) }
    let urls = fixture.transport.requests.map(\.url)
    #expect(urls.count == 2 && urls[0] != urls[1])
    #expect(
      urls.allSatisfy { $0.hasPrefix("https://pubads.g.doubleclick.net/gampad/ads?iu=/1/x&output=vast&correlator=") })
  }

  @Test("VA-205: under .session a cookie comes back to its server in a later fetch, under .none never")
  func cookies() async throws {
    for mode in [AdsSettings.Cookies.none, .session] {
      var settings = AdsSettings(sessionID: "s")
      settings.cookies = mode
      let fixture = AdsFixture(settings: settings)
      let transport = ScriptedTransport { request in
        let text = request.url.hasSuffix("w") ? M.vast(M.wrapper("w", to: "https://t.test/a")) : M.vast(M.full("a"))
        return .response(
          HTTPResponse(status: 200, headers: ["Set-Cookie": "id=7; Path=/"], body: Array(text.utf8), url: request.url))
      }
      fixture.environment.transport = transport
      let cookie = mode == .session ? "id=7" : nil
      let loader = AdsLoader(settings: settings, environment: fixture.environment)
      _ = try await loader.load(fixture.request("w"))
      #expect(transport.requests.map { $0.headers["Cookie"] } == [nil, cookie])
      _ = try await loader.load(fixture.request("a"))
      #expect(transport.requests.last?.headers["Cookie"] == cookie, "the jar is the loader's")
      _ = try await AdsLoader(settings: settings, environment: fixture.environment).load(fixture.request("a"))
      #expect(transport.requests.last?.headers["Cookie"] == nil, "and no other's")
    }
  }

  @Test("VA-213: the documents of one request together have a bound")
  func totalBytes() async throws {
    let fixture = AdsFixture()
    let blank = [UInt8](repeating: UInt8(ascii: " "), count: 7 << 20)
    let transport = ScriptedTransport { .response(HTTPResponse(status: 200, body: blank, url: $0.url)) }
    fixture.environment.transport = transport
    let source = AdDocumentSource(fixture.environment)
    let facts = RequestContext(
      settings: fixture.loader.settings, environment: fixture.environment, request: fixture.request("a")
    ).facts()
    var outcomes: [Bool] = []
    for _ in 0..<6 {
      let outcome = await source.fetch(AdFetch(url: "https://t.test/m", role: .first), facts: facts)
      outcomes.append(outcome != .failed(.tooLarge))
    }
    #expect(outcomes == [true, true, true, true, true, false])
    #expect(source.records.count == 6 && source.records.last?.error == "tooLarge")
  }

  @Test("VA-213: fetches side by side do not exceed the bound together: who finds no room waits, and gets what is left")
  func parallelBytes() async throws {
    let fixture = AdsFixture()
    let facts = RequestContext(
      settings: fixture.loader.settings, environment: fixture.environment, request: fixture.request("a")
    ).facts()
    for (size, count) in [(2 << 20, 16), (1, 24)] {
      let transport = ScriptedTransport { _ in .hold }
      fixture.environment.transport = transport
      let source = AdDocumentSource(fixture.environment)
      async let outcomes = withTaskGroup(of: FetchOutcome.self) { group in
        for _ in 0..<24 {
          group.addTask { await source.fetch(AdFetch(url: "https://t.test/m", role: .further), facts: facts) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let answer = ScriptedTransport.Answer.response(
        HTTPResponse(status: 404, body: [UInt8](repeating: 32, count: size)))
      for number in 1...count {
        await transport.waitForRequests(number)
        transport.answerNext(answer)
      }
      // For requests that ought not to be there.
      for _ in count..<24 { transport.answerNext(answer) }
      let found = await outcomes
      #expect(transport.requests.count == count && transport.requests.allSatisfy { $0.responseLimit == 2 << 20 })
      #expect(found.count { $0 == .failed(.status(404)) } == count)
      #expect(found.count { $0 == .failed(.tooLarge) } == 24 - count)
    }
  }

  @Test("VA-213: what was too long counts with its bound, what broke off otherwise does not")
  func failedBytes() async throws {
    for (code, count) in [(TransportError.Code.tooLarge, 4), (.timeout, 6)] {
      let fixture = AdsFixture()
      let transport = ScriptedTransport { _ in .failure(TransportError(phase: .uncertain, code: code, message: "")) }
      fixture.environment.transport = transport
      let source = AdDocumentSource(fixture.environment)
      let facts = RequestContext(
        settings: fixture.loader.settings, environment: fixture.environment, request: fixture.request("a")
      ).facts()
      for _ in 0..<6 { _ = await source.fetch(AdFetch(url: "https://t.test/m", role: .first), facts: facts) }
      #expect(transport.requests.count == count)
    }
  }

  @Test("VA-214: wrappers that do not come in 15 s are given up, and what is there plays")
  func timeCap() async throws {
    let fixture = AdsFixture()
    let document = M.vast(M.full("a", sequence: 1), M.wrapper("w", to: "https://t.test/late", sequence: 2))
    let transport = ScriptedTransport { _ in .hold }
    fixture.environment.transport = transport
    let loader = AdsLoader(environment: fixture.environment)
    let loading = Task { try await loader.load(AdsRequest(adsResponse: document)) }
    await transport.waitForRequests(1)
    fixture.clock.advance(by: 15)
    let manager = try await loading.value
    manager.initialize()
    #expect(manager.schedule.breaks.first?.ads.count == 1)
  }

  @Test("VA-807, VA-330: error URLs that are refused before anything plays stand in the error's diagnostics")
  func refusedErrors() async {
    let fixture = AdsFixture([
      "x": "<VAST version='3.0'><Error>file:///etc/passwd</Error><Error>https://t.test/e</Error></VAST>"
    ])
    var records: [PlayRecord] = []
    do throws(AdError) {
      _ = try await fixture.loader.load(fixture.request("x")) { records.append($0) }
      Issue.record("There is no ad.")
    } catch {
      #expect(error.diagnostics.map(\.code) == ["tracking.refused"])
    }
    #expect(fixture.beacons == ["e"])
    #expect(records.map(\.kind) == [.error, .beacon] && records.map(\.code) == [303, 303])
    #expect(records.first?.name == "tracking.refused: error, its scheme is neither http nor https")
  }

  @Test("VA-209, VA-440, VA-213: a document's bytes count as an answer: empty is no ad, too long is malformed")
  func ownDocument() async {
    let fixture = AdsFixture()
    #expect(await Self.code(fixture, AdsRequest(document: [])) == "loading noAds 1009")
    let long = "<VAST version='2.0'>\(String(repeating: " ", count: 2 << 20))</VAST>"
    #expect(await Self.code(fixture, AdsRequest(document: Array(long.utf8))) == "loading malformedResponse 100")
    #expect(await Self.code(fixture, AdsRequest(adsResponse: long)) == "loading malformedResponse 100")
  }

  @Test("VA-413: an ad tag that answers with a wrapper around itself is asked for once")
  func loop() async {
    let fixture = AdsFixture(["x": M.vast(M.wrapper("w", to: "https://t.test/x"))])
    #expect(await Self.code(fixture, fixture.request("x")) == "loading tooManyRedirects 302")
    #expect(fixture.transport.requests.count == 1)
  }
}
