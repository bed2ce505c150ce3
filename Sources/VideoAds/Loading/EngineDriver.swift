import Hits

/// Runs an engine against the ports: feeds it what happens, and performs what it wants, each fully and in order
/// (VA-700, VA-710).
///
/// A call that comes while one is performed waits in the queue. Timers, player, fetches and pages hold the driver weakly;
/// only the manager keeps it.
@MainActor
final class EngineDriver {
  /// What plays.
  enum Source {
    /// One document's ads; the ad tag is nil when the app had them already.
    case single(ResolvedResponse, adTag: String?)
    case schedule(AdSchedule, baseURL: String?)
  }

  let context: RequestContext
  let audience = AdsAudience()
  private let source: Source
  private let loadVideoTimeout: Double?
  private let prefetchSpread: Double

  private(set) var engine: AdsEngine?
  private var queue: [EngineEvent] = []
  private var isBusy = false
  private(set) var volume: Float = 1
  private(set) var isMuted = false

  // What performing the engine's actions keeps.
  let timers: EngineTimers
  var fetches: [BreakFetch: Task<Void, Never>] = [:]
  private(set) var stage: PlayerStage?
  lazy var page = VerificationPage(context) { [weak self] script in self?.handle(.scriptFailed(script)) }
  lazy var companions = CompanionPlaces(context.container) { [weak self] in self?.handle(.companion($0, $1)) }
  var current: CurrentAd? { didSet { told = nil } }
  /// The ad as the app was told of it last, and the load that plays: telling it again costs nothing then.
  var told: (ad: Ad, token: AdPlayerToken?)?
  var overlay: OverlayModel?

  // What is asked for again and again.
  lazy var playheadSampling = Sampling(context.environment.clock) { [weak self] in self?.samplePlayhead() ?? false }
  lazy var geometrySampling = Sampling(context.environment.clock) { [weak self] in self?.sampleGeometry() ?? false }
  var listening: [Task<Void, Never>] = []
  /// The duration of content that the engine was told last.
  var toldDuration: Int64?

  init(source: Source, context: RequestContext, loadVideoTimeout: Double?, prefetchSpread: Double) {
    self.source = source
    self.context = context
    self.loadVideoTimeout = loadVideoTimeout
    self.prefetchSpread = prefetchSpread
    timers = EngineTimers(context.environment.clock)
    isMuted = context.request.adWillPlayMuted ?? false
    context.isMuted = isMuted
  }

  func attach(_ manager: AdsManager) {
    audience.manager = manager
    context.container?.driver = self
  }

  var isSingle: Bool { if case .single = source { true } else { false } }

  var schedule: AdSchedule {
    if let engine { return engine.schedule }
    if case .schedule(let schedule, _) = source { return schedule }
    return AdSchedule([])
  }

  var playbackInfo: AdPlaybackInfo {
    let progress = engine?.run?.current.progress
    return AdPlaybackInfo(
      currentMediaTime: Double(progress?.position ?? 0) / 1_000,
      totalMediaTime: Double(progress?.duration ?? 0) / 1_000,
      bufferedMediaTime: stage?.buffered ?? 0, isPlaying: engine?.state == .playing)
  }

  func initialize(_ settings: AdsRenderingSettings) {
    guard engine == nil else { return log("initialize was called twice.", code: .apiMisuse) }
    let player = context.environment.players.makePlayer()
    let stage = PlayerStage(
      player, captions: EngineRendering.has("captions", context.settings), context.settings.language)
    self.stage = stage
    player?.onEvent = { [weak self, weak stage] token, event in
      if let report = stage?.report(event, of: token) { self?.heard(report, of: token) }
      if case .buffered(let time) = event { self?.buffered(to: time) }
    }
    player?.setVolume(volume, muted: isMuted)
    context.mimeTypes = player?.capabilities.mimeTypes ?? []
    context.clickType = settings.clickArea == .full ? 1 : 2
    var engine = makeEngine(settings, stage)
    engine.isMuted = isMuted
    engine.volume = Double(volume)
    engine.container = context.container?.state
    self.engine = engine
    if player == nil { log("No player can be made.", code: .playerUnavailable) }
    logDiagnostics()
    watchLifecycle()
    toldDuration = context.contentDuration
    handle(.initialize(content: context.contentPosition, duration: toldDuration))
    if !isSingle { watchPlayhead() }
  }

  private func heard(_ report: PlaybackReport, of token: AdPlayerToken) {
    if report == .firstFrame { _ = sampleGeometry() }
    handle(.player(token, report))
  }

  private func makeEngine(_ settings: AdsRenderingSettings, _ stage: PlayerStage) -> AdsEngine {
    let rendering = EngineRendering(
      settings, context: context, capabilities: stage.capabilities, loadVideoTimeout: loadVideoTimeout,
      prefetchSpread: prefetchSpread)
    switch source {
    case .single(let response, let adTag):
      return AdsEngine(
        response: response, adTag: adTag, settings: context.settings, request: context.request, rendering: rendering)
    case .schedule(let schedule, let baseURL):
      return AdsEngine(
        schedule: schedule, baseURL: baseURL, settings: context.settings, request: context.request,
        rendering: rendering)
    }
  }

  func setVolume(_ volume: Float) {
    guard volume.isFinite else { return }
    self.volume = min(max(volume, 0), 1)
    handle(.volume(Double(self.volume)))
  }

  func setMuted(_ isMuted: Bool) {
    self.isMuted = isMuted
    context.isMuted = isMuted || volume == 0
    handle(.mute(isMuted))
  }

  /// Takes an event, at once or after those before it.
  func handle(_ event: EngineEvent) {
    guard engine != nil else {
      if case .destroy = event { return end() }
      if case .start = event { log("start was called before initialize.", code: .apiMisuse) }
      return
    }
    // Who is told to stop is heard no more, whatever is still to be done of the event at hand (VA-734).
    if case .destroy = event { audience.leave() }
    queue.append(event)
    guard !isBusy else { return }
    isBusy = true
    while !queue.isEmpty {
      let event = queue.removeFirst()
      let before = engine?.state
      for action in engine?.handle(event, at: context.environment.clock.now) ?? [] { perform(action) }
      if let state = engine?.state, state != before { record(state) }
      if engine?.state == .destroyed { end() }
    }
    isBusy = false
  }

  private func end() {
    timers.clearAll()
    playheadSampling.stop()
    geometrySampling.stop()
    for task in fetches.values { task.cancel() }
    for task in listening { task.cancel() }
    fetches = [:]
    page.close()
    stage?.player?.onEvent = nil
    companions.leave()
    if context.container?.driver === self { context.container?.driver = nil }
    audience.leave()
  }
}
