import Testing

@testable import VideoAds

@Suite struct AdsEngineTests {
  typealias H = EngineHarness

  @Test("VA-705, VA-803: one ad from initialise to the end of content's pause, with its beacons in order")
  func single() throws {
    var h = try H(Markup.vast(H.ad("a")))
    #expect(h.send(.initialize(content: 0, duration: nil)) == ["loaded"])
    #expect(h.send(.start) == ["PAUSE", "adBreakStarted", "load", "play"])
    #expect(h.player(.firstFrame) == ["started", "impression", "-> a-imp", "-> a-creativeView", "-> a-start"])
    #expect(h.player(.position(2_499)) == [])
    #expect(h.player(.position(2_500)) == ["-> a-firstQuartile", "firstQuartile"])
    #expect(h.player(.position(7_600)) == ["-> a-midpoint", "midpoint", "-> a-thirdQuartile", "thirdQuartile"])
    #expect(h.player(.position(1_000)) == [], "VA-785")
    #expect(h.player(.ended(10_000)) == ["-> a-complete", "complete", "adBreakEnded", "RESUME 0", "allAdsCompleted"])
    #expect(h.engine.state == .done)
    #expect(h.send(.start) == [] && h.player(.firstFrame) == [])
  }

  @Test("VA-732, VA-741: a pod plays in one pause, paused or not")
  func pod() throws {
    var h = try H(Markup.vast(H.ad("a", sequence: 1), H.ad("b", sequence: 2)))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    h.player(.firstFrame)
    #expect(h.send(.pause(.user)) == ["hold", "pause", "-> a-pause"])
    #expect(h.send(.pause(.user)) == [] && h.send(.pause(.background)) == [] && h.send(.resume(.user)) == [], "VA-740")
    #expect(h.send(.resume(.background)) == ["play", "resume", "-> a-resume"])
    #expect(h.player(.ended(10_000)).suffix(3) == ["loaded", "load", "play"])
    h.playThrough()
    #expect(h.log.filter { $0.hasPrefix("PAUSE") || $0.hasPrefix("RESUME") } == ["PAUSE", "RESUME 0"])
    #expect(h.log.last == "allAdsCompleted")
  }

  @Test("VA-742: a pause before the start holds the start")
  func heldStart() throws {
    var h = try H(Markup.vast(H.ad("a")))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.pause(.user))
    #expect(h.send(.start) == ["PAUSE", "adBreakStarted", "load"])
    #expect(h.wait(30_000) == [])
    #expect(h.send(.resume(.user)) == ["play"])
    #expect(h.player(.firstFrame).first == "started")
  }

  @Test("VA-745, case 21: an ad is skipped from its offset on, once")
  func skip() throws {
    var h = try H(Markup.vast(H.ad("a", skip: "skipoffset='20%'")))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    #expect(h.send(.skip) == [])
    h.player(.firstFrame)
    h.player(.position(1_999))
    #expect(h.send(.skip) == [])
    #expect(h.player(.position(2_000)) == ["skippableStateChanged"])
    #expect(h.send(.skip) == ["stop", "-> a-skip", "skipped", "adBreakEnded", "RESUME 0", "allAdsCompleted"])
  }

  @Test("VA-760, VA-761, VA-762, case 33: media that never comes is 402 after 8 s, stalls after 10 s")
  func timeouts() throws {
    var h = try H(Markup.vast(H.ad("a", sequence: 1), H.ad("b", sequence: 2), H.ad("c", sequence: 3)))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    #expect(h.wait(7_999) == [])
    #expect(h.wait(1) == ["stop", "-> 402 a-error", "loaded", "load", "play"])
    h.player(.firstFrame)
    h.now += 1
    h.player(.position(100))
    #expect(h.wait(9_999) == [])
    #expect(h.wait(1) == ["stop", "-> 402 b-error", "loaded", "load", "play"])
    #expect(h.wait(8_000) == ["stop", "-> 402 c-error", "adBreakEnded", "RESUME 0", "allAdsCompleted"])
    var stuck = try H(Markup.vast(H.ad("a", sequence: 1), H.ad("b", sequence: 2), H.ad("c", sequence: 3)))
    stuck.send(.initialize(content: 0, duration: nil))
    stuck.send(.start)
    let words = stuck.wait(60_000)
    #expect(words.contains("-> 304 c-error") && stuck.engine.state == .done)
    #expect(
      words.suffix(5) == ["adBreakFetchError", "adBreakEnded", "ERROR displayTimeout", "RESUME 0", "allAdsCompleted"])
  }

  @Test("VA-603: after 401, 403 and 405 the next file is tried, at most two more; the first code goes out")
  func files() throws {
    let media = (1...4).map { "<MediaFile type='video/mp4' bitrate='\($0)'>https://m.test/\($0).mp4</MediaFile>" }
      .joined()
    var h = try H(Markup.vast(H.ad("a", media: media)))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    #expect(h.player(.failed(.notFound)) == ["stop", "load", "play"])
    #expect(h.player(.failed(.decode)) == ["stop", "load", "play"])
    #expect(h.player(.failed(.unsupported)).prefix(2) == ["stop", "-> 401 a-error"])
    var once = try H(Markup.vast(H.ad("a", media: media)))
    once.send(.initialize(content: 0, duration: nil))
    once.send(.start)
    #expect(once.player(.failed(.timedOut)).contains("-> 402 a-error"))
  }

  @Test("VA-422: before its first frame an ad is replaced by a spare, after it not")
  func spares() throws {
    var h = try H(Markup.vast(H.ad("a"), H.ad("s")))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    #expect(h.player(.failed(.timedOut)) == ["stop", "-> 402 a-error", "loaded", "load", "play"])
    #expect(h.player(.firstFrame).contains("-> s-imp"))
    var late = try H(Markup.vast(H.ad("a"), H.ad("s")))
    late.send(.initialize(content: 0, duration: nil))
    late.send(.start)
    late.player(.firstFrame)
    #expect(late.player(.failed(.decode)) == ["stop", "-> 405 a-error", "adBreakEnded", "RESUME 0", "allAdsCompleted"])
  }

  @Test(
    "VA-426: an ad behind a wrapper that forbids it is not replaced by a spare of the wrapper's document",
    arguments: [("true", "-> s-imp"), ("false", "-> b-imp")])
  func forbiddenSpare(_ fallsBack: String, _ next: String) throws {
    let wrapper = Markup.wrapper("w", to: "a", sequence: 1, "fallbackOnNoAd='\(fallsBack)'")
    let top = Markup.vast(wrapper, H.ad("b", sequence: 2), H.ad("s"))
    var run = Resolution(["x": top, "a": Markup.vast(H.ad("a"))])
    var h = try H(top)
    h.engine = AdsEngine(
      response: try run.run("x"), settings: AdsSettings(sessionID: "s"), request: H.request, rendering: H.rendering)
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    #expect(h.player(.failed(.timedOut)).contains("-> 402 a-error"))
    #expect(h.player(.firstFrame).first { $0.hasSuffix("-imp") } == next)
  }

  @Test("VA-426: the wrapper that led from a spare's document to the failed ad decides")
  func wrapperOfSpare() throws {
    func wrapper(_ id: String, _ fallsBack: Bool) -> VAST.Ad {
      var content = VAST.Wrapper(adTagURL: "https://t.test/")
      content.fallsBackOnNoAd = fallsBack
      var ad = VAST.Ad()
      (ad.id, ad.content) = (id, .wrapper(content))
      return ad
    }
    let (yes, no, other) = (wrapper("y", true), wrapper("n", false), wrapper("o", true))
    var run = Resolution(["x": Markup.vast(H.ad("a"))])
    var failed = try #require(try run.run("x").ads.first)
    for (spare, above, isAllowed) in [
      ([], [], true), ([], [yes], true), ([], [no], false), ([no], [no], true), ([yes], [yes, no], false),
      ([], [yes, no], true), ([no], [no, yes], true), ([other], [no], false), ([other], [yes, no], true),
    ] as [([VAST.Ad], [VAST.Ad], Bool)] {
      failed.wrappers = above
      #expect(SpareAd(ad: failed.ad, wrappers: spare, documentURL: nil).mayReplace(failed) == isAllowed)
    }
  }

  @Test("VA-775: an end before its time is 405 without complete; VA-770: another duration than stated is 202 once")
  func durations() throws {
    var h = try H(Markup.vast(H.ad("a")))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    h.player(.firstFrame)
    #expect(h.player(.duration(20_000)) == ["-> 202 a-error"] && h.player(.duration(20_000)) == [])
    h.player(.position(10_000))
    let words = h.player(.ended(18_000))
    #expect(words.contains("-> 405 a-error") && !words.contains("complete"))
    var near = try H(Markup.vast(H.ad("a")))
    near.send(.initialize(content: 0, duration: nil))
    near.send(.start)
    near.player(.firstFrame)
    #expect(near.player(.ended(9_000)).contains("complete"))
  }

  @Test("VA-776: what a player says of an earlier load is ignored")
  func tokens() throws {
    var h = try H(Markup.vast(H.ad("a", sequence: 1), H.ad("b", sequence: 2)))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    let old = try #require(h.token)
    h.player(.firstFrame)
    h.player(.ended(10_000))
    #expect(h.send(.player(old, .firstFrame)) == [] && h.send(.player(old, .failed(.other))) == [])
  }

  @Test("VA-734, VA-550: destroy ends everything silently, discard gives content back; unplayed ads get 206")
  func ends() throws {
    var h = try H(Markup.vast(H.ad("a", sequence: 1), H.ad("b", sequence: 2)))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    h.player(.firstFrame)
    var discarded = h
    #expect(h.send(.destroy) == ["stop", "-> 206 b-error"])
    #expect(h.send(.start) == [] && h.player(.ended(10_000)) == [])
    #expect(discarded.send(.discard) == ["stop", "-> 206 b-error", "adBreakEnded", "RESUME 0", "allAdsCompleted"])
  }

  @Test("Case 1, 2 (VA-720, VA-733): empty breaks release content once, and contentComplete ends everything")
  func emptyBreaks() throws {
    let empty = "<AdSource><VASTAdData><VAST version='3.0'/></VASTAdData></AdSource>"
    var h = try H(
      playlist: "<AdBreak timeOffset='start'>\(empty)</AdBreak><AdBreak timeOffset='end'>\(empty)</AdBreak>")
    #expect(h.send(.initialize(content: 0, duration: nil)) == ["adBreakFetchError", "RESUME 0"])
    h.content(from: 0, to: 1_000)
    #expect(h.send(.contentComplete).facts == ["adBreakFetchError", "ERROR noAds", "allAdsCompleted"])
    #expect(h.send(.contentComplete) == [])
  }

  @Test("Case 3 (VA-720): of breaks at 18 and 19 s the second is empty: one pause, content goes on at 18 s")
  func emptySecond() throws {
    var h = try H(
      playlist: H.item("18", "a") + H.item("19", "b"), documents: ["a": Markup.vast(H.ad("a")), "b": Markup.vast()])
    #expect(h.send(.initialize(content: 0, duration: 600_000)) == ["RESUME 0"])
    let words = h.content(from: 0, to: 18_000).facts
    #expect(words == ["loaded", "PAUSE", "adBreakStarted"])
    #expect(h.playThrough().facts.suffix(2) == ["adBreakEnded", "RESUME 18000"])
    #expect(
      h.content(from: 18_000, to: 25_000) == [
        "-> b-breakStart", "-> 1004 b-error", "-> b-breakEnd", "adBreakFetchError", "ERROR noAds", "allAdsCompleted",
      ])
  }

  @Test("Case 4 (VA-503, VA-510, VA-545): of six breaks at the start three are broken, three play as one pod")
  func brokenBreaks() throws {
    let names = ["x1", "a", "x2", "b", "c", "x3"]
    var h = try H(
      playlist: names.map { H.item("start", $0) }.joined(),
      documents: ["a": Markup.vast(H.ad("a")), "b": Markup.vast(H.ad("b")), "c": Markup.vast(H.ad("c"))])
    h.send(.initialize(content: 0, duration: nil))
    h.answer()
    for _ in 0..<3 { h.playThrough() }
    #expect(h.log.filter { $0.hasPrefix("-> ") && $0.hasSuffix("-imp") } == ["-> a-imp", "-> b-imp", "-> c-imp"])
    #expect(h.log.filter { $0.hasPrefix("PAUSE") || $0.hasPrefix("RESUME") } == ["PAUSE", "RESUME 0"])
    for name in ["x1", "x2", "x3"] { #expect(h.log.contains("-> 1008 \(name)-error")) }
    for name in names {
      #expect(
        h.log.filter { $0 == "-> \(name)-breakStart" }.count == 1
          && h.log.filter { $0 == "-> \(name)-breakEnd" }.count == 1)
    }
  }

  @Test("Case 6, 38 (VA-510, VA-723): a break that fails leaves the later ones")
  func failedPreroll() throws {
    var h = try H(playlist: H.item("start", "x") + H.item("5", "a"), documents: ["a": Markup.vast(H.ad("a"))])
    h.send(.initialize(content: 0, duration: 60_000))
    #expect(h.wait(15_000).facts == ["adBreakFetchError", "RESUME 0"])
    #expect(h.log.contains("-> 1007 x-error"))
    #expect(h.content(from: 0, to: 5_000).facts == ["loaded", "PAUSE", "adBreakStarted"])
    var alone = try H(playlist: H.item("start", "x"))
    alone.send(.initialize(content: 0, duration: nil))
    #expect(alone.answer().facts == ["adBreakFetchError", "ERROR requestFailed", "RESUME 0", "allAdsCompleted"])
  }

  @Test("VA-533: a mid-roll that comes later than 5 s of content is given up with 304")
  func late() throws {
    var h = try H(playlist: H.item("1", "a") + H.item("end", "p"))
    h.send(.initialize(content: 0, duration: 600_000))
    var words: [String] = []
    for position in stride(from: Int64(0), through: 6_400, by: 200) {
      h.now += 200
      words += h.send(.contentTime(position))
    }
    #expect(words.facts == ["adBreakFetchError"] && words.contains("-> 1007 a-error"))
    #expect(h.engine.state == .idle)
  }

  @Test("Case 34, 35, 36 (VA-534, VA-536, VA-538): seeks, starts and the position content goes on at")
  func positions() throws {
    let documents = ["a": Markup.vast(H.ad("a")), "b": Markup.vast(H.ad("b")), "c": Markup.vast(H.ad("c"))]
    var h = try H(playlist: H.item("10", "a") + H.item("20", "b") + H.item("30", "c"), documents: documents)
    h.send(.initialize(content: 5_000, duration: 600_000))
    h.send(.contentSeek(31_000))
    h.answer()
    h.playThrough()
    #expect(h.log.filter { $0.hasSuffix("-imp") } == ["-> c-imp"] && h.log.contains("RESUME 31000"))
    h.send(.contentSeek(9_000))
    #expect(h.content(from: 9_200, to: 10_000).contains("PAUSE"))
    var start = try H(playlist: H.item("start", "a") + H.item("15", "b"), documents: documents)
    start.send(.initialize(content: 45_000, duration: 600_000))
    start.answer()
    start.playThrough()
    #expect(start.log.filter { $0.hasSuffix("-imp") } == ["-> b-imp"])
    var after = try H(playlist: H.item("start", "a") + H.item("15", "b"), documents: documents) {
      $1.playAdsAfter = 45_000
    }
    #expect(after.send(.initialize(content: 45_000, duration: 600_000)) == ["RESUME 45000", "allAdsCompleted"])
  }

  @Test("Case 37 (VA-551): post-rolls wait for contentComplete")
  func postroll() throws {
    var h = try H(playlist: H.item("end", "p"), documents: ["p": Markup.vast(H.ad("p"))])
    h.send(.initialize(content: 0, duration: 10_000))
    #expect(h.content(from: 0, to: 10_000) == [])
    #expect(h.send(.contentComplete).facts == ["loaded", "PAUSE", "adBreakStarted"])
    #expect(h.playThrough().facts.suffix(3) == ["adBreakEnded", "RESUME 10000", "allAdsCompleted"])
  }

  @Test("VA-708: without autoplay a break waits for the app, and is skipped with 206 when a later one is due")
  func manualBreaks() throws {
    var h = try H(
      playlist: H.item("2", "a") + H.item("4", "b"),
      documents: ["a": Markup.vast(H.ad("a")), "b": Markup.vast(H.ad("b"))]
    ) { settings, _ in settings.autoPlayAdBreaks = false }
    h.send(.initialize(content: 0, duration: 60_000))
    #expect(h.content(from: 0, to: 2_000) == ["loaded", "adBreakReady"])
    #expect(h.content(from: 2_200, to: 4_000) == ["-> 206 a-error", "loaded", "adBreakReady"])
    #expect(h.send(.start).facts == ["PAUSE", "adBreakStarted"])
    h.playThrough()
    #expect(h.log.last == "allAdsCompleted")
  }

  @Test("VA-530: what a playhead shows is play or a seek")
  func playhead() {
    for (change, passed, isSeek) in [
      (200, 200, false), (-250, 200, false), (-251, 200, true), (1_400, 200, false), (1_401, 200, true),
      (3_000, 1_000, false),
    ] as [(Int64, Int64, Bool)] {
      var tracker = PlayheadTracker()
      _ = tracker.sample(10_000, at: 0)
      let move = tracker.sample(10_000 + change, at: passed)
      #expect(
        move == (isSeek ? .sought(from: 10_000, to: 10_000 + change) : .played(from: 10_000, to: 10_000 + change)))
    }
  }
}
