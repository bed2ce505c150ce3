import Testing

@testable import VideoAds

/// Drives an engine by hand: keeps what it did as short words, and answers fetches from canned documents.
struct EngineHarness {
  var engine: AdsEngine
  var now: Int64 = 0
  private(set) var log: [String] = []
  private(set) var beacons: [Beacon] = []
  private(set) var pending: [BreakFetch: AdFetch] = [:]
  private(set) var timers: [EngineTimer: Int64] = [:]
  private(set) var token: AdPlayerToken?
  private(set) var overlay: OverlayModel?
  private(set) var verification: [VerificationCommand] = []
  var documents: [String: String] = [:]

  static let rendering = EngineRendering(
    preloads: false, selection: MediaSelection(capabilities: AdPlayerCapabilities(mimeTypes: ["video/mp4"])))

  /// An engine of one document.
  init(
    _ text: String,
    _ change: (inout AdsSettings, inout EngineRendering, inout RequestFacts) -> Void = { _, _, _ in }
  ) throws {
    var run = Resolution(["x": text])
    var settings = AdsSettings(sessionID: "s")
    var rendering = Self.rendering
    var request = Self.request
    change(&settings, &rendering, &request)
    run.policy = ResolutionPolicy(settings: settings, request: request)
    engine = AdsEngine(response: try run.run("x"), settings: settings, request: request, rendering: rendering)
  }

  /// An engine whose first ad shows its first frame.
  static func playing(
    _ text: String,
    _ change: (inout AdsSettings, inout EngineRendering, inout RequestFacts) -> Void = { _, _, _ in }
  ) throws -> EngineHarness {
    var harness = try EngineHarness(text, change)
    harness.send(.initialize(content: 0, duration: nil))
    harness.send(.start)
    harness.player(.firstFrame)
    return harness
  }

  /// An engine of a playlist's breaks.
  init(
    playlist breaks: String, documents: [String: String] = [:],
    _ change: (inout AdsSettings, inout EngineRendering) -> Void = { _, _ in }
  ) throws {
    self.init(schedule: try Self.schedule(breaks), documents: documents, change)
  }

  /// An engine of a schedule.
  init(
    schedule: AdSchedule, documents: [String: String] = [:],
    _ change: (inout AdsSettings, inout EngineRendering) -> Void = { _, _ in }
  ) {
    var settings = AdsSettings(sessionID: "s")
    var rendering = Self.rendering
    change(&settings, &rendering)
    engine = AdsEngine(
      schedule: schedule, baseURL: "https://t.test/", settings: settings, request: Self.request,
      rendering: rendering)
    self.documents = documents
  }

  /// The schedule of a playlist's breaks.
  static func schedule(_ breaks: String) throws -> AdSchedule {
    let text = "<VMAP version='1.0'>\(breaks)</VMAP>"
    guard case .vmap(let playlist) = VASTReader.read(Array(text.utf8)).content else { throw NoPlaylist() }
    return AdSchedule(playlist)
  }

  struct NoPlaylist: Error {}
  static let request = RequestFacts(transactionID: "t", correlator: "1")

  /// One AdBreak with a tag that answers with the document of a name.
  static func item(_ offset: String, _ name: String) -> String {
    "<AdBreak timeOffset='\(offset)' breakId='\(name)'><AdSource><AdTagURI>\(name)</AdTagURI></AdSource><TrackingEvents>"
      + ["breakStart", "breakEnd", "error"].map { "<Tracking event='\($0)'>\(name)-\($0)</Tracking>" }.joined()
      + "</TrackingEvents></AdBreak>"
  }

  /// One ad with trackers, of ten seconds.
  static func ad(
    _ id: String, sequence: Int? = nil, skip: String = "",
    media: String = "<MediaFile type='video/mp4'>https://m.test/m.mp4</MediaFile>"
  )
    -> String
  {
    let events = [
      "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "pause", "resume", "mute",
      "creativeView",
    ]
    let tracking = events.map { "<Tracking event='\($0)'>\(id)-\($0)</Tracking>" }.joined()
    let number = sequence.map { " sequence='\($0)'" } ?? ""
    return "<Ad id='\(id)'\(number)><InLine><Error>\(id)-error</Error><Impression>\(id)-imp</Impression><Creatives>"
      + "<Creative><Linear \(skip)><Duration>10</Duration><TrackingEvents>\(tracking)</TrackingEvents><MediaFiles>\(media)"
      + "</MediaFiles></Linear></Creative></Creatives></InLine></Ad>"
  }

  /// Sends an event and gives what it led to, in words.
  @discardableResult
  mutating func send(_ event: EngineEvent) -> [String] {
    let words = engine.handle(event, at: now).compactMap { note($0) }
    log += words
    return words
  }

  private mutating func note(_ action: EngineAction) -> String? {
    switch action {
    case .fetch(let fetch, let document):
      pending[fetch] = document
      return nil
    case .cancelFetches(let id):
      pending = pending.filter { $0.key.breakID != id }
      return nil
    case .load(let token, _, _):
      self.token = token
      return "load"
    case .play(let token): return token == self.token ? "play" : "play old"
    case .pausePlayer: return "hold"
    case .stop: return "stop"
    case .setTimer(let timer, let delay):
      timers[timer] = now + delay
      return nil
    case .clearTimer(let timer):
      timers[timer] = nil
      return nil
    case .emit(let notice): return notice.kind == .log ? nil : notice.kind.rawValue
    case .tellProgress: return nil
    case .requestContentPause: return "PAUSE"
    case .requestContentResume(let at): return "RESUME" + (at.map { " \($0)" } ?? "")
    case .reportError(let error): return "ERROR \(error.code.rawValue)"
    case .beacon(let beacon):
      beacons.append(beacon)
      if case .error(let code) = beacon.scope { return "-> \(code) \(beacon.url)" }
      if case .playlistError(let code) = beacon.scope { return "-> \(code.rawValue) \(beacon.url)" }
      return "-> \(beacon.url)"
    case .overlay(let model):
      overlay = model
      return nil
    case .openLink(let url): return "open \(url)"
    case .companion(let slot, let companion): return "slot \(slot) \(companion?.id ?? "empty")"
    case .verification(let command):
      verification.append(command)
      return nil
    case .setVolume, .adChanged: return nil
    }
  }

  /// Answers everything that is asked for, until nothing is.
  @discardableResult
  mutating func answer() -> [String] {
    var words: [String] = []
    while let (fetch, document) = pending.first {
      pending[fetch] = nil
      let outcome: FetchOutcome
      if let url = try? AdURL(document.url, base: document.base).text, let text = documents[String(url.dropFirst(15))] {
        outcome = .document(VASTReader.read(Array(text.utf8)), url: url)
      } else {
        outcome = .failed(.status(404))
      }
      words += send(.fetched(fetch, outcome))
    }
    return words
  }

  @discardableResult
  mutating func player(_ event: PlaybackReport) -> [String] { token.map { send(.player($0, event)) } ?? [] }

  /// Plays the current ad to its end.
  @discardableResult
  mutating func playThrough() -> [String] {
    var words = player(.firstFrame)
    for time in stride(from: Int64(0), through: 10_000, by: 250) {
      now += 250
      words += player(.position(time))
    }
    return words + player(.ended(10_000))
  }

  /// Lets content play to a position, in steps of 200 ms.
  @discardableResult
  mutating func content(from start: Int64, to end: Int64) -> [String] {
    var words: [String] = []
    for position in stride(from: start, through: end, by: 200) {
      now += 200
      words += send(.contentTime(position))
      words += answer()
    }
    return words
  }

  /// Runs the timers that are due within a time.
  @discardableResult
  mutating func wait(_ time: Int64) -> [String] {
    let end = now + time
    var words: [String] = []
    while let next = timers.filter({ $0.value <= end }).min(by: { $0.value < $1.value }) {
      timers[next.key] = nil
      now = max(now, next.value)
      words += send(.timer(next.key))
    }
    now = end
    return words
  }
}

extension [String] {
  /// Without beacons and what only the player hears.
  var facts: [String] { filter { !$0.hasPrefix("->") && !["load", "play", "stop", "hold"].contains($0) } }
}
