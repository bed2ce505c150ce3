/// Decides what plays, when content stops and goes on, and what is owed (VA-700, VA-703).
///
///     made ─→ ready ──start──→ starting ─→ playing ⇄ paused      (one document)
///       │                        ↑  │  ↖─next ad──┘
///       ├─→ loading ─→ ready ────┘  ├─last ad─→ idle ─→ done
///       └─→ idle ⇄ loading          └─→ overlay ─→ idle         any ─→ destroyed
///
/// A value without clock, thread and callback: the same events give the same actions. Content runs in `idle` and under an
/// `overlay`, and only there; every way into them asks content to go on, so that no failure leaves it stopped.
struct AdsEngine: Sendable {
  enum State: Sendable, Hashable {
    case made
    case idle
    case loading
    case ready
    case starting
    case playing
    case paused
    /// An overlay ad is shown over running content (VA-870).
    case overlay
    case done
    case destroyed
  }

  /// A break whose time has come.
  struct Due: Sendable {
    let id: BreakSource.ID
    /// Content's position then.
    let since: Int64
  }

  /// What follows what is being done.
  ///
  /// One place takes the steps, so that neither many ads nor many breaks that fail at once make calls deeper (VA-1401).
  enum Step: Sendable {
    /// An ad of the break, by its place.
    case ad(Int)
    /// An ad that stands by, in the place of the current one.
    case spare
    /// The breaks that are due.
    case due
  }

  let settings: AdsSettings
  let request: RequestFacts
  let rendering: EngineRendering
  let baseURL: String?
  /// Whether there is one break, which plays at the app's word.
  let isSingle: Bool

  private(set) var schedule: AdSchedule
  private(set) var state = State.made
  private(set) var content = ContentControl()
  private(set) var now: Int64 = 0
  var playhead = PlayheadTracker()
  var contentDuration: Int64?
  var isContentComplete = false
  var resolutions: [BreakSource.ID: BreakResolution] = [:]
  /// Since when breaks have their ads, and which of them had theirs fetched again (VA-217).
  var availableSince: [BreakSource.ID: Int64] = [:]
  var refreshed: Set<BreakSource.ID> = []
  /// The break that the app has started already.
  var startsWhenReady: BreakSource.ID?
  var due: [Due] = []
  /// The break that plays or is ready to.
  var run: BreakRun?
  var pauseReasons: Set<PauseReason> = []
  var isMuted = false
  var volume = 1.0
  /// Nil without a container.
  var container: ContainerState?
  /// When the app left the screen; nil while it is there.
  var backgroundSince: Int64?
  var overlay = OverlayHistory()
  /// The companions in the app's slots; they stay when their ad is over (VA-861).
  var filledSlots: [Int: FilledSlot] = [:]
  var tokens = 0
  /// Content's position up to which playing on changes nothing; nil while that is not known.
  var quietUntil: Int64?
  private var actions: [EngineAction] = []
  private var step: Step?

  /// Makes an engine of a schedule.
  init(
    schedule: AdSchedule, baseURL: String?, settings: AdsSettings, request: RequestFacts, rendering: EngineRendering
  ) {
    self.schedule = schedule
    self.baseURL = baseURL
    self.settings = settings
    self.request = request
    self.rendering = rendering
    isSingle = false
    self.schedule.takeUp()
  }

  /// Makes an engine of one document's ads (VA-500), which come from an ad tag unless the app had them already.
  init(
    response: ResolvedResponse, adTag: String? = nil, settings: AdsSettings, request: RequestFacts,
    rendering: EngineRendering
  ) {
    var item = VMAP.AdBreak()
    item.offset = .start
    item.types = ["linear", "nonlinear"]
    if let adTag {
      item.source = VMAP.AdSource()
      item.source?.content = .adTag(adTag, template: nil)
    }
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
    self.now = now
    if state == .done {
      performAtEnd(event)
    } else {
      perform(event)
      takeSteps()
      if state != .destroyed { refreshOverlay() }
    }
    defer { actions = [] }
    return actions
  }

  /// Nothing is told after `allAdsCompleted` (VA-704), but companions stay, and can be clicked (VA-861).
  private mutating func performAtEnd(_ event: EngineEvent) {
    switch event {
    case .companion, .timer(.companion): perform(event)
    case .destroy:
      emptyCompanionSlots()
      enter(.destroyed)
    default: break
    }
  }

  private mutating func takeSteps() {
    while let next = step {
      step = nil
      quietUntil = nil
      switch next {
      case .ad(let index): playAd(index)
      case .spare: playSpare()
      case .due: pump()
      }
    }
  }

  private mutating func perform(_ event: EngineEvent) {
    if case .contentTime = event {} else { quietUntil = nil }
    switch event {
    case .initialize(let position, let duration): initialize(at: position, duration: duration)
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
    case .player(let token, let report):
      if run?.current.token == token {
        player(report)
      } else if run?.prepared?.token == token {
        preparedAd(report)
      }
    case .mute(let isMuted): setSound(volume: volume, isMuted: isMuted)
    case .volume(let volume): setSound(volume: volume, isMuted: isMuted)
    case .container(let container): setContainer(container)
    case .lifecycle(let event): lifecycle(event)
    case .geometry(let geometry): sample(geometry)
    case .tap(let target, let point): tap(target, at: point)
    case .customClick(let id): customClick(id)
    case .customEvent(let name): customEvent(name)
    case .companion(let slot, let report): companion(slot, report)
    case .scriptFailed(let script): scriptFailed(script)
    }
  }
}

/// What the parts of the engine have in common.
extension AdsEngine {
  mutating func act(_ action: EngineAction) { actions.append(action) }

  /// Has a step taken when what is being done is done.
  mutating func goOn(_ step: Step) { self.step = step }

  mutating func enter(_ state: State) { self.state = state }

  mutating func set(_ state: BreakState, of id: BreakSource.ID) { _ = schedule.set(state, of: id) }

  mutating func setAd(_ state: AdState) {
    guard let run else { return }
    _ = schedule.set(state, ofAd: run.index, of: run.id)
  }

  @discardableResult
  mutating func editSchedule<Result>(_ change: (inout AdSchedule) -> Result) -> Result { change(&schedule) }

  func item(_ id: BreakSource.ID) -> AdSchedule.Break? { schedule.place(of: id).map { schedule.breaks[$0] } }

  mutating func emit(
    _ kind: AdEvent.Kind, of id: BreakSource.ID? = nil, message: String? = nil, code: Int? = nil
  ) {
    let id = id ?? run?.id
    let isAboutAd = id == run?.id
    act(
      .emit(
        EngineNotice(
          kind: kind, breakID: id, adIndex: isAboutAd ? run?.index : nil, message: message,
          code: code, adPosition: isAboutAd ? run?.current.progress?.position : nil)))
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
    goOn(.due)
  }
}
