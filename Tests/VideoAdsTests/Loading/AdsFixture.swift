import Hits
import TestSupport

@testable import VideoAds

/// A loader with all its ports scripted: time moves by hand, documents are canned, beacons are kept.
@MainActor
final class AdsFixture {
  let clock = ManualAdClock()
  let transport: ScriptedTransport
  let sink = RecordingSink()
  let players: SimulatedPlayerFactory
  let links = RecordingLinks()
  var environment: AdsEnvironment
  var loader: AdsLoader
  let playhead = ManualContentPlayhead(duration: 600)
  let listener = Listener()

  init(
    _ documents: [String: String] = [:], settings: AdsSettings = AdsSettings(sessionID: "s"),
    privacy: PrivacySignals = PrivacySignals(),
    media: @escaping @MainActor (AdMedia) -> SimulatedMedia = SimulatedPlayer.asStated,
    change: (inout AdsEnvironment) -> Void = { _ in }
  ) {
    transport = ScriptedTransport { request in
      let name = String(request.url.dropFirst("https://t.test/".count).prefix { $0 != "?" })
      guard let text = documents[name] else { return .status(404) }
      return .response(HTTPResponse(status: 200, body: Array(text.utf8), url: request.url))
    }
    players = SimulatedPlayerFactory(clock: clock, media: media)
    var environment = AdsEnvironment(
      transport: transport, hits: sink, players: players, clock: clock, links: links,
      privacy: FixedPrivacySignals(privacy), time: ManualClock(), random: SeededRandomSource(seed: 7))
    change(&environment)
    self.environment = environment
    loader = AdsLoader(settings: settings, environment: environment)
  }

  /// A request of a canned document that knows where content is.
  func request(_ name: String, container: AdDisplayContainer? = nil) -> AdsRequest {
    AdsRequest(adTagURL: "https://t.test/\(name)", displayContainer: container, contentPlayhead: playhead)
  }

  /// Loads, listens and initialises.
  func start(_ name: String, container: AdDisplayContainer? = nil) async throws -> AdsManager {
    let manager = try await loader.load(request(name, container: container))
    manager.delegate = listener
    manager.initialize()
    return manager
  }

  /// Moves time on by seconds in steps of 0.2 s, content with it while it plays, and lets documents arrive.
  func run(_ manager: AdsManager, seconds: Double) async {
    var left = seconds
    while left > 0.000_1 {
      let step = min(0.2, left)
      if listener.isContentPlaying { playhead.currentTime += step }
      clock.advance(by: step)
      await manager.settle()
      left -= step
    }
  }

  /// The URLs of the beacons so far, without the host.
  var beacons: [String] {
    sink.hits.compactMap { $0.get("url") }.map { url in
      url.hasPrefix("https://t.test/") ? String(url.dropFirst("https://t.test/".count)) : url
    }
  }
}

/// Keeps what a manager tells, and does what an app does.
@MainActor
final class Listener: AdsManagerDelegate {
  var log: [String] = []
  var events: [AdEvent] = []
  var models: [OverlayModel?] = []
  var isContentPlaying = false
  var startsOnLoaded = true
  /// Called inside the callback of an event.
  var onEvent: ((AdsManager, AdEvent) -> Void)?

  func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
    events.append(event)
    if event.kind != .log { log.append(event.kind.rawValue) }
    if event.kind == .loaded, startsOnLoaded { manager.start() }
    onEvent?(manager, event)
  }

  func adsManager(_ manager: AdsManager, didReceive error: AdError) { log.append("ERROR \(error.code.rawValue)") }

  func adsManagerDidRequestContentPause(_ manager: AdsManager) {
    isContentPlaying = false
    log.append("PAUSE")
  }

  func adsManagerDidRequestContentResume(_ manager: AdsManager) {
    isContentPlaying = true
    log.append("RESUME")
  }

  func adsManager(_ manager: AdsManager, overlayDidChange model: OverlayModel?) { models.append(model) }

  var requests: [String] { log.filter { $0 == "PAUSE" || $0 == "RESUME" } }
}

/// Opens nothing, keeps the URLs, and closes when told.
@MainActor
final class RecordingLinks: LinkOpener {
  var opened: [String] = []
  var close: (@MainActor () -> Void)?
  var canOpenAll = true

  func canOpen(_ url: String) -> Bool { canOpenAll }

  func open(_ url: String, closed: @escaping @MainActor () -> Void) {
    opened.append(url)
    close = closed
  }
}

extension Markup {
  /// An ad of ten seconds with absolute URLs, whose trackers are named by the ad and the event.
  static func full(_ id: String, sequence: Int? = nil, skip: String = "", _ more: String = "", linear: String = "")
    -> String
  {
    let events = [
      "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "pause", "resume",
    ]
    let tracking = events.map { "<Tracking event='\($0)'>https://t.test/\(id)-\($0)</Tracking>" }.joined()
    let number = sequence.map { " sequence='\($0)'" } ?? ""
    return """
      <Ad id='\(id)'\(number)><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Error>https://t.test/\(id)-error-[ERRORCODE]</Error>
      <Impression>https://t.test/\(id)-imp</Impression>\(more)<Creatives><Creative><Linear \(skip)><Duration>00:00:10</Duration>
      <TrackingEvents>\(tracking)</TrackingEvents>\(linear)<MediaFiles><MediaFile type='video/mp4' width='640' height='360'>
      https://m.test/\(id).mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>
      """
  }

  static func vmap(_ breaks: String...) -> String {
    "<vmap:VMAP xmlns:vmap='http://www.iab.net/videosuite/vmap' version='1.0'>\(breaks.joined())</vmap:VMAP>"
  }

  static func adBreak(_ offset: String, _ name: String) -> String {
    "<vmap:AdBreak timeOffset='\(offset)' breakType='linear' breakId='\(name)'><vmap:AdSource><vmap:AdTagURI>"
      + "https://t.test/\(name)</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak>"
  }
}
