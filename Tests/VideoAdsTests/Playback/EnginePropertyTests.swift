import Foundation
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

  /// How many runs; `TAGWORKS_PROPERTY_RUNS` asks for more.
  private static let runs = ProcessInfo.processInfo.environment["TAGWORKS_PROPERTY_RUNS"].flatMap { Int($0) } ?? 5_000
}

/// One random run, checked as it goes.
private struct RandomRun {
  private static let documents: [String: FetchOutcome] = {
    func vast(_ ads: String) -> FetchOutcome {
      .document(VASTReader.read(Array("<VAST version='4.2'>\(ads)</VAST>".utf8)), url: "https://t.test/x")
    }
    let ad = { (id: String, sequence: Int?) in EngineHarness.ad(id, sequence: sequence, skip: "skipoffset='10%'") }
    let icon = Markup.fallbackIcon.replacing("offset='2' duration='3'", with: "")
    return [
      "one": vast(ad("o", nil)), "spare": vast(ad("p", nil) + ad("q", nil)),
      "pod": vast(ad("a", 1) + ad("b", 2) + ad("s", nil)),
      "icon": vast(
        ad("i", 1).replacing("<MediaFiles>", with: icon + "<MediaFiles>") + ad("j", 2)),
      "empty": vast(""), "wrapped": vast(Markup.wrapper("w", to: "one") + Markup.wrapper("w2", to: "pod")),
      "overlay": vast(
        "<Ad id='n'><InLine><Impression>n-imp</Impression><Creatives><Creative><NonLinearAds><NonLinear minSuggestedDuration="
          + "'00:00:02'><StaticResource creativeType='image/png'>https://o.test/o.png</StaticResource></NonLinear>"
          + "</NonLinearAds></Creative></Creatives></InLine></Ad>"),
      "unplayable": vast(EngineHarness.ad("u", media: "<MediaFile type='video/ogg'>x</MediaFile>")),
      "timeout": .failed(.timedOut),
    ]
  }()
  private static let playlists: [AdSchedule] = [
    ["start one", "5 pod", "end one"], ["start empty", "start pod", "10 wrapped"],
    ["2 one", "3 timeout", "4 spare", "end empty"], ["start icon", "4 icon", "end one"],
    ["start unplayable", "end unplayable"], ["start wrapped"], ["50% pod", "end spare"], ["1 one", "1 pod", "1 empty"],
    ["end timeout"], ["2 overlay", "4 one", "6 overlay"], ["start overlay", "end overlay"],
  ].map { items in
    let breaks = items.map { $0.split(separator: " ").map(String.init) }.map { EngineHarness.item($0[0], $0[1]) }
      .joined()
    let text = "<VMAP version='1.0'>\(breaks)</VMAP>"
    guard case .vmap(let playlist) = VASTReader.read(Array(text.utf8)).content else {
      return AdSchedule(VMAP.Document())
    }
    return AdSchedule(playlist)
  }
  private static let single: [ResolvedResponse] = ["one", "spare", "pod", "icon", "unplayable", "wrapped", "overlay"]
    .compactMap { name in
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
  private var tokens: [AdPlayerToken] = []
  private var lastRequest: EngineAction?
  private var sent: Set<Beacon> = []
  private var isCompleted = false
  private(set) var problem: String?

  init(seed: UInt64) {
    random = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    var settings = AdsSettings(sessionID: "s")
    settings.autoPlayAdBreaks = seed % 5 != 0
    let index = Int(seed / 5 % UInt64(Self.playlists.count + Self.single.count))
    var rendering = EngineHarness.rendering
    rendering.preloads = seed % 3 > 0
    rendering.slots = seed % 2 == 0 ? 2 : 1
    rendering.hasVerificationHost = seed % 7 == 0
    rendering.companionSlots = [CompanionFit.Slot(index: 0, id: nil, size: nil)]
    if index < Self.playlists.count {
      engine = AdsEngine(
        schedule: Self.playlists[index], baseURL: "https://t.test/", settings: settings, request: EngineHarness.request,
        rendering: rendering)
    } else {
      engine = AdsEngine(
        response: Self.single[index - Self.playlists.count], settings: settings, request: EngineHarness.request,
        rendering: rendering)
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
    switch next(26) {
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
    case 17: send(Self.rare(next(12), next(700)))
    default: playerStep()
    }
  }

  /// What happens seldom: the app's life, the container, taps, what ports tell.
  private static func rare(_ kind: Int, _ value: Int) -> EngineEvent {
    let size = AdSize(width: Double(value), height: Double(value))
    let frame = AdRectangle(x: 0, y: 0, width: 1, height: 1)
    switch kind {
    case 0: return .lifecycle([.background, .foreground, .interruptionBegan, .interruptionEnded][value % 4])
    case 1: return .container(ContainerState(size: size, isVisible: value % 3 > 0, isFullscreen: value % 2 == 0))
    case 2, 3:
      return .tap(
        [.ad, .clickThrough, .skip, .icon(0), .icon(0), .closeFallback, .overlay, .closeOverlay][value % 8], nil)
    case 4: return .geometry(AdGeometry(frame: frame, viewport: size, visibleFraction: Double(value) / 700))
    case 5: return .volume(Double(value % 3) / 2)
    case 6: return .customEvent(["closeLinear", "own"][value % 2])
    case 7: return .companion(value % 2, [.shown, .failed, .clicked][value % 3])
    case 8: return .scriptFailed(value % 3)
    case 9: return .customClick(nil)
    default: return .container(ContainerState(size: AdSize(width: 640, height: 360)))
    }
  }

  private mutating func playerStep() {
    // The load that plays, or the one that is made ready beside it.
    guard var token = tokens.suffix(2).dropFirst(next(2)).first ?? tokens.last else { return }
    if next(12) == 0 { token.number -= 1 }
    let events: [PlaybackReport] = [
      .ready(10_000), .soundOnly, .firstFrame, .firstFrame, .position(Int64(next(11_000))),
      .position(Int64(next(11_000))),
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
    case .prepared: 3
    case .container: 4
    case .overlay: 5
    case .overlayAd: 6
    case .overlayClose: 7
    case .companion(let slot): 8 + slot
    case .resolution(let id): 100 + id.index * 1_000 + id.repetition
    }
  }

  /// Lets time pass without anybody doing anything, but for taking back pauses, closing an image and starting what
  /// waits.
  private mutating func settle() {
    for reason in [PauseReason.user, .background, .link, .interruption] { send(.resume(reason)) }
    for _ in 0..<40 where problem == nil {
      fire(all: true)
      send(.tap(.closeFallback, nil))
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
    case .load(let token, _, _): tokens.append(token)
    case .setTimer(let timer, let delay): timers[timer] = now + delay
    case .clearTimer(let timer): timers[timer] = nil
    case .requestContentPause, .requestContentResume:
      let isPause = action == .requestContentPause
      if case .requestContentPause? = lastRequest, isPause { problem = "two pauses" }
      if case .requestContentResume? = lastRequest, !isPause { problem = "two resumes" }
      lastRequest = action
    case .tellProgress: if isCompleted { problem = "progress after allAdsCompleted" }
    case .emit(let notice):
      if isCompleted { problem = "\(notice.kind) after allAdsCompleted" }
      if notice.kind == .allAdsCompleted { isCompleted = true }
    case .beacon(var beacon):
      if ["pause", "resume", "mute", "unmute", "rewind", "playerExpand", "playerCollapse"].contains(beacon.event) {
        return
      }
      beacon.adPosition = nil
      beacon.point = nil
      let isOnce =
        beacon.scope == .tracking || beacon.adIndex == nil && ["breakStart", "breakEnd"].contains(beacon.event)
      if isOnce, !sent.insert(beacon).inserted { problem = "\(beacon.event) twice" }
    default: return
    }
  }
}
