import Foundation
import Testing

@testable import VideoAds

/// Single rules of the engine, each by its number.
@Suite struct EngineRuleTests {
  typealias H = EngineHarness

  private static let documents = ["a": Markup.vast(H.ad("a")), "b": Markup.vast(H.ad("b")), "x": Markup.vast()]

  @Test("VA-700: the same events give the same actions")
  func deterministic() throws {
    func run() throws -> [String] {
      var h = try H(playlist: H.item("start", "a") + H.item("5", "b") + H.item("end", "x"), documents: Self.documents)
      h.send(.initialize(content: 0, duration: 60_000))
      h.answer()
      h.playThrough()
      h.content(from: 0, to: 5_000)
      h.playThrough()
      h.send(.contentComplete)
      return h.log
    }
    #expect(try run() == run())
  }

  @Test(
    "VA-514, VA-535: of a schedule that was kept, what was asked for is asked for again, and what played does not return",
    arguments: [
      [], [.fetching], [.fetching, .available], [.fetching, .available, .playing],
      [.fetching, .available, .playing, .played], [.fetching, .failed],
    ] as [[BreakState]])
  func keptSchedule(states: [BreakState]) throws {
    var schedule = try H.schedule(H.item("5", "a") + H.item("end", "b"))
    let id = schedule.breaks[0].id
    for state in states { _ = schedule.set(state, of: id) }
    if states.contains(.available) { schedule.setAdCount(3, of: id) }
    if states.contains(.playing) {
      for state in [AdState.playing, .played] { _ = schedule.set(state, ofAd: 0, of: id) }
      _ = schedule.set(.playing, ofAd: 1, of: id)
    }
    let kept = try JSONDecoder().decode(AdSchedule.self, from: try JSONEncoder().encode(schedule))
    var h = H(schedule: kept, documents: Self.documents)
    h.send(.initialize(content: 5_000, duration: 60_000))
    h.answer()
    if states.count < 3, states != [.fetching, .failed] {
      #expect(h.log.facts == ["loaded", "PAUSE", "adBreakStarted"] && h.log.suffix(2) == ["load", "play"])
      h.playThrough()
      #expect(h.engine.schedule.breaks[0].state == .played && h.engine.schedule.breaks[0].ads == [.played])
    } else {
      #expect(h.log == ["RESUME 5000"])
      #expect(h.engine.schedule.breaks[0].state == (states.last == .failed ? .failed : .played))
      if states.last == .playing { #expect(h.engine.schedule.breaks[0].ads == [.played, .discarded, .discarded]) }
    }
    #expect(h.log.facts.last == "RESUME 5000")
    h.send(.contentComplete)
    h.answer()
    #expect(h.playThrough().facts.contains("complete") && h.log.last == "allAdsCompleted")
  }

  @Test("VA-730: no two pause requests and no two resume requests follow each other")
  func contentStates() {
    var control = ContentControl()
    #expect(control.resume() && !control.resume() && control.pause(at: 1) && !control.pause(at: 2) && control.resume())
    var held = ContentControl()
    #expect(held.pause(at: nil) && held.resume() && !held.isStopped)
  }

  @Test(
    "VA-531, VA-532: documents are asked for 8 s before; of two breaks due at once the later starts after the earlier")
  func dueTogether() throws {
    var h = try H(playlist: H.item("20", "a") + H.item("21", "b"), documents: Self.documents)
    h.send(.initialize(content: 0, duration: 600_000))
    h.send(.contentTime(0))
    h.now += 11_900
    h.send(.contentTime(11_900))
    #expect(h.pending.isEmpty)
    h.now += 200
    h.send(.contentTime(12_000))
    #expect(h.pending.count == 1)
    h.answer()
    h.now += 9_000
    h.send(.contentTime(21_000))
    h.answer()
    h.playThrough()
    h.playThrough()
    #expect(h.log.filter { $0.hasSuffix("-imp") } == ["-> a-imp", "-> b-imp"])
    #expect(h.log.filter { $0 == "PAUSE" }.count == 2)
  }

  @Test("VA-546, VA-547: a break that fails tells its VMAP code once to its own trackers, and one event to the app")
  func failedBreak() throws {
    var h = try H(playlist: H.item("start", "x") + H.item("5", "a"), documents: Self.documents)
    h.send(.initialize(content: 0, duration: 60_000))
    h.answer()
    #expect(
      h.log.filter { $0 == "-> 1004 x-error" }.count == 1 && h.log.filter { $0 == "adBreakFetchError" }.count == 1)
    #expect(!h.log.contains { $0.hasPrefix("ERROR") })
  }

  @Test("VA-721, VA-722: all ads of a break fail: one resume, later breaks stay; an error only when nothing is left")
  func failedAds() throws {
    var h = try H(playlist: H.item("start", "a") + H.item("5", "b"), documents: Self.documents)
    h.send(.initialize(content: 0, duration: 60_000))
    h.answer()
    #expect(h.player(.failed(.notFound)).facts == ["adBreakFetchError", "adBreakEnded", "RESUME 0"])
    h.content(from: 0, to: 5_000)
    #expect(
      h.player(.failed(.notFound)).facts == [
        "adBreakFetchError", "adBreakEnded", "ERROR mediaNotFound", "RESUME 5000", "allAdsCompleted",
      ])
  }

  @Test(
    "VA-722: breaks that are all known to have no ad tell one error, with the last of them", arguments: [false, true])
  func oneError(isLastPlayable: Bool) throws {
    let last = isLastPlayable ? "a" : "x"
    var h = try H(playlist: H.item("2", "x") + H.item("4", "x") + H.item("6", last), documents: Self.documents)
    h.send(.initialize(content: 0, duration: 60_000))
    var words = h.content(from: 0, to: 6_000)
    if isLastPlayable { words += h.player(.failed(.notFound)) }
    #expect(words.facts.filter { $0.hasPrefix("ERROR") } == [isLastPlayable ? "ERROR mediaNotFound" : "ERROR noAds"])
    #expect(words.filter { $0 == "adBreakFetchError" }.count == 3 && words.last == "allAdsCompleted")
    #expect(words.count { $0 == "-> 1004 x-error" } == (isLastPlayable ? 2 : 3))
  }

  @Test("VA-722: a break that fails before an earlier one is reported does not tell an error of its own")
  func errorOutOfOrder() throws {
    var h = try H(playlist: H.item("5", "a") + H.item("6", "x"), documents: Self.documents)
    h.send(.initialize(content: 0, duration: 60_000))
    h.content(from: 0, to: 5_000)
    #expect(!h.player(.failed(.notFound)).contains { $0.hasPrefix("ERROR") }, "the break at 6 s is to be told yet")
    #expect(h.content(from: 5_000, to: 6_000).facts == ["adBreakFetchError", "ERROR noAds", "allAdsCompleted"])
  }

  @Test("VA-735, VA-704: a post-roll's resume request comes like any other, then allAdsCompleted, once and last")
  func postroll() throws {
    var h = try H(playlist: H.item("end", "a"), documents: Self.documents)
    h.send(.initialize(content: 0, duration: 10_000))
    h.content(from: 0, to: 10_000)
    h.send(.contentComplete)
    h.answer()
    #expect(h.playThrough().suffix(2) == ["RESUME 10000", "allAdsCompleted"])
    #expect(h.send(.start) == [] && h.send(.contentComplete) == [])
  }

  @Test("VA-804, VA-805, VA-806: aliases at their event, wrappers' trackers first, equal URLs once")
  func trackers() throws {
    let tracking = { (urls: String...) in
      "<Creatives><Creative><Linear><TrackingEvents>"
        + urls.map { "<Tracking event='start'>\($0)</Tracking>" }.joined() + "<Tracking event='expand'>grow</Tracking>"
        + "</TrackingEvents>"
    }
    var run = Resolution([
      "x": Markup.vast(Markup.wrapper("w", to: "y", "", tracking("w1", "same") + "</Linear></Creative></Creatives>")),
      "y": Markup.vast(
        "<Ad id='a'><InLine>" + tracking("a1", "same", "a2")
          + "<Duration>10</Duration><MediaFiles><MediaFile type='video/mp4'>https://m.test/m</MediaFile></MediaFiles></Linear></Creative>"
          + "</Creatives></InLine></Ad>"),
    ])
    var h = try H(Markup.vast(H.ad("z")))
    h.engine = AdsEngine(
      response: try run.run("x"), settings: AdsSettings(sessionID: "s"), request: H.request, rendering: H.rendering)
    h.engine.container = ContainerState(size: AdSize(width: 640, height: 360))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    #expect(h.player(.firstFrame).filter { $0.hasPrefix("->") } == ["-> w-imp", "-> w1", "-> same", "-> a1", "-> a2"])
    #expect(h.send(.container(ContainerState(size: AdSize(width: 1, height: 1), isFullscreen: true))) == ["-> grow"])
  }

  @Test("VA-910: an interactive file is not run: 409 once, and the media plays; without media it is 403")
  func interactive() throws {
    let file = "<InteractiveCreativeFile apiFramework='SIMID'>https://i.test/</InteractiveCreativeFile>"
    let h = try H.playing(
      Markup.vast(H.ad("a", media: "<MediaFile type='video/mp4'>https://m.test/m</MediaFile>" + file)))
    #expect(h.log.filter { $0 == "-> 409 a-error" }.count == 1 && h.engine.state == .playing)
    let none = try H.playing(Markup.vast(H.ad("a", media: file)))
    #expect(none.log.contains("-> 403 a-error"))
  }

  @Test("VA-1102: what players report becomes the code of its kind")
  func failures() {
    let codes: [PlayerFailure: Int] = [
      .notFound: 401, .server: 400, .timedOut: 402, .unsupported: 403, .decode: 405, .refusedSource: 400, .output: 400,
      .other: 400,
    ]
    #expect(codes.count == PlayerFailure.allCases.count)
    for (failure, code) in codes { #expect(failure.code.rawValue == code) }
  }

  @Test("VA-1301: the kinds of events are those of the list")
  func kinds() {
    let names =
      "adBreakReady adBreakFetchError adBreakStarted adBreakEnded allAdsCompleted clicked complete cuePointsChanged firstQuartile "
      + "iconFallbackImageClosed iconTapped loaded log midpoint pause resume skipped started tapped thirdQuartile impression "
      + "bufferingStarted bufferingEnded skippableStateChanged viewable userClosed overlayShown overlayClosed"
    #expect(AdEvent.Kind.allCases.map(\.rawValue).sorted() == names.split(separator: " ").map(String.init).sorted())
  }

  @Test("VA-1203: coppa and limited tracking withhold ids and place")
  func withheld() {
    var signals = PrivacySignals()
    signals.isTrackingAuthorized = true
    #expect(signals.permitsIdentifiers && signals.permitsLocation)
    signals.limitAdTracking = true
    #expect(!signals.permitsIdentifiers && !signals.permitsLocation)
    signals.limitAdTracking = nil
    signals.coppa = true
    #expect(!signals.permitsIdentifiers && !signals.permitsLocation)
  }
}
