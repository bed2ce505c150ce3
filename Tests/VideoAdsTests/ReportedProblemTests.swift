import Hits
import Testing

@testable import VideoAds

/// Problems that users of such software reported, by the numbers of `issues.jsonl`, as far as they end before playback.
@Suite("VA-1703: reported problems") struct ReportedProblemTests {
  typealias M = Markup

  private static func playlist(_ breaks: String) throws -> AdSchedule {
    let text = "<vmap:VMAP xmlns:vmap='http://www.iab.net/videosuite/vmap' version='1.0'>\(breaks)</vmap:VMAP>"
    guard case .vmap(let playlist) = VASTReader.read(Array(text.utf8)).content else { throw Unexpected() }
    return AdSchedule(playlist)
  }

  private static func adBreak(_ offset: String, id: String = "b") -> String {
    "<vmap:AdBreak timeOffset='\(offset)' breakType='linear' breakId='\(id)'><vmap:AdSource><vmap:AdTagURI>"
      + "https://a.test/v.xml</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak>"
  }

  private static func linear(_ content: String) throws -> VAST.Linear {
    var run = Resolution([
      "x": M.vast("<Ad id='a'><InLine><Creatives><Creative>\(content)</Creative></Creatives></InLine></Ad>")
    ])
    return try #require(try run.run("x").ads.first?.linear)
  }

  private struct Unexpected: Error {}

  @Test("Case 4, 5 (VA-503): breaks at one time, also of one id, are one pod in the playlist's order")
  func sameTime() throws {
    let schedule = try Self.playlist(String(repeating: Self.adBreak("00:00:15.000"), count: 3))
    #expect(schedule.breaks.map(\.sources.count) == [3] && schedule.cuePoints == [15])
  }

  @Test("Case 7 (VA-502): 50% is at half of content")
  func percent() throws {
    var schedule = try Self.playlist(Self.adBreak("50%"))
    _ = schedule.place(duration: 600_000, opportunities: [])
    #expect(schedule.cuePoints == [300])
  }

  @Test("Case 8 (VA-501): a blank time drops that break with 1000, the rest plays")
  func blankTime() throws {
    let schedule = try Self.playlist(Self.adBreak("") + Self.adBreak("start"))
    #expect(schedule.cuePoints == [0] && schedule.rejections.map(\.code) == [.invalidStructure])
  }

  @Test("Case 9, 10 (VA-302): children without a prefix, and namespace variants")
  func namespaces() throws {
    guard let corpus = try VASTCorpus.find(for: "ReportedProblemTests") else { return }
    for file in ["issue09.xml", "issue10.xml"] {
      guard case .vmap(let playlist) = VASTReader.read(try corpus.bytes("repro/\(file)")).content else {
        throw Unexpected()
      }
      #expect(!AdSchedule(playlist).breaks.isEmpty)
      #expect(playlist.breaks.allSatisfy { $0.rejection == nil && $0.source != nil })
    }
  }

  @Test("Case 11, 29 (VA-202): white space around CDATA, and | { } blanks, give one legal URL; %7C stays")
  func urls() throws {
    let linear = try Self.linear(
      """
      <Linear><TrackingEvents><Tracking event="start"> junk
      <![CDATA[ https://t.test/?a=1|2&b={x y}&c=%7C ]]> </Tracking></TrackingEvents></Linear>
      """)
    let written = try #require(linear.tracking.first?.url)
    #expect(try AdURL(written, base: nil).text == "https://t.test/?a=1%7C2&b=%7Bx%20y%7D&c=%7C")
  }

  @Test("Case 30 (VA-202): URLs without a query, with nested URLs and double slashes stay")
  func unchanged() throws {
    for url in ["https://a.test/vast.xml", "https://a.test//v?x=1&url=https://x/y?z=1"] {
      #expect(try AdURL(url, base: nil).text == url)
    }
  }

  @Test("Case 12, 13, 14 (VA-424, VA-421, VA-432): pods behind wrappers, lone numbers, a wrapper's number")
  func pods() throws {
    var run = Resolution([
      "12": M.vast(M.wrapper("w", to: "pod")), "pod": M.vast(M.inLine("1", sequence: 1), M.inLine("2", sequence: 2)),
      "13": M.vast(M.wrapper("w", to: "lone")), "lone": M.vast(M.inLine("x", sequence: 1)),
      "14": M.vast(M.inLine("a", sequence: 1), M.wrapper("w", to: "lone", sequence: 3)),
    ])
    #expect(try run.run("12").ids == ["1"])
    #expect(try run.run("13").ids == ["x"])
    #expect(try run.run("14").ads.map(\.sequence) == [1, 3])
    run.policy.wrapperPods = .strict
    #expect(try run.run("12").owed == ["303 w-error"])
    #expect(try run.run("13").ids == ["x"])
  }

  @Test("Case 15, 16 (VA-440, VA-301): nothing behind a wrapper with companions is 303, VAST 1 there is 102")
  func behindWrappers() throws {
    let companions = "<Creatives><Creative><CompanionAds><Companion/></CompanionAds></Creative></Creatives>"
    var run = Resolution([
      "15": M.vast(M.wrapper("w", to: "empty", "", companions)), "empty": "<VAST version='3.0'/>",
      "16": M.vast(M.wrapper("w", to: "old")), "old": "<VideoAdServingTemplate/>",
    ])
    #expect(try run.run("15").owed == ["303 w-error"])
    #expect(try run.run("16").owed == ["102 w-error"])
  }

  @Test("Case 17 to 20 (VA-430, VA-433): wrapper tracking, creative order, bare wrappers, wrapper ViewableImpression")
  func wrapperTracking() throws {
    let tracking =
      "<Creative><CompanionAds><Companion/></CompanionAds></Creative><Creative><Linear><TrackingEvents>"
      + "<Tracking event='start'>w-start</Tracking></TrackingEvents></Linear></Creative>"
    let viewable = "<ViewableImpression><Viewable>w-view</Viewable></ViewableImpression>"
    var run = Resolution([
      "x": M.vast(M.inLine("x")), "bare": M.vast(M.wrapper("w", to: "x")),
      "full": M.vast(M.wrapper("w", to: "x", "", viewable + "<Creatives>\(tracking)</Creatives>")),
    ])
    let ad = try #require(try run.run("full").ads.first)
    #expect(ad.linear?.tracking.map(\.url) == ["w-start"] && ad.viewableImpressions.flatMap(\.viewable) == ["w-view"])
    #expect(try run.run("bare").ids == ["x"])
  }

  @Test("Case 21, 22, 23 (VA-312, VA-313): skip offsets in percent, exact progress offsets, unusable ones dropped")
  func offsets() throws {
    let linear = try Self.linear(
      """
      <Linear skipoffset="20%"><TrackingEvents><Tracking event="progress" offset="00:00:15.333">a</Tracking>
      <Tracking event="progress" offset="60%">b</Tracking><Tracking event="progress" offset="01:30:15.000">c</Tracking>
      <Tracking event="progress" offset="">d</Tracking><Tracking event="start" offset="00:00:01">e</Tracking>
      </TrackingEvents></Linear>
      """)
    #expect(linear.skipOffset == .fraction(0.2))
    #expect(
      linear.tracking.map(\.offset) == [.milliseconds(15_333), .fraction(0.6), .milliseconds(5_415_000), nil])
  }

  @Test("Case 24 (VA-316): misspelled and legacy event names")
  func names() throws {
    let names = [
      "first-quartile", "third_quartile", "fullscreen", "exitFullscreen", "expand", "acceptInvitationLinear", "own",
    ]
    let tracking = names.map { "<Tracking event='\($0)'>u</Tracking>" }.joined()
    let linear = try Self.linear("<Linear><TrackingEvents>\(tracking)</TrackingEvents></Linear>")
    #expect(
      linear.tracking.map(\.event) == [
        .firstQuartile, .thirdQuartile, .playerExpand, .playerCollapse, .playerExpand, .acceptInvitation,
        VAST.TrackingEvent(rawValue: "own"),
      ])
  }

  @Test("Case 26, 27, 28 (VA-808, VA-814): macros are expanded everywhere, encoded once, with content's position")
  func macros() throws {
    let expand = { (text: String) in
      MacroExpansionTests.expand(text) { $0.ad = MacroFacts.Ad(assetURL: "https://a.test/?b=c d") }
    }
    let template = "https://t.test/?a=[ASSETURI]&p=[CONTENTPLAYHEAD]"
    let once = "https://t.test/?a=https%3A%2F%2Fa.test%2F%3Fb%3Dc%20d&p=00%3A05%3A21.123"
    #expect(try AdURL(template, base: nil, expand: expand).text == once)
    #expect(try AdURL(template, base: nil, expand: expand).text == once)
  }

  @Test("Case 31, 32 (VA-305, VA-308): blank URLs are no requests, blank parameters are a text")
  func blanks() throws {
    guard let corpus = try VASTCorpus.find(for: "ReportedProblemTests") else { return }
    var run = Resolution()
    run.documents["https://t.test/31"] = .document(
      VASTReader.read(try corpus.bytes("repro/issue31.xml")), url: "https://t.test/31")
    let ad = try #require(try run.run("31").ads.first)
    #expect(ad.impressions.allSatisfy { !$0.url.isEmpty } && ad.linear?.tracking.allSatisfy { !$0.url.isEmpty } == true)
    let linear = try Self.linear("<Linear><AdParameters xmlEncoded='true'><![CDATA[ ]]></AdParameters></Linear>")
    #expect(linear.adParameters == "")
  }

  @Test("Case 34, 35 (VA-534, VA-536): of several breaks passed the last plays; a start behind them plays the last due")
  func positions() throws {
    var schedule = AdSchedule.Builder().midroll(at: 10, "a").midroll(at: 20, "b").midroll(at: 30, "c").build()
    #expect(schedule.breaks(soughtOver: 5_000...31_000, policy: .lastBreak).map(\.index) == [2])
    schedule = AdSchedule.Builder().preroll("a").midroll(at: 15, "b").build()
    let first = schedule.start(at: 45_000, playAdsAfter: nil)
    #expect(first?.index == 1)
    schedule = AdSchedule.Builder().preroll("a").midroll(at: 15, "b").build()
    let none = schedule.start(at: 45_000, playAdsAfter: 45_000)
    #expect(none == nil)
  }

  @Test("Case 48, 49 (VA-308): UniversalAdId in both forms and several, the ClickThrough's id")
  func ids() throws {
    var run = Resolution([
      "x": M.vast(
        """
        <Ad><InLine><Creatives><Creative><UniversalAdId idRegistry="r" idValue="1"/><UniversalAdId idRegistry="s">2
        </UniversalAdId><Linear><VideoClicks><ClickThrough id="k">u</ClickThrough></VideoClicks></Linear></Creative>
        </Creatives></InLine></Ad>
        """)
    ])
    let ad = try #require(try run.run("x").ads.first)
    #expect(
      ad.creative.universalAdIDs.map(\.value) == ["1", "2"] && ad.creative.universalAdIDs.map(\.registry) == ["r", "s"])
    #expect(ad.linear?.clickThrough == VAST.Link("u", id: "k"))
  }

  @Test("Case 50 (VA-207): a javascript URL is refused")
  func scripts() {
    #expect(throws: AdURL.Refusal.scheme) { try AdURL("javascript:alert(1)", base: "https://a.test/") }
  }
}
