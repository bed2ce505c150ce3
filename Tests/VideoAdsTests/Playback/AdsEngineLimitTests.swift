import Hits
import Testing

@testable import VideoAds

/// Limits, the container, the app's life, sound, preparing and verification, as the engine decides them.
@Suite struct AdsEngineLimitTests {
  typealias H = EngineHarness

  private static let pod = Markup.vast(H.ad("a", sequence: 1), H.ad("b", sequence: 2), H.ad("c", sequence: 3))

  @Test("VA-103, 206: a break is cut to the ads and the time allowed")
  func breakLimits() throws {
    for change in [
      { (limits: inout BreakLimits) in limits.maxAds = 2 }, { (limits: inout BreakLimits) in limits.maxDuration = 25 },
    ] {
      var h = try H(Self.pod) { _, _, request in change(&request.breakLimits) }
      #expect(h.send(.initialize(content: 0, duration: nil)) == ["-> 206 c-error", "loaded"])
      h.send(.start)
      for _ in 0..<2 { h.playThrough() }
      #expect(h.log.last == "allAdsCompleted")
    }
  }

  @Test("VA-103: an ad longer than allowed is 202 and plays; one whose media has not the size asked for is 203")
  func adLimits() throws {
    var long = try H.playing(Markup.vast(H.ad("a"))) { _, _, request in request.breakLimits.maxAdLength = 5 }
    #expect(long.player(.duration(10_000)) == ["-> 202 a-error"] && long.engine.state == .playing)
    let size = try H.playing(Markup.vast(H.ad("a"))) { _, _, request in
      request.breakLimits.exactSize = AdSize(width: 1, height: 1)
    }
    #expect(size.log.contains("-> 203 a-error") && !size.log.contains("-> a-imp"))
  }

  @Test("200: an ad that can be skipped does not play where there is no control for it")
  func noSkipControl() throws {
    let h = try H.playing(Markup.vast(H.ad("a", skip: "skipoffset='5'"))) { _, rendering, _ in rendering.canSkip = false
    }
    #expect(h.log.contains("-> 200 a-error"))
  }

  @Test("VA-803: spares and cut ads that never start tell it to their own notUsed trackers")
  func notUsed() throws {
    let tracking = "<TrackingEvents><Tracking event='notUsed'>unused</Tracking></TrackingEvents>"
    let spare = H.ad("s").replacing("<TrackingEvents>", with: tracking + "<TrackingEvents>")
    var h = try H.playing(Markup.vast(H.ad("a"), spare))
    h.player(.ended(10_000))
    #expect(h.log.filter { $0 == "-> unused" }.count == 1)
  }

  @Test(
    "VA-1401, VA-721: 50,000 ads that cannot play, in their places or standing by, are told one by one and end like one",
    arguments: [(50_000, 0), (1, 50_000)])
  func manyAds(places: Int, spares: Int) throws {
    var run = Resolution(["x": Markup.vast(H.ad("a", media: ""))])
    var response = try run.run("x")
    let ad = try #require(response.ads.first)
    var unusable = ad.ad
    unusable.content = .unusable(.invalidStructure)
    response.ads = Array(repeating: ad, count: places)
    response.spares = (0..<spares).map {
      SpareAd(ad: $0.isMultiple(of: 2) ? unusable : ad.ad, wrappers: [], documentURL: nil)
    }
    var engine = AdsEngine(
      response: response, settings: AdsSettings(sessionID: "s"), request: H.request, rendering: H.rendering)
    _ = engine.handle(.initialize(content: 0, duration: nil), at: 0)
    let actions = engine.handle(.start, at: 0)
    let codes = actions.compactMap { if case .beacon(let beacon) = $0 { beacon.code } else { nil } }
    #expect(codes.count == places + spares)
    #expect(codes.count { $0 == 403 } == places + spares / 2 && codes.count { $0 == 101 } == spares / 2)
    #expect(engine.state == .done && actions.count { $0 == .requestContentPause } == 1)
    #expect(actions.count { if case .requestContentResume = $0 { true } else { false } } == 1)
  }

  @Test("VA-508: an ad's place among those of its break counts the ads before it, bumpers and replacements as they are")
  func places() throws {
    var run = Resolution(["x": Markup.vast(H.ad("a"))])
    let ad = try #require(try run.run("x").ads.first)
    let found = [true, false, true, false].map { BreakResolution.Found(source: 0, ad: ad, isBumper: $0) }
    let item = try #require(AdSchedule.Builder().preroll("a").build().breaks.first)
    var adBreak = BreakRun(item, ads: found, spares: [])
    #expect(adBreak.counted == 2 && adBreak.countedBefore == 0)
    adBreak.move(to: 2)
    #expect(adBreak.index == 2 && adBreak.countedBefore == 1)
    adBreak.replace(by: found[1])
    #expect(adBreak.counted == 3 && adBreak.countedBefore == 1)
    adBreak.move(to: 3)
    #expect(adBreak.counted == 3 && adBreak.countedBefore == 2)
  }

  @Test("VA-1401, VA-532: 500 breaks that are due together and cannot play are told one by one")
  func breaksDueTogether() throws {
    let document = Markup.vast(H.ad("a", media: ""))
    let breaks = (1...500).map { number in
      "<AdBreak timeOffset='\(number)' breakId='b'><AdSource><VASTAdData>\(document)</VASTAdData></AdSource></AdBreak>"
    }.joined()
    var h = try H(playlist: breaks) { _, rendering in rendering.seekPolicy = .all }
    h.send(.initialize(content: 0, duration: 600_000))
    h.send(.contentTime(0))
    let words = h.send(.contentSeek(600_000))
    #expect(h.engine.schedule.breaks.count == 500 && h.engine.schedule.breaks.allSatisfy { $0.state == .failed })
    #expect(words.count { $0 == "-> 403 a-error" } == 500 && words.last == "allAdsCompleted")
  }

  @Test("VA-1008: an ad waits 4 s for its container to be seen, then it is 900; seen before, it plays")
  func container() throws {
    var h = try H(Markup.vast(H.ad("a")))
    h.engine.container = ContainerState(size: AdSize(width: 0, height: 0))
    h.send(.initialize(content: 0, duration: nil))
    #expect(h.send(.start) == ["PAUSE", "adBreakStarted"])
    var shown = h
    #expect(h.wait(3_999) == [])
    #expect(
      h.wait(1) == [
        "-> 900 a-error", "adBreakFetchError", "adBreakEnded", "ERROR undefined", "RESUME 0", "allAdsCompleted",
      ])
    shown.wait(2_000)
    #expect(shown.send(.container(ContainerState(size: AdSize(width: 640, height: 360)))) == ["load", "play"])
    shown.player(.firstFrame)
    #expect(shown.send(.container(ContainerState(size: AdSize(width: 640, height: 360), isFullscreen: true))) == [])
  }

  @Test("VA-803: filling the screen and leaving it is tracked each time")
  func fullscreen() throws {
    let tracking =
      "<TrackingEvents><Tracking event='fullscreen'>in</Tracking><Tracking event='exitFullscreen'>out</Tracking></TrackingEvents>"
    var h = try H(Markup.vast(H.ad("a").replacing("<TrackingEvents>", with: tracking + "<TrackingEvents>")))
    let size = AdSize(width: 640, height: 360)
    h.engine.container = ContainerState(size: size)
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    h.player(.firstFrame)
    for _ in 0..<2 {
      #expect(h.send(.container(ContainerState(size: size, isFullscreen: true))) == ["-> in"])
      #expect(h.send(.container(ContainerState(size: size, isFullscreen: false))) == ["-> out"])
    }
  }

  @Test("VA-780, VA-781: in background an ad stands still; after 30 minutes it is given up on return")
  func background() throws {
    var h = try H.playing(Self.pod)
    #expect(h.send(.lifecycle(.background)) == ["hold", "pause", "-> a-pause"])
    h.now += 1_800_000
    var late = h
    #expect(h.send(.lifecycle(.foreground)) == ["play", "resume", "-> a-resume"])
    late.now += 1
    #expect(
      late.send(.lifecycle(.foreground)) == [
        "stop", "-> 206 b-error", "-> 206 c-error", "adBreakEnded", "RESUME 0", "allAdsCompleted",
      ])
    var audio = try H.playing(Self.pod) { settings, _, _ in settings.enableBackgroundPlayback = true }
    #expect(audio.send(.lifecycle(.background)) == [] && audio.engine.state == .playing)
  }

  @Test("VA-750: crossing silence is tracked once each way, starting silent is not")
  func sound() throws {
    let tracking = "<TrackingEvents><Tracking event='unmute'>a-unmute</Tracking></TrackingEvents>"
    var h = try H(Markup.vast(H.ad("a").replacing("<TrackingEvents>", with: tracking + "<TrackingEvents>")))
    h.send(.initialize(content: 0, duration: nil))
    #expect(h.send(.mute(true)) == [])
    h.send(.start)
    h.player(.firstFrame)
    #expect(h.send(.volume(0)) == [] && h.send(.mute(false)) == [])
    #expect(h.send(.volume(0.5)) == ["-> a-unmute"] && h.send(.volume(.nan)) == [])
    #expect(h.send(.volume(-3)) == ["-> a-mute"])
  }

  @Test("VA-785, case 25: going back is rewind, fires nothing twice; a jump fires all that it passes, in order")
  func jumps() throws {
    let tracking = "<TrackingEvents><Tracking event='rewind'>back</Tracking></TrackingEvents>"
    var h = try H.playing(Markup.vast(H.ad("a").replacing("<TrackingEvents>", with: tracking + "<TrackingEvents>")))
    #expect(
      h.player(.position(7_600)).filter { $0.hasPrefix("->") } == [
        "-> a-firstQuartile", "-> a-midpoint", "-> a-thirdQuartile",
      ])
    #expect(h.player(.position(6_601)) == [] && h.player(.position(5_601)) == ["-> back"])
    #expect(h.player(.position(8_000)) == [] && h.player(.position(1_000)) == ["-> back"])
  }

  @Test("VA-803, VA-316: what the app reports by name, unknown names too; closeLinear ends the ad")
  func customEvents() throws {
    let tracking =
      "<TrackingEvents><Tracking event='own'>own</Tracking><Tracking event='close'>closed</Tracking></TrackingEvents>"
    var h = try H.playing(Markup.vast(H.ad("a").replacing("<TrackingEvents>", with: tracking + "<TrackingEvents>")))
    #expect(h.send(.customEvent("own")) == ["-> own"])
    #expect(
      h.send(.customEvent("closeLinear")) == [
        "-> closed", "stop", "userClosed", "adBreakEnded", "RESUME 0", "allAdsCompleted",
      ])
  }

  private static func preparing(_ slots: Int = 2) -> (inout AdsSettings, inout EngineRendering, inout RequestFacts) ->
    Void
  {
    { _, rendering, _ in
      rendering.preloads = true
      rendering.slots = slots
    }
  }

  @Test("VA-610, VA-611: the first ad is loaded when its media is ready; it starts without another load")
  func prepared() throws {
    var h = try H(Self.pod, Self.preparing())
    #expect(h.send(.initialize(content: 0, duration: nil)) == ["load"])
    #expect(h.player(.ready(10_000)) == ["loaded"])
    #expect(h.send(.start) == ["PAUSE", "adBreakStarted", "play"])
    #expect(h.player(.firstFrame).suffix(1) == ["load"], "the next ad is made ready beside it")
    var slow = try H(Self.pod, Self.preparing())
    slow.send(.initialize(content: 0, duration: nil))
    #expect(slow.wait(2_000) == ["loaded"])
    var single = try H.playing(Self.pod, Self.preparing(1))
    #expect(single.log.filter { $0 == "load" }.count == 1)
    single.player(.ended(10_000))
    #expect(single.log.suffix(2) == ["load", "play"])
  }

  @Test(
    "VA-611, VA-612: a failure while preparing counts when the ad would start; media older than 5 minutes is loaded anew"
  )
  func preparedLate() throws {
    var h = try H(Markup.vast(H.ad("a")), Self.preparing())
    h.send(.initialize(content: 0, duration: nil))
    #expect(h.player(.failed(.notFound)) == ["loaded"])
    #expect(h.send(.start).contains("-> 401 a-error"))
    var old = try H(Markup.vast(H.ad("a")), Self.preparing())
    old.send(.initialize(content: 0, duration: nil))
    old.player(.ready(nil))
    old.now += 300_001
    #expect(old.send(.start) == ["PAUSE", "adBreakStarted", "stop", "load", "play"])
  }

  private static let verified = H.ad("a").replacing(
    "<Impression>",
    with: "<AdVerifications><Verification vendor='v'><JavaScriptResource apiFramework='OMID'>https://v.test/v.js"
      + "</JavaScriptResource><VerificationParameters>p</VerificationParameters><TrackingEvents><Tracking "
      + "event='verificationNotExecuted'>not-v</Tracking></TrackingEvents></Verification></AdVerifications><Impression>"
  )

  @Test("VA-900, VA-903: the page is opened before the first frame and hears the ad's moments in order")
  func verification() throws {
    var h = try H.playing(Markup.vast(Self.verified)) { _, rendering, _ in rendering.hasVerificationHost = true }
    h.player(.position(2_500))
    h.player(.bufferingBegan)
    h.player(.bufferingEnded)
    h.send(.pause(.user))
    h.send(.resume(.user))
    h.player(.ended(10_000))
    let words = h.verification.map { command in
      switch command {
      case .open(let scripts): "open " + scripts.map { "\($0.vendor ?? "") \($0.parameters ?? "")" }.joined()
      case .send(let type, _): type
      case .finish: "finish"
      }
    }
    #expect(
      words == [
        "open v p", "sessionStart", "loaded", "impression", "start", "firstQuartile", "bufferStart", "bufferFinish",
        "pause",
        "resume", "midpoint", "thirdQuartile", "complete", "finish",
      ])
    #expect(!h.log.contains { $0.contains("not-v") || $0.contains("410") })
  }

  @Test(
    "VA-906, VA-1205: what is not run is told with its reason, once, then 410, and the ad plays",
    arguments: [
      (false, true, nil as [String]?, 2), (true, false, nil, 1), (true, true, ["other"], 1),
    ])
  func notRun(hasHost: Bool, isAllowed: Bool, vendors: [String]?, reason: Int) throws {
    let h = try H.playing(Markup.vast(Self.verified)) { settings, rendering, _ in
      rendering.hasVerificationHost = hasHost
      rendering.allowsVerification = isAllowed
      settings.verificationVendors = vendors
    }
    #expect(h.beacons.first?.scope == .verificationNotExecuted(reason: reason) && h.log.contains("-> 410 a-error"))
    #expect(h.engine.state == .playing && h.verification.isEmpty)
  }

  @Test("VA-906: a script that does not load is reason 3, once")
  func scriptFailed() throws {
    var h = try H.playing(Markup.vast(Self.verified)) { _, rendering, _ in rendering.hasVerificationHost = true }
    #expect(h.send(.scriptFailed(0)) == ["-> not-v", "-> 410 a-error"] && h.send(.scriptFailed(0)) == [])
    #expect(h.beacons.suffix(2).first?.scope == .verificationNotExecuted(reason: 3))
    #expect(h.send(.scriptFailed(9)) == [])
  }

  @Test("VA-905: at most eight scripts, over https alone; http on this machine")
  func scripts() {
    let one = { (url: String) -> VAST.Verification in
      var verification = VAST.Verification()
      verification.scripts = [VAST.Verification.Resource(url: url, apiFramework: "omid", type: nil)]
      return verification
    }
    let plan = VerificationPlan(
      [one("http://v.test/"), one("http://localhost/v.js"), one("file:///v.js")]
        + Array(repeating: one("https://v.test/"), count: 9),
      hasHost: true, isAllowed: true, vendors: nil)
    #expect(plan.scripts.count == 8 && plan.refused.map(\.owner) == [0, 2, 10, 11])
    #expect(plan.refused.allSatisfy { $0.reason == .rejected })
  }

  @Test("VA-103: the fetches of a live stream are spread over the seconds before their time")
  func spread() {
    var rendering = H.rendering
    rendering.prefetchSpread = 10_000
    let leads = (0..<200).map { rendering.lead(of: BreakSource.ID(index: $0)) }
    #expect(leads.allSatisfy { (8_000...18_000).contains($0) } && Set(leads).count > 150)
  }

  @Test(
    "VA-540, VA-1605: five times the breaks on five times the content cost five times as much, not the square of it")
  func manyBreaks() throws {
    let cost = { (count: Int) throws -> Double in
      let breaks = (1...count).map { EngineHarness.item(String($0), "b") }.joined()
      var harness = try EngineHarness(playlist: breaks)
      harness.send(.initialize(content: 0, duration: Int64(count) * 1_000))
      let seconds = ProcessorTime.seconds { harness.content(from: 0, to: Int64(count) * 1_000) }
      #expect(!harness.engine.schedule.isOpen)
      return seconds
    }
    _ = try cost(20)
    let (few, many) = (try cost(80), try cost(400))
    #expect(many < 12 * few, "\(few) s, \(many) s")
  }
}
