import Testing

@testable import VideoAds

/// Clicks, icons, companions, overlays and visibility, as the engine decides them.
@Suite struct AdsEngineVisualTests {
  typealias H = EngineHarness

  private static func ad(_ linear: String, _ more: String = "", creatives: String = "") -> String {
    Markup.vast(
      "<Ad id='a'><InLine><Error>error</Error><Impression>imp</Impression>\(more)<Creatives><Creative><Linear><Duration>20"
        + "</Duration>\(linear)<MediaFiles><MediaFile type='video/mp4'>https://m.test/m</MediaFile></MediaFiles></Linear></Creative>"
        + "\(creatives)</Creatives></InLine></Ad>")
  }

  private static func clicks(_ through: String) -> String {
    "<VideoClicks>\(through)<ClickTracking>track</ClickTracking><ClickTracking>track</ClickTracking>"
      + "<CustomClick id='x'>cx</CustomClick><CustomClick id='y'>cy</CustomClick></VideoClicks>"
  }

  @Test(
    "VA-850: a click sends its trackers, tells clicked, opens its page; before the first frame and doubled it is none")
  func click() throws {
    var h = try H(Self.ad(Self.clicks("<ClickThrough>https://c.test/</ClickThrough>")))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    #expect(h.send(.tap(.ad, nil)) == [])
    h.player(.firstFrame)
    #expect(h.send(.tap(.ad, AdPoint(x: 3, y: 4))) == ["-> track", "clicked", "open https://c.test/"])
    #expect(h.beacons.last?.scope == .clickTracking && h.beacons.last?.point == AdPoint(x: 3, y: 4))
    h.now += 499
    #expect(h.send(.tap(.ad, nil)) == [])
    h.now += 1
    #expect(h.send(.tap(.clickThrough, nil)) == ["-> track", "clicked", "open https://c.test/"])
  }

  @Test("VA-850: without a page, and outside of the button where that alone counts, a tap is only a tap")
  func taps() throws {
    var none = try H.playing(Self.ad(Self.clicks("")))
    #expect(none.send(.tap(.ad, nil)) == ["tapped"])
    #expect(none.send(.tap(.clickThrough, nil)) == [], "VA-1009: not in the model")
    var button = try H.playing(Self.ad(Self.clicks("<ClickThrough>https://c.test/</ClickThrough>"))) {
      _, rendering, _ in
      rendering.clickArea = .button
    }
    #expect(button.send(.tap(.ad, nil)) == ["tapped"])
    #expect(button.send(.tap(.clickThrough, nil)).first == "-> track")
  }

  @Test(
    "Case 50 (VA-851): a page of a forbidden scheme: tracked, nothing opened, told as log, no pause",
    arguments: [
      "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "about:blank", "vbscript:x", "blob:x",
      "intent://x", "https:///",
    ])
  func schemes(url: String) throws {
    var h = try H.playing(Self.ad(Self.clicks("<ClickThrough><![CDATA[\(url)]]></ClickThrough>")))
    let words = h.send(.tap(.ad, nil))
    #expect(words == ["-> track", "clicked"] && h.engine.state == .playing)
    #expect(h.overlay?.learnMore == nil)
  }

  @Test("VA-852: custom clicks by id, and all of them")
  func customClicks() throws {
    var h = try H.playing(Self.ad(Self.clicks("")))
    #expect(h.send(.customClick("y")) == ["-> cy"])
    #expect(h.send(.customClick(nil)) == ["-> cx", "-> cy"])
  }

  @Test("VA-855: an icon is shown from its offset for its duration, and seen once")
  func icons() throws {
    var h = try H.playing(
      Self.ad(
        Markup.fallbackIcon.replacing(
          "<IconClicks>", with: "<IconClicks><IconClickThrough>https://i.test/</IconClickThrough>")))
    #expect(h.overlay?.icons.isEmpty == true)
    h.now += 2_000
    #expect(h.player(.position(2_000)) == ["-> seen"])
    #expect(h.overlay?.icons.map(\.rectangle) == [AdRectangle(x: 620, y: 0, width: 20, height: 20)])
    h.now += 1_000
    #expect(h.send(.tap(.icon(0), nil)) == ["-> iconClick", "iconTapped", "open https://i.test/"])
    h.now += 2_000
    #expect(h.player(.position(5_000)).filter { $0.contains("seen") } == [])
    #expect(h.overlay?.icons.isEmpty == true)
    #expect(h.send(.tap(.icon(0), nil)) == [], "VA-1009")
  }

  @Test("VA-856: without a page an icon shows its fallback image, and the ad stands still until it is closed")
  func iconFallback() throws {
    var h = try H.playing(Self.ad(Markup.fallbackIcon))
    h.now += 2_000
    h.player(.position(2_000))
    #expect(h.send(.tap(.icon(0), nil)) == ["-> iconClick", "iconTapped", "hold", "pause"])
    h.wait(100)
    #expect(h.overlay?.fallbackImage?.picture.label == "why")
    #expect(h.send(.tap(.closeFallback, nil)) == ["iconFallbackImageClosed", "play", "resume"])
  }

  @Test(
    "VA-856, VA-721, VA-731: however an ad ends under its icon's fallback image, what follows plays",
    arguments: ["skip", "close", "failure", "discard"])
  func endUnderFallback(_ way: String) throws {
    let documents = [
      "icon": Self.pod, "next": Markup.vast(H.ad("n")),
    ]
    var h = try H(playlist: H.item("start", "icon") + H.item("4", "next"), documents: documents)
    h.send(.initialize(content: 0, duration: 60_000))
    h.answer()
    h.player(.firstFrame)
    h.now += 2_000
    h.player(.position(2_000))
    #expect(h.send(.tap(.icon(0), nil)).contains("pause") && h.engine.pauseReasons == [.iconFallback])
    switch way {
    case "skip": h.send(.skip)
    case "close": h.send(.customEvent("closeLinear"))
    case "failure": h.player(.failed(.decode))
    default: h.send(.discard)
    }
    #expect(h.engine.pauseReasons.isEmpty)
    if way != "discard" {
      #expect(h.log.suffix(2) == ["load", "play"] && h.playThrough().facts.contains("complete"))
    }
    #expect(h.log.facts.last == "RESUME 0")
    #expect(h.content(from: 0, to: 4_000).suffix(2) == ["load", "play"])
  }

  /// Two ads of one break, the first with an icon that shows its fallback image.
  private static var pod: String {
    Markup.vast(
      H.ad("a", sequence: 1, skip: "skipoffset='00:00:01'")
        .replacing("<MediaFiles>", with: Markup.fallbackIcon + "<MediaFiles>") + H.ad("b", sequence: 2))
  }

  private static let companions =
    "<Creative><CompanionAds><Companion id='c' width='300' height='250'><StaticResource creativeType='image/png'>"
    + "https://c.test/c.png</StaticResource><TrackingEvents><Tracking event='creativeView'>cv</Tracking></TrackingEvents>"
    + "<CompanionClickThrough>https://c.test/</CompanionClickThrough><CompanionClickTracking>cc</CompanionClickTracking>"
    + "</Companion></CompanionAds></Creative>"

  private static let slot = CompanionFit.Slot(index: 0, id: nil, size: AdSize(width: 300, height: 250))

  @Test("VA-861, VA-862: a companion is shown at the impression, tracked when its resource came, and clicked")
  func companion() throws {
    var h = try H(Self.ad("", creatives: Self.companions)) { _, rendering, _ in rendering.companionSlots = [Self.slot] }
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    #expect(h.player(.firstFrame) == ["started", "impression", "-> imp", "slot 0 c"])
    #expect(h.send(.companion(0, .shown)) == ["-> cv"] && h.send(.companion(0, .shown)) == [])
    #expect(h.send(.companion(0, .clicked)) == ["-> cc", "open https://c.test/"])
  }

  @Test("VA-861: a companion whose resource fails, or does not come in 8 s, is 603 and leaves the slot empty")
  func failedCompanion() throws {
    var h = try H.playing(Self.ad("", creatives: Self.companions)) { _, rendering, _ in
      rendering.companionSlots = [Self.slot]
    }
    #expect(h.wait(8_000) == ["slot 0 empty", "-> 603 error"])
  }

  @Test("VA-863, VA-864: 601 when none fits, nothing without slots, 602 before the impression when one is required")
  func companionCodes() throws {
    let slot = CompanionFit.Slot(index: 0, id: nil, size: AdSize(width: 1, height: 1))
    let misfit = try H.playing(Self.ad("", creatives: Self.companions)) { _, rendering, _ in
      rendering.companionSlots = [slot]
    }
    #expect(misfit.log.contains("-> 601 error") && misfit.log.contains("slot 0 empty"))
    let none = try H.playing(Self.ad("", creatives: Self.companions))
    #expect(!none.log.contains { $0.contains("60") })
    let required = Self.companions.replacing("<CompanionAds>", with: "<CompanionAds required='all'>")
    let refused = try H.playing(Self.ad("", creatives: required))
    #expect(refused.log.contains("-> 602 error") && !refused.log.contains("-> imp"))
  }

  private static let viewable =
    "<ViewableImpression><Viewable>yes</Viewable><NotViewable>no</NotViewable><ViewUndetermined>unknown</ViewUndetermined>"
    + "</ViewableImpression>"

  private static func geometry(_ fraction: Double) -> AdGeometry {
    AdGeometry(
      frame: AdRectangle(x: 0, y: 0, width: 1, height: 1), viewport: AdSize(width: 1, height: 1),
      visibleFraction: fraction)
  }

  /// Plays 5 s with a sample five times a second, and then to the end.
  private static func seen(_ fraction: (Int64) -> Double?, pausedAt: Int64? = nil) throws -> [String] {
    var h = try H.playing(ad("", viewable))
    for time in stride(from: Int64(0), through: 5_000, by: 200) {
      if time == pausedAt {
        h.send(.pause(.user))
        h.send(.resume(.user))
      }
      h.player(.position(time))
      h.send(.geometry(fraction(time).map(geometry)))
      h.now += 200
    }
    h.player(.position(20_000))
    h.player(.ended(20_000))
    return h.log.filter { ["-> yes", "-> no", "-> unknown", "viewable"].contains($0) }
  }

  @Test("VA-820, VA-821: half of the ad for two seconds on end is viewable; one of the three verdicts, once")
  func viewability() throws {
    #expect(try Self.seen { _ in 0.5 } == ["viewable", "-> yes"])
    #expect(try Self.seen { _ in 0.49 } == ["-> no"])
    #expect(try Self.seen { _ in nil } == ["-> unknown"])
    #expect(try Self.seen { $0 % 2_000 == 1_800 ? 0.1 : 1 } == ["-> no"], "never two seconds on end")
    #expect(try Self.seen({ $0 > 2_400 ? 0 : 1 }, pausedAt: 1_000) == ["-> no"], "a pause begins anew")
  }

  private static func overlayAd(_ nonLinear: String) -> String {
    Markup.vast(
      "<Ad id='o'><InLine><Error>error</Error><Impression>imp</Impression><Creatives><Creative><NonLinearAds><TrackingEvents>"
        + "<Tracking event='creativeView'>cv</Tracking><Tracking event='close'>close</Tracking></TrackingEvents>\(nonLinear)"
        + "</NonLinearAds></Creative></Creatives></InLine></Ad>")
  }

  private static let overlay =
    "<NonLinear width='300' height='50' minSuggestedDuration='00:00:15'><StaticResource creativeType='image/png'>"
    + "https://o.test/o.png</StaticResource><NonLinearClickThrough>https://o.test/</NonLinearClickThrough>"
    + "<NonLinearClickTracking>oc</NonLinearClickTracking></NonLinear>"

  @Test("VA-870: an overlay stops no content, is shown for its time, clicked, and closed from its time on")
  func overlays() throws {
    var h = try H(Self.overlayAd(Self.overlay))
    h.send(.initialize(content: 0, duration: nil))
    #expect(
      h.send(.start) == [
        "adBreakStarted", "RESUME 0", "started", "impression", "-> imp", "-> cv", "overlayShown",
      ])
    #expect(h.overlay?.overlayAd?.close == nil && h.send(.tap(.closeOverlay, nil)) == [])
    #expect(h.send(.tap(.overlay, nil)) == ["-> oc", "clicked", "open https://o.test/"])
    var whole = h
    #expect(whole.wait(15_000) == ["overlayClosed", "adBreakEnded", "allAdsCompleted"])
    h.send(.timer(.overlayClose))
    h.wait(100)
    #expect(h.overlay?.overlayAd?.close != nil)
    #expect(
      h.send(.tap(.closeOverlay, nil)) == [
        "-> close", "userClosed", "overlayClosed", "adBreakEnded", "allAdsCompleted",
      ])
  }

  @Test("VA-870: an overlay that does not fit is 501, one that cannot be shown 503, one not allowed 201")
  func overlayCodes() throws {
    var large = try H(Self.overlayAd(Self.overlay.replacing("300", with: "900")))
    large.engine.container = ContainerState(size: AdSize(width: 640, height: 360))
    large.send(.initialize(content: 0, duration: nil))
    #expect(large.send(.start).contains("-> 501 error"))
    let page = Self.overlayAd("<NonLinear><IFrameResource>https://o.test/</IFrameResource></NonLinear>")
    var frame = try H(page)
    frame.send(.initialize(content: 0, duration: nil))
    #expect(frame.send(.start).contains("-> 503 error"))
    var run = Resolution(["x": Self.overlayAd(Self.overlay)])
    run.policy.allowNonLinear = false
    #expect(try run.run("x").owed == ["201 error"])
  }

  @Test("VA-871: a linear break that is due takes an overlay away")
  func overlayThenLinear() throws {
    var h = try H(
      playlist: H.item("2", "o") + H.item("6", "a"),
      documents: ["o": Self.overlayAd(Self.overlay), "a": Markup.vast(H.ad("a"))])
    h.send(.initialize(content: 0, duration: 60_000))
    let words = h.content(from: 0, to: 6_000).facts
    #expect(
      words == [
        "loaded", "adBreakStarted", "started", "impression", "overlayShown", "overlayClosed", "adBreakEnded", "loaded",
        "PAUSE", "adBreakStarted",
      ])
  }
}
