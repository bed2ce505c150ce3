import Hits
import Testing

@testable import VideoAds

/// Any order of player events, answers, timers, seeks and app calls (VA-1704).
@Suite struct EnginePropertyTests {
  @Test(
    "VA-1704: content is never left paused, pause and resume alternate, once-events go out once, nothing follows the end",
    arguments: 0..<10)
  func randomRuns(_ part: Int) {
    for seed in part * Self.runs / 10..<(part + 1) * Self.runs / 10 {
      var run = RandomRun(seed: UInt64(seed))
      run.play()
      if let problem = run.problem {
        Issue.record("seed \(seed): \(problem)")
        return
      }
    }
  }

  private static let runs = 100_000
}

/// One random run, checked as it goes.
private struct RandomRun {
  private static let documents: [String: FetchOutcome] = {
    func vast(_ ads: String) -> FetchOutcome {
      .document(VASTReader.read(Array("<VAST version='4.2'>\(ads)</VAST>".utf8)), url: "https://t.test/x")
    }
    let ad = { (id: String, sequence: Int?) in EngineHarness.ad(id, sequence: sequence, skip: "skipoffset='10%'") }
    return [
      "one": vast(ad("o", nil)), "spare": vast(ad("p", nil) + ad("q", nil)),
      "pod": vast(ad("a", 1) + ad("b", 2) + ad("s", nil)),
      "empty": vast(""), "wrapped": vast(Markup.wrapper("w", to: "one") + Markup.wrapper("w2", to: "pod")),
      "unplayable": vast(EngineHarness.ad("u", media: "<MediaFile type='video/ogg'>x</MediaFile>")),
      "timeout": .failed(.timedOut),
    ]
  }()
  private static let playlists: [AdSchedule] = [
    ["start one", "5 pod", "end one"], ["start empty", "start pod", "10 wrapped"],
    ["2 one", "3 timeout", "4 spare", "end empty"],
    ["start unplayable", "end unplayable"], ["start wrapped"], ["50% pod", "end spare"], ["1 one", "1 pod", "1 empty"],
    ["end timeout"],
  ].map { items in
    let breaks = items.map { $0.split(separator: " ").map(String.init) }.map { EngineHarness.item($0[0], $0[1]) }
      .joined()
    let text = "<VMAP version='1.0'>\(breaks)</VMAP>"
    guard case .vmap(let playlist) = VASTReader.read(Array(text.utf8)).content else {
      return AdSchedule(VMAP.Document())
    }
    return AdSchedule(playlist)
  }
  private static let single: [ResolvedResponse] = ["one", "spare", "pod", "unplayable", "wrapped"].compactMap { name in
    guard case .document(let result, let url) = documents[name], case .vast(let document) = result.content else {
      return nil
    }
    var resolver = ChainResolver(policy: ResolutionPolicy())
    var actions = resolver.start(document, url: url)
    while let action = actions.first {
      switch action {
      case .finish(let response): return response
      case .fetch(let id, let fetch): actions = resolver.fetched(id, documents[fetch.url] ?? .failed(.unreachable))
      }
    }
    return nil
  }

  private var engine: AdsEngine
  private var random: UInt64
  private var now: Int64 = 0
  private var position: Int64 = 0
  private var pending: [(BreakFetch, AdFetch)] = []
  private var timers: [EngineTimer: Int64] = [:]
  private var token: PlayerToken?
  private var lastRequest: EngineAction?
  private var sent: Set<Beacon> = []
  private var isCompleted = false
  private(set) var problem: String?

  init(seed: UInt64) {
    random = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    var settings = AdsSettings(sessionID: "s")
    settings.autoPlayAdBreaks = seed % 5 != 0
    let index = Int(seed / 5 % 13)
    if index < Self.playlists.count {
      engine = AdsEngine(
        schedule: Self.playlists[index], baseURL: "https://t.test/", settings: settings, request: EngineHarness.request,
        rendering: EngineHarness.rendering)
    } else {
      engine = AdsEngine(
        response: Self.single[index - Self.playlists.count], settings: settings, request: EngineHarness.request,
        rendering: EngineHarness.rendering)
    }
  }

  private mutating func next(_ bound: Int) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(random >> 33) % bound
  }

  mutating func play() {
    if next(10) > 0 {
      send(.initialize(content: next(3) == 0 ? Int64(next(12_000)) : 0, duration: next(2) == 0 ? 20_000 : nil))
    }
    for _ in 0..<(5 + next(60)) where problem == nil { step() }
    settle()
    guard problem == nil else { return }
    if engine.state != .destroyed, engine.state != .made, engine.content.state == .pausedForAds {
      problem = "content is left paused in \(engine.state)"
    }
  }

  private mutating func step() {
    now += Int64(next(400))
    switch next(24) {
    case 0...3:
      position += Int64(next(500))
      send(.contentTime(position))
    case 4: send(.contentTime(Int64(next(25_000))))
    case 5:
      position = Int64(next(25_000))
      send(.contentSeek(position))
    case 6: send(.contentComplete)
    case 7: send(.contentDuration(Int64(10_000 + next(20_000))))
    case 8...10: answer(pending.isEmpty ? 0 : next(pending.count))
    case 11: fire(all: false)
    case 12: send([.start, .skip, .discard, .start][next(4)])
    case 13: send(.pause([.user, .background, .link][next(3)]))
    case 14: send(.resume([.user, .background, .link][next(3)]))
    case 15: send(.mute(next(2) == 0))
    case 16: if next(40) == 0 { send(.destroy) }
    default: playerStep()
    }
  }

  private mutating func playerStep() {
    guard var token else { return }
    if next(12) == 0 { token.number -= 1 }
    let events: [AdPlayerEvent] = [
      .firstFrame, .firstFrame, .position(Int64(next(11_000))), .position(Int64(next(11_000))),
      .duration(Int64(next(15_000))),
      .bufferingBegan, .bufferingEnded, .ended(Int64(next(12_000))), .failed(PlayerFailure.allCases[next(8)]),
    ]
    send(.player(token, events[next(events.count)]))
  }

  private mutating func answer(_ index: Int) {
    guard pending.indices.contains(index) else { return }
    let (fetch, document) = pending.remove(at: index)
    let outcome = next(8) == 0 ? .failed(.unreachable) : Self.documents[document.url] ?? .failed(.status(404))
    send(.fetched(fetch, outcome))
  }

  private mutating func fire(all: Bool) {
    repeat {
      guard let next = timers.min(by: { ($0.value, Self.rank($0.key)) < ($1.value, Self.rank($1.key)) }) else { return }
      timers[next.key] = nil
      now = max(now, next.value)
      send(.timer(next.key))
    } while all && problem == nil
  }

  /// An order of timers that are due together, for runs that repeat exactly.
  private static func rank(_ timer: EngineTimer) -> Int {
    switch timer {
    case .load: 0
    case .stall: 1
    case .frameless: 2
    case .resolution(let id): 3 + id.index * 1_000 + id.repetition
    }
  }

  /// Lets time pass without anybody doing anything, but for taking back pauses and starting what waits.
  private mutating func settle() {
    for reason in [PauseReason.user, .background, .link] { send(.resume(reason)) }
    for _ in 0..<40 where problem == nil {
      fire(all: true)
      if engine.state == .ready { send(.start) }
    }
  }

  private mutating func send(_ event: EngineEvent) {
    let isOver = engine.state == .destroyed
    let actions = engine.handle(event, at: now)
    if isOver, !actions.isEmpty { problem = "an action after destroy" }
    for action in actions { check(action) }
  }

  private mutating func check(_ action: EngineAction) {
    switch action {
    case .fetch(let fetch, let document): pending.append((fetch, document))
    case .load(let token, _): self.token = token
    case .setTimer(let timer, let delay): timers[timer] = now + delay
    case .clearTimer(let timer): timers[timer] = nil
    case .requestContentPause, .requestContentResume:
      let isPause = action == .requestContentPause
      if case .requestContentPause? = lastRequest, isPause { problem = "two pauses" }
      if case .requestContentResume? = lastRequest, !isPause { problem = "two resumes" }
      lastRequest = action
    case .emit(let notice):
      if isCompleted { problem = "\(notice.kind) after allAdsCompleted" }
      if notice.kind == .allAdsCompleted { isCompleted = true }
    case .beacon(var beacon):
      if ["pause", "resume", "mute", "unmute"].contains(beacon.event) { return }
      beacon.adPosition = nil
      let isOnce =
        beacon.scope == .tracking || beacon.adIndex == nil && ["breakStart", "breakEnd"].contains(beacon.event)
      if isOnce, !sent.insert(beacon).inserted { problem = "\(beacon.event) twice" }
    default: return
    }
  }
}
