/// Decides what plays, when content stops and goes on, and what is owed (VA-700, VA-703).
///
///     made ─→ ready ──start──→ starting ─→ playing ⇄ paused      (one document)
///       │                        ↑  │  ↖─next ad──┘
///       ├─→ loading ─→ ready ────┘  └─last ad─→ idle ─→ done
///       └─→ idle ⇄ loading                        any ─→ destroyed
///
/// A value without clock, thread and callback: the same events give the same actions. In `idle`, and only there, content
/// runs; every way into it asks content to go on, so that no failure leaves it stopped.
struct AdsEngine: Sendable {
  enum State: Sendable, Hashable {
    case made
    case idle
    case loading
    case ready
    case starting
    case playing
    case paused
    case done
    case destroyed
  }

  /// What the app sets for playing.
  ///
  /// Times are milliseconds.
  struct Rendering: Sendable {
    var loadTimeout: Int64 = 8_000
    var stallTimeout: Int64 = 10_000
    var prefetchLead: Int64 = 8_000
    var lateStart: Int64 = 5_000
    var playAdsAfter: Int64?
    var seekPolicy = SeekPolicy.lastBreak
    var selection: MediaSelection
  }

  /// A break whose time has come.
  struct Due: Sendable {
    let id: BreakSource.ID
    /// Content's position then.
    let since: Int64
  }

  let settings: AdsSettings
  let request: RequestFacts
  let rendering: Rendering
  let baseURL: String?
  /// Whether there is one break, which plays at the app's word.
  let isSingle: Bool

  private(set) var schedule: AdSchedule
  private(set) var state = State.made
  private(set) var content = ContentControl()
  var playhead = PlayheadTracker()
  var contentDuration: Int64?
  var isContentComplete = false
  var resolutions: [BreakSource.ID: BreakResolution] = [:]
  var due: [Due] = []
  /// The break that plays or is ready to.
  var run: BreakRun?
  var pauseReasons: Set<PauseReason> = []
  var isMuted = false
  var tokens = 0
  private var actions: [EngineAction] = []

  /// Makes an engine of a schedule.
  init(schedule: AdSchedule, baseURL: String?, settings: AdsSettings, request: RequestFacts, rendering: Rendering) {
    self.schedule = schedule
    self.baseURL = baseURL
    self.settings = settings
    self.request = request
    self.rendering = rendering
    isSingle = false
  }

  /// Makes an engine of one document's ads (VA-500).
  init(response: ResolvedResponse, settings: AdsSettings, request: RequestFacts, rendering: Rendering) {
    var item = VMAP.AdBreak()
    item.offset = .start
    schedule = AdSchedule([item])
    baseURL = nil
    self.settings = settings
    self.request = request
    self.rendering = rendering
    isSingle = true
    guard let first = schedule.breaks.first else { return }
    for state in [BreakState.fetching, .available] { _ = schedule.set(state, of: first.id) }
    schedule.setAdCount(response.ads.count, of: first.id)
    run = BreakRun(
      first, ads: response.ads.map { BreakResolution.Found(source: 0, ad: $0, isBumper: false) },
      spares: response.spares.map { (0, $0) })
  }

  /// Takes an event at a monotonic time in milliseconds, and gives what is to be done, in order.
  mutating func handle(_ event: EngineEvent, at now: Int64) -> [EngineAction] {
    if state == .destroyed { return [] }
    if state == .done {
      // Nothing follows `allAdsCompleted` (VA-704).
      if case .destroy = event { enter(.destroyed) }
      return []
    }
    switch event {
    case .initialize(let position, let duration): initialize(at: position, duration: duration, now: now)
    case .start: start()
    case .pause(let reason): pause(for: reason)
    case .resume(let reason): resume(from: reason)
    case .skip: skip()
    case .discard: discard()
    case .destroy: destroy()
    case .contentTime(let position): contentMoved(playhead.sample(position, at: now))
    case .contentSeek(let position): contentMoved(playhead.seek(to: position, at: now))
    case .contentDuration(let duration): setContentDuration(duration)
    case .contentComplete: completeContent()
    case .fetched(let fetch, let outcome): fetched(fetch, outcome)
    case .timer(let timer): fired(timer)
    case .player(let token, let event):
      if run?.current.token == token { player(event) }
    case .mute(let isMuted): setMuted(isMuted)
    case .fullscreen(let isFull): track(isFull ? .playerExpand : .playerCollapse, once: false)
    }
    defer { actions = [] }
    return actions
  }
}

/// What the parts of the engine have in common.
extension AdsEngine {
  mutating func act(_ action: EngineAction) { actions.append(action) }

  mutating func enter(_ state: State) { self.state = state }

  mutating func set(_ state: BreakState, of id: BreakSource.ID) { _ = schedule.set(state, of: id) }

  mutating func setAd(_ state: AdState) {
    guard let run else { return }
    _ = schedule.set(state, ofAd: run.index, of: run.id)
  }

  @discardableResult
  mutating func editSchedule<Result>(_ change: (inout AdSchedule) -> Result) -> Result { change(&schedule) }

  func item(_ id: BreakSource.ID) -> AdSchedule.Break? { schedule.breaks.first { $0.id == id } }

  mutating func emit(_ kind: EngineNotice.Kind, of id: BreakSource.ID? = nil, message: String? = nil) {
    let id = id ?? run?.id
    act(.emit(EngineNotice(kind: kind, breakID: id, adIndex: id == run?.id ? run?.index : nil, message: message)))
  }

  mutating func pauseContent() {
    if content.pause(at: playhead.position) { act(.requestContentPause) }
  }

  mutating func resumeContent() {
    let position = content.pausePosition ?? playhead.position
    if content.resume() { act(.requestContentResume(position)) }
  }

  /// Goes back to content, and on to what is due.
  mutating func goIdle() {
    run = nil
    resumeContent()
    enter(.idle)
    pump()
  }
}
