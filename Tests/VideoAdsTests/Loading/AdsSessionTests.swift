import Hits
import TestSupport
import Testing

@testable import VideoAds

/// Whole sessions, from the request to the last beacon, by what reaches the ports.
@Suite @MainActor struct AdsSessionTests {
  typealias M = Markup

  private static let verification =
    "<AdVerifications><Verification vendor='v'><JavaScriptResource apiFramework='omid'>https://v.test/v.js"
    + "</JavaScriptResource></Verification></AdVerifications>"

  @Test("VA-118: making a loader asks no port for anything; a page is made only for an ad with verifications")
  func setUp() async throws {
    let pages = RecordingPages()
    let fixture = AdsFixture(
      ["plain": M.vast(M.full("a")), "verified": M.vast(M.full("b", Self.verification))],
      change: { $0.verification = pages })
    #expect(fixture.transport.requests.isEmpty && fixture.players.players.isEmpty && fixture.clock.nextTime == nil)
    let plain = try await fixture.start("plain")
    await fixture.run(plain, seconds: 11)
    #expect(pages.reports.count == 0)
    let verified = try await fixture.start("verified")
    await fixture.run(verified, seconds: 11)
    #expect(pages.reports.count == 1)
  }

  @Test("VA-907: a page that never answers changes nothing of what plays, nor when")
  func silentPage() async throws {
    func log(_ pages: RecordingPages?) async throws -> ([String], Double) {
      let fixture = AdsFixture(["a": M.vast(M.full("a", Self.verification))], change: { $0.verification = pages })
      let manager = try await fixture.start("a")
      fixture.clock.advance(by: 0)
      let position = manager.playbackInfo.isPlaying ? 0.0 : -1
      await fixture.run(manager, seconds: 12)
      return (fixture.listener.log, position)
    }
    let (with, first) = try await log(RecordingPages())
    let (without, second) = try await log(nil)
    #expect(with == without && first == 0 && second == 0)
  }

  @Test("VA-1206: requests go to the hosts of the documents alone, with the headers of VA-205 and nothing else")
  func nothingElse() async throws {
    let fixture = AdsFixture(["w": M.vast(M.wrapper("w", to: "https://t.test/a")), "a": M.vast(M.full("a"))])
    let manager = try await fixture.start("w")
    await fixture.run(manager, seconds: 12)
    #expect(fixture.transport.requests.map(\.url) == ["https://t.test/w", "https://t.test/a"])
    for request in fixture.transport.requests {
      #expect(Set(request.headers.map(\.name)) == ["Accept", "Accept-Language", "User-Agent"] && request.body.isEmpty)
    }
    let events = ["imp", "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
    #expect(fixture.beacons == events.map { "a-\($0)" })
  }

  @Test("VA-216: no entity, schema, stylesheet or inclusion of a document is fetched, or read from the disk")
  func inclusions() async throws {
    let document = """
      <?xml version="1.0"?><?xml-stylesheet href="https://t.test/style.xsl"?>
      <!DOCTYPE VAST SYSTEM "https://t.test/vast.dtd" [<!ENTITY file SYSTEM "file:///etc/passwd">
      <!ENTITY % more SYSTEM "https://t.test/more.dtd"> %more;]>
      <VAST version="3.0" xmlns:xi="http://www.w3.org/2001/XInclude" xsi:schemaLocation="x https://t.test/vast.xsd">
      <xi:include href="https://t.test/other.xml"/>\(M.full("a").replacing("<AdTitle>t", with: "<AdTitle>&file;"))</VAST>
      """
    let fixture = AdsFixture(["a": document])
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 1)
    #expect(manager.currentAd?.title == "&file;")
    #expect(fixture.transport.requests.map(\.url) == ["https://t.test/a"])
  }

  @Test("VA-500: a VAST plays at start() wherever content is; a VMAP makes a schedule that follows content")
  func modes() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a")), "m": M.vmap(M.adBreak("00:10:00", "a"))])
    fixture.playhead.currentTime = 300
    fixture.listener.startsOnLoaded = false
    let single = try await fixture.start("a")
    await fixture.run(single, seconds: 5)
    #expect(single.adCuePoints.isEmpty && fixture.listener.requests.isEmpty)
    single.start()
    await fixture.run(single, seconds: 11)
    #expect(fixture.listener.requests == ["PAUSE", "RESUME"])
    let scheduled = try await fixture.start("m")
    #expect(scheduled.adCuePoints == [600] && fixture.listener.requests.count == 3)
  }

  @Test("VA-217: an ad that waited longer than it may is fetched again, once; a fresh one is not")
  func expiry() async throws {
    for (seconds, fetches) in [(30.0, 1), (90, 2)] {
      let fixture = AdsFixture(["a": M.vast(M.full("a", "<Expires>60</Expires>"))])
      fixture.listener.startsOnLoaded = false
      let manager = try await fixture.start("a")
      await fixture.run(manager, seconds: seconds)
      manager.start()
      await fixture.run(manager, seconds: 11)
      #expect(fixture.transport.requests.count == fetches && fixture.listener.requests == ["PAUSE", "RESUME"])
      #expect(fixture.beacons.filter { $0 == "a-imp" }.count == 1 && fixture.listener.log.last == "allAdsCompleted")
    }
  }

  @Test("VA-217: an ad that expired and is gone from its server leaves content with one resume request")
  func expiredAndGone() async throws {
    let answers = Locked(0)
    let fixture = AdsFixture()
    let transport = ScriptedTransport { request in
      let number = answers.withLock { count in
        count += 1
        return count
      }
      let text = number == 1 ? M.vast(M.full("a", "<Expires>1</Expires>")) : M.vast()
      return .response(HTTPResponse(status: 200, body: Array(text.utf8), url: request.url))
    }
    fixture.environment.transport = transport
    fixture.loader = AdsLoader(environment: fixture.environment)
    fixture.listener.startsOnLoaded = false
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 5)
    manager.start()
    await fixture.run(manager, seconds: 5)
    #expect(fixture.listener.requests == ["RESUME"] && fixture.listener.log.last == "allAdsCompleted")
  }

  @Test("VA-330, VA-202, VA-208, VA-806, VA-807: what is wrong with the input is told as log events when debug is on")
  func debugLog() async throws {
    let wrapper = M.wrapper("w", to: "http://t.test/a b")
    let ad = M.full("a", "<Impression>https://t.test/a-imp</Impression><Impression>mailto:x</Impression>")
    for isDebug in [true, false] {
      var settings = AdsSettings(sessionID: "s")
      settings.debug = isDebug
      let fixture = AdsFixture(settings: settings)
      fixture.environment.transport = ScriptedTransport { request in
        let text = request.url.hasSuffix("w") ? M.vast(wrapper) : M.vast(ad)
        return .response(HTTPResponse(status: 200, body: Array(text.utf8), url: request.url))
      }
      fixture.loader = AdsLoader(settings: settings, environment: fixture.environment)
      let manager = try await fixture.start("w")
      await fixture.run(manager, seconds: 1)
      let codes = Set(manager.diagnostics.map(\.code.rawValue))
      #expect(codes.isSuperset(of: ["url.repaired", "url.mixed", "tracking.duplicate"]))
      let told = fixture.listener.events.filter { $0.kind == .log }.compactMap { $0.data["message"] }
      for code in ["url.repaired", "url.mixed", "tracking.duplicate", "tracking.refused"] {
        #expect(told.contains { $0.hasPrefix(code) } == isDebug, "\(code)")
      }
    }
  }
}

/// Where content and the place of ads are.
@Suite @MainActor struct ContentAndContainerTests {
  typealias M = Markup

  private static let documents = ["m": M.vmap(M.adBreak("00:00:10", "a")), "a": M.vast(M.full("a"))]

  @Test("VA-1104: while a playhead tells no time, no break is due", arguments: [Double.nan, -1, -Double.infinity])
  func unknownTime(time: Double) async throws {
    let fixture = AdsFixture(Self.documents)
    let manager = try await fixture.start("m")
    fixture.playhead.currentTime = time
    for _ in 0..<100 {
      fixture.clock.advance(by: 0.2)
      fixture.playhead.currentTime = time
      await manager.settle()
    }
    #expect(fixture.listener.requests == ["RESUME"])
    fixture.playhead.currentTime = 9.9
    await fixture.run(manager, seconds: 1)
    #expect(fixture.listener.requests == ["RESUME", "PAUSE"])
  }

  /// Tells its times by itself.
  ///
  /// When the next one is asked for, the one before has been looked at.
  @MainActor
  private final class ReportingPlayhead: ContentPlayhead {
    var currentTime = 0.0
    private(set) var changes: AsyncStream<Double>?
    let demands: AsyncStream<Void>
    private let demand: AsyncStream<Void>.Continuation
    private var waiting: CheckedContinuation<Double?, Never>?

    init() {
      (demands, demand) = AsyncStream.makeStream()
      changes = AsyncStream { [weak self] in await self?.next() }
    }

    private func next() async -> Double? {
      await withCheckedContinuation {
        waiting = $0
        demand.yield()
      }
    }

    func move(to time: Double) {
      currentTime = time
      answer(time)
    }

    func end() { answer(nil) }

    private func answer(_ time: Double?) {
      let continuation = waiting
      waiting = nil
      continuation?.resume(returning: time)
    }
  }

  @Test("VA-1104, VA-530: a playhead that reports its times is not asked for them")
  func reports() async throws {
    let fixture = AdsFixture(Self.documents)
    let playhead = ReportingPlayhead()
    let request = AdsRequest(adTagURL: "https://t.test/m", contentPlayhead: playhead)
    let manager = try await fixture.loader.load(request)
    manager.delegate = fixture.listener
    manager.initialize()
    #expect(fixture.clock.nextTime == nil)
    var demands = playhead.demands.makeAsyncIterator()
    await demands.next()
    for time in stride(from: 0.5, through: 10.5, by: 0.5) {
      playhead.move(to: time)
      await demands.next()
      fixture.clock.advance(by: 0.5)
      await manager.settle()
    }
    playhead.end()
    #expect(fixture.listener.requests == ["RESUME", "PAUSE"])
  }

  @Test("VA-1000: a container's size and visibility count at once; what is not said, it can do")
  func container() async throws {
    let ad = M.full(
      "a",
      linear:
        "<TrackingEvents><Tracking event='progress' offset='5'>https://t.test/[PLAYERSIZE]-[PLAYERSTATE]</Tracking></TrackingEvents>"
    )
    let fixture = AdsFixture(["a": M.vast(ad)])
    let slot = CompanionSlot(id: "c")
    let container = AdDisplayContainer(surface: SurfaceID("v"), companionSlots: [slot])
    #expect(container.capabilities.names == ["skip", "mute", "autoplay", "fullscreen", "icon"])
    #expect(container.capabilities.browser && container.capabilities.resources == RenderableResources(images: true))
    let manager = try await fixture.start("a", container: container)
    await fixture.run(manager, seconds: 2)
    container.size = AdSize(width: 1_000.4, height: 500)
    container.isFullscreen = true
    #expect(manager.overlay?.skip == nil)
    await fixture.run(manager, seconds: 4)
    #expect(fixture.beacons.contains("1000,500-fullscreen"))
    let headless = AdDisplayContainer.headless(size: AdSize(width: 0, height: 0))
    #expect(headless.surface == nil && headless.companionSlots.isEmpty && headless.state.canShow)
  }

  @Test(
    "VA-722, VA-1502: a break without an ad says why in the timeline, and the last one does not deny what has played")
  func failedBreakRecords() async throws {
    let fixture = AdsFixture([
      "m": M.vmap(M.adBreak("start", "a"), M.adBreak("00:00:01", "gone"), M.adBreak("end", "b")),
      "a": M.vast(M.full("a")), "b": M.vast(),
    ])
    fixture.playhead.duration = 5
    var records: [PlayRecord] = []
    let manager = try await fixture.loader.load(fixture.request("m")) { records.append($0) }
    manager.delegate = fixture.listener
    manager.initialize()
    await fixture.run(manager, seconds: 16)
    fixture.loader.contentComplete()
    await fixture.run(manager, seconds: 1)
    #expect(records.filter { $0.name == "adBreakFetchError" }.map(\.code) == [1_008, 1_004])
    let failures = fixture.listener.events.filter { $0.kind == .adBreakFetchError }
    #expect(failures.map { $0.data["code"] } == ["1008", "1004"])
    let errors = records.filter { $0.kind == .error }
    #expect(errors.last?.code == 1_004, "\(errors.map(\.code))")
    #expect(errors.allSatisfy { $0.detail == "The last break has no ad." }, "\(errors.map(\.detail))")
  }

  @Test("VA-807, VA-1502: a refused tracker is no beacon of the timeline but an error with its reason")
  func refusedRecords() async throws {
    let ad = M.full("a", "<Impression>javascript:a()</Impression>")
    let fixture = AdsFixture(["x": M.vast(ad)])
    var records: [PlayRecord] = []
    let manager = try await fixture.loader.load(fixture.request("x")) { records.append($0) }
    #expect(manager.diagnostics.map(\.code).contains("tracking.refused"))
    manager.delegate = fixture.listener
    manager.initialize()
    await fixture.run(manager, seconds: 11)
    let refused = records.filter { $0.url == "javascript:a()" }
    #expect(refused.map(\.kind) == [.error])
    #expect(refused.first?.name == "tracking.refused: impression, its scheme is neither http nor https")
    #expect(records.filter { $0.kind == .beacon && $0.name == "impression" }.map(\.url) == ["https://t.test/a-imp"])
  }
}
