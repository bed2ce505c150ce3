import Hits
import Testing

@testable import VideoAds

@Suite struct AdMergeTests {
  /// An ad behind two wrappers; each level states one of everything, named by the level.
  private static func resolved(
    _ outer: String = level("o"), _ inner: String = level("i"), _ ad: String = level("a"), attributes: String = ""
  ) throws -> ResolvedAd {
    func wrapper(_ url: String, _ content: String) -> String {
      "<VAST version='4.2'><Ad id='\(url)'><Wrapper><VASTAdTagURI>\(url)</VASTAdTagURI>\(content)</Wrapper></Ad></VAST>"
    }
    var run = Resolution([
      "top": wrapper("next", outer), "next": wrapper("end", inner),
      "end": "<VAST version='4.2'><Ad id='ad'><InLine>\(ad)</InLine></Ad></VAST>",
    ])
    return try #require(try run.run("top").ads.first)
  }

  private static func level(_ n: String, linear: String = "", creatives: String = "", more: String = "") -> String {
    """
    <AdSystem>\(n)-system</AdSystem><Impression>\(n)-imp</Impression><Error>\(n)-error</Error>
    <ViewableImpression><Viewable>\(n)-view</Viewable></ViewableImpression><AdVerifications><Verification vendor="\(n)"/>
    </AdVerifications><Extensions><Extension type="\(n)"/></Extensions><Creatives><Creative id="\(n)-creative"><Linear>
    <TrackingEvents><Tracking event="start">\(n)-start</Tracking></TrackingEvents><VideoClicks><ClickTracking>\(n)-click
    </ClickTracking><CustomClick>\(n)-custom</CustomClick></VideoClicks>\(linear)</Linear><CreativeExtensions>
    <CreativeExtension type="\(n)"/></CreativeExtensions></Creative>\(creatives)</Creatives>\(more)
    """
  }

  @Test("VA-430: what every level adds is joined, outermost first")
  func joined() throws {
    let ad = try Self.resolved()
    #expect(ad.impressions.map(\.url) == ["o-imp", "i-imp", "a-imp"])
    #expect(ad.errors == ["o-error", "i-error", "a-error"])
    #expect(ad.viewableImpressions.flatMap(\.viewable) == ["o-view", "i-view", "a-view"])
    #expect(ad.verifications.map(\.vendor) == ["o", "i", "a"])
    #expect(ad.extensions.map(\.type) == ["o", "i", "a"])
    #expect(ad.creativeExtensions.map(\.type) == ["o", "i", "a"])
    let linear = try #require(ad.linear)
    #expect(linear.tracking.map(\.url) == ["o-start", "i-start", "a-start"])
    #expect(linear.clickTrackings.map(\.url) == ["o-click", "i-click", "a-click"])
    #expect(linear.customClicks.map(\.url) == ["o-custom", "i-custom", "a-custom"])
    #expect(ad.wrapperAdIDs == ["next", "end"] && ad.wrapperSystems == ["o-system", "i-system"])
    #expect(ad.wrapperCreativeIDs == ["o-creative", "i-creative"] && ad.ad.system?.name == "a-system")
  }

  @Test("VA-430: the ad's own click-through, skip offset and price count, else the nearest wrapper's")
  func nearest() throws {
    func click(_ url: String) -> String { "<VideoClicks><ClickThrough id='k'>\(url)</ClickThrough></VideoClicks>" }
    let price = { (amount: String) in "<Pricing model='cpm' currency='EUR'>\(amount)</Pricing>" }
    let own = try Self.resolved(
      Self.level("o", linear: click("o"), more: price("1")), Self.level("i", linear: click("i"), more: price("2")),
      Self.level("a", linear: click("a"), more: price("3.25")))
    #expect(own.linear?.clickThrough == VAST.Link("a", id: "k") && own.pricing?.amount == 3.25)
    #expect(own.pricing?.model == "CPM")
    let inner = try Self.resolved(
      Self.level("o", linear: click("o"), more: price("1")), Self.level("i", linear: click("i"), more: price("2")),
      Self.level("a", linear: click(" ")))
    #expect(inner.linear?.clickThrough?.url == "i" && inner.pricing?.amount == 2)
    let outer = try Self.resolved(Self.level("o", linear: click("o"), more: price("1")))
    #expect(outer.linear?.clickThrough?.url == "o" && outer.pricing?.amount == 1)
    let skip = Self.level("x").replacing("<Linear>", with: "<Linear skipoffset='00:00:07'>")
    #expect(try Self.resolved(skip).linear?.skipOffset == .milliseconds(7_000))
    #expect(try Self.resolved(skip, skip.replacing("07", with: "08")).linear?.skipOffset == .milliseconds(8_000))
  }

  @Test("VA-430: of icons of one program only the nearest stays")
  func icons() throws {
    func icons(_ programs: String...) -> String {
      "<Icons>" + programs.map { "<Icon program='\($0)' regs='\($0)'/>" }.joined() + "</Icons>"
    }
    let ad = try Self.resolved(
      Self.level("o", linear: icons("AdChoices", "O", "")), Self.level("i", linear: icons("ADCHOICES", "", "I")),
      Self.level("a", linear: icons("A", "i")))
    #expect(ad.linear?.icons.map { $0.program ?? "" } == ["O", "", "ADCHOICES", "", "A", "i"])
  }

  @Test("VA-430, VA-431: overlays get all trackers of their kind; of another kind nothing is joined")
  func overlays() throws {
    func overlay(_ n: String) -> String {
      "<Creative><NonLinearAds><TrackingEvents><Tracking event='close'>\(n)-close</Tracking></TrackingEvents><NonLinear>"
        + "<NonLinearClickThrough>\(n)-through</NonLinearClickThrough><NonLinearClickTracking>\(n)-click"
        + "</NonLinearClickTracking></NonLinear></NonLinearAds></Creative>"
    }
    let ad = try Self.resolved(
      Self.level("o", creatives: overlay("o")), Self.level("i"),
      "<Creatives>" + overlay("a") + "</Creatives>")
    #expect(ad.linear == nil && !ad.isLinear)
    #expect(ad.nonLinearAds?.tracking.map(\.url) == ["o-close", "a-close"])
    #expect(ad.nonLinearAds?.nonLinears.map { $0.clickTrackings.map(\.url) } == [["o-click", "a-click"]])
    #expect(ad.nonLinearAds?.nonLinears.first?.clickThrough?.url == "a-through")
    let linear = try Self.resolved(Self.level("o", creatives: overlay("o")))
    #expect(linear.nonLinearAds == nil)
  }

  @Test(
    "VA-430, VA-431: wrapper companions follow the ad's, nearest first; those without a picture lend their trackers")
  func companions() throws {
    func companion(_ n: String, picture: Bool = true, required: String = "none") -> String {
      "<Creative><CompanionAds required='\(required)'><Companion id='\(n)'>"
        + (picture ? "<StaticResource>\(n).png</StaticResource>" : "")
        + "<TrackingEvents><Tracking event='creativeView'>\(n)-view</Tracking></TrackingEvents>"
        + "<CompanionClickTracking>\(n)-click</CompanionClickTracking></Companion></CompanionAds></Creative>"
    }
    let ad = try Self.resolved(
      Self.level("o", creatives: companion("o", required: "any") + companion("o2", required: "ALL")),
      Self.level("i", creatives: companion("i", picture: false, required: "all")),
      Self.level("a", creatives: companion("a")))
    #expect(ad.companionAds.map { $0.companions.map(\.id) } == [["a"], ["o", "o2"]])
    #expect(ad.companionAds.map(\.required) == [.none, .all])
    #expect(ad.companionAds.first?.companions.first?.tracking.map(\.url) == ["i-view", "a-view"])
    #expect(ad.companionAds.last?.companions.first?.clickTrackings.map(\.url) == ["i-click", "o-click"])
  }

  @Test("VA-433: wrappers without creatives, or with bare ones, add what they have; their order is irrelevant")
  func bareWrappers() throws {
    for content in ["", "<Creatives/>", "<Creatives><Creative/><Creative><Linear/></Creative></Creatives>"] {
      let ad = try Self.resolved("<Impression>o-imp</Impression>" + content)
      #expect(ad.impressions.map(\.url) == ["o-imp", "i-imp", "a-imp"])
      #expect(ad.linear?.tracking.map(\.url) == ["i-start", "a-start"])
    }
    let companionsFirst = Self.level("o").replacing(
      "<Creatives>", with: "<Creatives><Creative><CompanionAds><Companion/></CompanionAds></Creative>")
    #expect(try Self.resolved(companionsFirst).linear?.tracking.map(\.url) == ["o-start", "i-start", "a-start"])
  }

  @Test("VA-443: of several linear creatives that with the lowest sequence plays, then the first")
  func severalLinears() throws {
    func creatives(_ sequences: [String]) -> String {
      "<Creatives>"
        + sequences.enumerated().map { "<Creative id='\($0)' sequence='\($1)'><Linear/></Creative>" }.joined()
        + "</Creatives>"
    }
    for (sequences, id) in [(["2", "1"], "1"), (["1", "1"], "0"), (["", "1"], "1"), (["", ""], "0")] {
      #expect(try Self.resolved("", "", creatives(sequences)).creative.id == id)
    }
    var run = Resolution(["x": "<VAST version='3.0'><Ad><InLine>\(creatives(["1", "2"]))</InLine></Ad></VAST>"])
    #expect(try run.run("x").diagnostics.contains { $0.code == "ad.extraLinear" })
  }
}
