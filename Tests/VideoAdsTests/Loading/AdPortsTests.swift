import Hits
import TestSupport
import Testing

@testable import VideoAds

/// What reaches the ports beside the player's commands.
@Suite @MainActor struct AdPortsTests {
  typealias M = Markup

  @Test("VA-604: captions go to the player, the one nearest to the language first; switched off they do not")
  func captions() async throws {
    let captions =
      "</MediaFiles><ClosedCaptionFiles><ClosedCaptionFile type='text/vtt' language='fr'>https://m.test/fr.vtt"
      + "</ClosedCaptionFile><ClosedCaptionFile type='text/vtt' language='de-AT'>https://m.test/de.vtt</ClosedCaptionFile>"
      + "</ClosedCaptionFiles>"
    for (isOn, expected) in [(true, ["de-AT", "fr"]), (false, [])] {
      var settings = AdsSettings(sessionID: "s")
      settings.language = "de"
      settings.features = ["captions": isOn]
      var seen: [String?] = []
      let text = M.vast(M.full("a").replacing("</MediaFiles>", with: captions))
      let inside = text.replacing("</MediaFiles><ClosedCaptionFiles>", with: "<ClosedCaptionFiles>")
        .replacing("</ClosedCaptionFiles>", with: "</ClosedCaptionFiles></MediaFiles>")
      let fixture = AdsFixture(["a": inside], settings: settings) { media in
        seen = media.captions.map(\.language)
        return SimulatedMedia()
      }
      let manager = try await fixture.start("a")
      await fixture.run(manager, seconds: 1)
      #expect(seen == expected)
    }
  }

  @Test("VA-1006: an obstruction's reason has at most 50 letters, digits and blanks")
  func obstructions() {
    let view = SurfaceID("v")
    #expect(FriendlyObstruction(view: view, purpose: .closeAd, reason: "Close <b>!").reason == "Close b")
    #expect(
      FriendlyObstruction(view: view, purpose: .other, reason: String(repeating: "x", count: 60)).reason.count == 50)
    let container = AdDisplayContainer(surface: view)
    container.register(FriendlyObstruction(view: view, purpose: .mediaControls))
    #expect(container.friendlyObstructions.count == 1)
    container.unregisterAll()
    #expect(container.friendlyObstructions.isEmpty)
  }

  @MainActor
  private final class Geometry: ViewGeometryProvider {
    var fraction = 1.0

    func geometry(of surface: SurfaceID) -> AdGeometry? {
      AdGeometry(
        frame: AdRectangle(x: 0, y: 0, width: 640, height: 360), viewport: AdSize(width: 640, height: 360),
        visibleFraction: fraction)
    }
  }

  @Test("VA-820: the geometry port is asked five times a second, and an ad seen for two seconds is viewable")
  func geometry() async throws {
    let viewable =
      "<ViewableImpression><Viewable>https://t.test/seen</Viewable><NotViewable>https://t.test/unseen</NotViewable>"
      + "</ViewableImpression>"
    let geometry = Geometry()
    let fixture = AdsFixture(["a": M.vast(M.full("a", viewable))], change: { $0.geometry = geometry })
    let container = AdDisplayContainer(surface: SurfaceID("v"))
    let manager = try await fixture.start("a", container: container)
    await fixture.run(manager, seconds: 1.8)
    #expect(!fixture.beacons.contains("seen"))
    await fixture.run(manager, seconds: 0.6)
    #expect(fixture.beacons.contains("seen") && fixture.listener.log.contains("viewable"))
  }

  private static let verified = M.full(
    "a",
    "<AdVerifications><Verification vendor='v'><JavaScriptResource apiFramework='omid'>https://v.test/v.js"
      + "</JavaScriptResource><TrackingEvents><Tracking event='verificationNotExecuted'>https://t.test/not-[REASON]"
      + "</Tracking></TrackingEvents></Verification></AdVerifications>")

  @Test("VA-900, VA-903, VA-904, VA-906: the page hears the session, and what it could not run is told")
  func verification() async throws {
    var settings = AdsSettings(sessionID: "s")
    settings.omidPartner = "Tester/2"
    let pages = RecordingPages()
    let fixture = AdsFixture(["a": M.vast(Self.verified)], settings: settings, change: { $0.verification = pages })
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 3)
    pages.reports.last?(0)
    await fixture.run(manager, seconds: 9)
    #expect(
      pages.log == [
        "open [\"https://v.test/v.js\"] for Tester 2", "sessionStart", "loaded", "impression", "start", "firstQuartile",
        "midpoint", "thirdQuartile", "complete", "finish",
      ])
    #expect(fixture.beacons.filter { $0.hasPrefix("not") || $0.contains("410") } == ["not-3", "a-error-410"])
  }

  @Test("VA-903: the impression tells the scripts what of the ad is seen, and nothing where nobody knows")
  func impressionGeometry() async throws {
    let pages = RecordingPages()
    let fixture = AdsFixture(
      ["a": M.vast(Self.verified)],
      change: {
        $0.verification = pages
        $0.geometry = Geometry()
      })
    let manager = try await fixture.start("a", container: AdDisplayContainer(surface: SurfaceID("v")))
    await fixture.run(manager, seconds: 2)
    let seen = pages.impression?["adView"]
    #expect(seen?["percentageInView"] == .double(100) && seen?["geometry"]?["width"] == .double(640))
    #expect(pages.log.count { $0 == "geometryChange" } == 0, "it is told once")
    let blind = RecordingPages()
    let other = AdsFixture(["a": M.vast(Self.verified)], change: { $0.verification = blind })
    await other.run(try await other.start("a"), seconds: 2)
    #expect(blind.impression == .map([:]))
  }

  @Test("VA-1205, VA-1202: under GDPR without purpose 7 no script runs: reason 1; without purpose 1 no cookie is kept")
  func consent() async throws {
    let pages = RecordingPages()
    var privacy = PrivacySignals()
    privacy.tcf = PrivacySignals.TCF(gdprApplies: true, tcString: "CO", purposes: [1])
    let fixture = AdsFixture(["a": M.vast(Self.verified)], privacy: privacy, change: { $0.verification = pages })
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 3)
    #expect(pages.log.isEmpty && fixture.beacons.contains("not-1") && fixture.beacons.contains("a-imp"))
  }

  @Test("VA-850: while the page of a click is open the ad stands still")
  func links() async throws {
    let clicks = "<VideoClicks><ClickThrough>https://c.test/?t=[ADTYPE]</ClickThrough></VideoClicks>"
    let fixture = AdsFixture(["a": M.vast(M.full("a", linear: clicks))])
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 2)
    manager.tap(.clickThrough)
    await fixture.run(manager, seconds: 30)
    #expect(fixture.links.opened == ["https://c.test/?t=video"] && manager.playbackInfo.currentMediaTime <= 2.2)
    fixture.links.close?()
    await fixture.run(manager, seconds: 9)
    #expect(
      fixture.listener.log.filter { ["clicked", "pause", "resume"].contains($0) } == ["clicked", "pause", "resume"])
    fixture.links.canOpenAll = false
    let again = try await fixture.start("a")
    await fixture.run(again, seconds: 2)
    again.tap(.ad)
    #expect(fixture.links.opened.count == 1 && again.playbackInfo.isPlaying)
  }

  @Test("VA-814: macros tell content's position as it was when it was paused")
  func frozenPosition() async throws {
    let ad = M.full("a", "<Impression>https://t.test/at-[CONTENTPLAYHEAD]-[ADCOUNT]-[BREAKPOSITION]</Impression>")
    let fixture = AdsFixture(["m": M.vmap(M.adBreak("00:00:10", "a")), "a": M.vast(ad)])
    let manager = try await fixture.start("m")
    await fixture.run(manager, seconds: 11)
    #expect(fixture.beacons.contains("at-00%3A00%3A10.000-1-2"))
  }

  @Test("TW 5: a schedule with mid-rolls and without a playhead plays its pre-roll and says what is missing")
  func noPlayhead() async throws {
    let fixture = AdsFixture([
      "m": M.vmap(M.adBreak("start", "a"), M.adBreak("00:00:10", "a")), "a": M.vast(M.full("a")),
    ])
    let manager = try await fixture.loader.load(AdsRequest(adTagURL: "https://t.test/m"))
    manager.delegate = fixture.listener
    manager.initialize()
    await fixture.run(manager, seconds: 12)
    #expect(fixture.beacons.contains("a-imp") && fixture.listener.requests == ["PAUSE", "RESUME"])
    #expect(fixture.listener.events.contains { $0.data["message"] == "contentPlayheadMissing" })
  }
}
