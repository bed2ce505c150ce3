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
    case single(ResolvedResponse)
    case schedule(AdSchedule, baseURL: String?)
  }

  let context: RequestContext
  private let source: Source
  private let loadVideoTimeout: Double?
  private let prefetchSpread: Double
  private(set) weak var manager: AdsManager?
  weak var delegate: (any AdsManagerDelegate)?
  /// Hears every action as the command line prints it.
  var trace: (@MainActor (PlayRecord) -> Void)?

  private(set) var engine: AdsEngine?
  private var queue: [EngineEvent] = []
  private var isBusy = false
  private var streams: [AsyncStream<AdsManagerEvent>.Continuation] = []
  private var timers: [EngineTimer: AdTimerID] = [:]
  private var fetches: [BreakFetch: Task<Void, Never>] = [:]
  private var lifecycleTask: Task<Void, Never>?
  private var playheadTimer: AdTimerID?
  private var geometryTimer: AdTimerID?
  private var stage: PlayerStage?
  private var page: (any VerificationSession)?
  private var current: CurrentAd?
  private(set) var overlay: OverlayModel?
  private(set) var volume: Float = 1
  private(set) var isMuted = false

  init(source: Source, context: RequestContext, loadVideoTimeout: Double?, prefetchSpread: Double) {
    self.source = source
    self.context = context
    self.loadVideoTimeout = loadVideoTimeout
    self.prefetchSpread = prefetchSpread
    isMuted = context.request.adWillPlayMuted ?? false
    context.isMuted = isMuted
  }

  func attach(_ manager: AdsManager) {
    self.manager = manager
    context.container?.driver = self
  }

  var isSingle: Bool { if case .single = source { true } else { false } }

  var schedule: AdSchedule {
    if let engine { return engine.schedule }
    if case .schedule(let schedule, _) = source { return schedule }
    return AdSchedule([])
  }

  var ad: Ad? { current.map { Ad($0, media: stage?.currentFile) } }

  var playbackInfo: AdPlaybackInfo {
    let progress = engine?.run?.current.progress
    return AdPlaybackInfo(
      currentMediaTime: Double(progress?.position ?? 0) / 1_000,
      totalMediaTime: Double(progress?.duration ?? 0) / 1_000,
      bufferedMediaTime: stage?.buffered ?? 0, isPlaying: engine?.state == .playing)
  }

  /// How many fetches are under way.
  var openFetches: [Task<Void, Never>] { Array(fetches.values) }

  func events() -> AsyncStream<AdsManagerEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: AdsManagerEvent.self)
    if engine?.state == .destroyed { continuation.finish() } else { streams.append(continuation) }
    return stream
  }

  func initialize(_ settings: AdsRenderingSettings) {
    guard engine == nil else { return misuse("initialize was called twice.") }
    let player = context.environment.players.makePlayer()
    let stage = PlayerStage(
      player, captions: EngineRendering.has("captions", context.settings), context.settings.language)
    self.stage = stage
    player?.onEvent = { [weak self, weak stage] token, event in
      if let report = stage?.report(event, of: token) { self?.handle(.player(token, report)) }
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
    if player == nil { misuse("No player can be made.", code: .playerUnavailable) }
    watchLifecycle()
    handle(.initialize(content: context.contentPosition, duration: context.contentDuration))
    if !isSingle { samplePlayhead() }
  }

  private func makeEngine(_ settings: AdsRenderingSettings, _ stage: PlayerStage) -> AdsEngine {
    let rendering = EngineRendering(
      settings, context: context, capabilities: stage.capabilities, loadVideoTimeout: loadVideoTimeout,
      prefetchSpread: prefetchSpread)
    switch source {
    case .single(let response):
      return AdsEngine(
        response: response, settings: context.settings, request: context.request, rendering: rendering)
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
      if case .start = event { misuse("start was called before initialize.") }
      return
    }
    queue.append(event)
    guard !isBusy else { return }
    isBusy = true
    while !queue.isEmpty {
      let event = queue.removeFirst()
      let before = engine?.state
      for action in engine?.handle(event, at: context.environment.clock.now) ?? [] { perform(action) }
      if let state = engine?.state, state != before { record(.state, "\(state)", of: engine?.run?.id) }
      if engine?.state == .destroyed { end() }
    }
    isBusy = false
  }

  private func misuse(_ message: String, code: AdError.Code = .apiMisuse) {
    tell(.ad(AdEvent(kind: .log, ad: nil, breakTime: nil, data: ["message": message, "code": code.rawValue])))
  }
}

/// What the engine wants.
extension EngineDriver {
  private func perform(_ action: EngineAction) {
    switch action {
    case .fetch(let id, let document): fetch(id, document)
    case .cancelFetches(let id):
      for (fetch, task) in fetches where fetch.breakID == id {
        task.cancel()
        fetches[fetch] = nil
      }
    case .load(let token, let file): stage?.load(token, file, of: engine?.run)
    case .play(let token): stage?.play(token)
    case .pausePlayer(let token): stage?.pause(token)
    case .stop(let token): stage?.stop(token)
    case .setVolume(let volume, let isMuted): stage?.player?.setVolume(Float(volume), muted: isMuted)
    case .setTimer(let timer, let delay):
      clear(timer)
      let clock = context.environment.clock
      timers[timer] = clock.schedule(at: clock.now + delay) { [weak self] in
        self?.timers[timer] = nil
        self?.handle(.timer(timer))
      }
    case .clearTimer(let timer): clear(timer)
    case .adChanged(let ad): current = ad
    case .emit(let notice): emit(notice)
    case .requestContentPause:
      context.frozenPosition = context.contentPosition
      tell(.contentPause)
    case .requestContentResume(let position):
      context.frozenPosition = nil
      tell(.contentResume(at: position.map { Double($0) / 1_000 }))
    case .reportError(let error): tell(.error(error))
    case .beacon(let beacon): send(beacon)
    case .overlay(let model):
      overlay = model
      tell(.overlay(model))
    case .companion(let slot, let companion): fill(slot, companion)
    case .openLink(let url): open(url)
    case .verification(let command): verify(command)
    }
  }

  private func clear(_ timer: EngineTimer) {
    if let id = timers.removeValue(forKey: timer) { context.environment.clock.cancel(id) }
  }

  private func fetch(_ id: BreakFetch, _ document: AdFetch) {
    let context = context
    fetches[id] = Task { [weak self] in
      let outcome = await context.fetch(document)
      guard !Task.isCancelled else { return }
      self?.fetches[id] = nil
      self?.handle(.fetched(id, outcome))
    }
  }

  private func emit(_ notice: EngineNotice) {
    if notice.kind == .progress {
      let info = playbackInfo
      return tell(.progress(time: info.currentMediaTime, duration: info.totalMediaTime))
    }
    guard let kind = AdEvent.Kind(rawValue: notice.kind.rawValue) else { return }
    if kind == .started { started() }
    let isAboutAd = notice.adIndex != nil && notice.adIndex == current?.index && notice.breakID == current?.breakID
    let item = notice.breakID.flatMap { id in schedule.breaks.first { $0.id == id } }
    var data: [String: String] = [:]
    data["message"] = notice.message
    if kind == .adBreakFetchError { data["breakID"] = item?.sources.first?.adBreak.id }
    let event = AdEvent(kind: kind, ad: isAboutAd ? ad : nil, breakTime: item?.time?.seconds, data: data)
    let name = notice.message.map { "\(kind.rawValue): \($0)" } ?? kind.rawValue
    record(.event, name, of: notice.breakID, adIndex: notice.adIndex, ad: notice.adPosition)
    tell(.ad(event))
  }

  private func started() {
    context.startedAds += 1
    sampleGeometry()
  }

  private func send(_ beacon: Beacon) {
    let isAboutAd = beacon.adIndex == nil || beacon.adIndex == current?.index && beacon.breakID == current?.breakID
    let sent = context.send(beacon, about: isAboutAd ? current?.ad : nil, media: stage?.currentFile)
    let code: Int? =
      switch beacon.scope {
      case .error(let code): code
      case .playlistError(let code): code.rawValue
      default: nil
      }
    record(
      .beacon, beacon.event, of: beacon.breakID, adIndex: beacon.adIndex, ad: beacon.adPosition,
      url: sent ?? beacon.url,
      code: code)
  }

  private func open(_ url: String) {
    let expansion = MacroExpansion(context.facts(), scope: .clickTracking, random: context.environment.random)
    let links = context.environment.links
    guard let url = ClickTarget(context.settings).url(url, expand: { expansion.expand($0) }), links.canOpen(url) else {
      let data = ["message": "A click leads nowhere: its URL cannot be opened."]
      return tell(.ad(AdEvent(kind: .log, ad: ad, breakTime: nil, data: data)))
    }
    handle(.pause(.link))
    links.open(url) { [weak self] in self?.handle(.resume(.link)) }
  }

  private func fill(_ index: Int, _ companion: VAST.Companion?) {
    guard let slots = context.container?.companionSlots, slots.indices.contains(index) else { return }
    let slot = slots[index]
    slot.companion = companion
    slot.clicked = { [weak self, weak slot] in
      guard let slot, slot.companion != nil else { return }
      self?.handle(.companion(index, .clicked))
      slot.delegate?.companionSlotWasClicked(slot)
    }
    let shown: @MainActor (Bool) -> Void = { [weak self, weak slot] isShown in
      guard companion != nil, let slot, slot.companion == companion else { return }
      self?.handle(.companion(index, isShown ? .shown : .failed))
      if isShown { slot.delegate?.companionSlot(slot, filled: true) }
    }
    if let renderer = slot.renderer { renderer.show(companion, in: slot, shown: shown) } else { shown(true) }
    if companion == nil, engine?.state != .destroyed { slot.delegate?.companionSlot(slot, filled: false) }
  }

  private func verify(_ command: VerificationCommand) {
    switch command {
    case .open(let scripts):
      let partner = (context.settings.omidPartner ?? "unknown").split(separator: "/", maxSplits: 1).map(String.init)
      let page = context.environment.verification?.open(
        scripts,
        context: VerificationContext(
          adSessionID: RequestContext.uuid(context.environment.random), partnerName: partner.first ?? "unknown",
          partnerVersion: partner.count > 1 ? partner[1] : "unknown")
      ) { [weak self] script in self?.handle(.scriptFailed(script)) }
      self.page = page
    case .send(let type, let data):
      page?.send(
        VerificationEvent(type: type, timestamp: context.environment.time.wallMilliseconds, data: data))
    case .finish:
      page?.finish()
      page = nil
    }
  }

  private func buffered(to time: Double) {
    stage?.buffered = time
    tell(.buffered(to: time))
  }

  private func tell(_ event: AdsManagerEvent) {
    record(event)
    if let manager { delegate?.hear(event, of: manager) }
    for stream in streams { stream.yield(event) }
  }
}

/// What the command line prints.
extension EngineDriver {
  private func record(_ event: AdsManagerEvent) {
    guard trace != nil else { return }
    switch event {
    case .error(let error):
      record(.error, error.code.rawValue, of: nil, code: error.vastCode?.rawValue ?? error.vmapCode?.rawValue)
    case .contentPause: record(.content, "pause", of: engine?.run?.id)
    case .contentResume: record(.content, "resume", of: nil)
    case .overlay(let model): record(.overlay, model?.line ?? "none", of: current?.breakID, adIndex: current?.index)
    case .ad, .progress, .buffered: return
    }
  }

  private func record(
    _ kind: PlayRecord.Kind, _ name: String, of id: BreakSource.ID?, adIndex: Int? = nil, ad: Int64? = nil,
    url: String? = nil, code: Int? = nil
  ) {
    guard let trace else { return }
    var record = PlayRecord(time: context.environment.clock.now, kind: kind, name: name, code: code)
    record.content = context.frozenPosition ?? context.contentPosition
    record.ad = ad
    record.breakIndex = id.flatMap { id in schedule.breaks.firstIndex { $0.id == id } }
    record.adIndex = adIndex
    record.url = url
    trace(record)
  }
}

/// What is asked for again and again.
extension EngineDriver {
  private static let sampleTime: Int64 = 200

  private func samplePlayhead() {
    guard engine?.state != .destroyed, engine?.state != .done, context.playhead != nil else { return }
    let clock = context.environment.clock
    playheadTimer = clock.schedule(at: clock.now + Self.sampleTime) { [weak self] in
      guard let self else { return }
      if engine?.content.isStopped == false, let position = context.contentPosition {
        if let duration = context.contentDuration { handle(.contentDuration(duration)) }
        handle(.contentTime(position))
      }
      samplePlayhead()
    }
  }

  private func sampleGeometry() {
    let clock = context.environment.clock
    if let geometryTimer { clock.cancel(geometryTimer) }
    geometryTimer = nil
    guard let provider = context.environment.geometry, let surface = context.container?.surface,
      [.starting, .playing, .paused].contains(engine?.state)
    else { return }
    if engine?.state == .playing { handle(.geometry(provider.geometry(of: surface))) }
    geometryTimer = clock.schedule(at: clock.now + Self.sampleTime) { [weak self] in self?.sampleGeometry() }
  }

  private func watchLifecycle() {
    guard let events = context.environment.lifecycle?.events else { return }
    lifecycleTask = Task { [weak self] in
      for await event in events { self?.handle(.lifecycle(event)) }
    }
  }

  private func end() {
    let clock = context.environment.clock
    for id in timers.values { clock.cancel(id) }
    for id in [playheadTimer, geometryTimer] { if let id { clock.cancel(id) } }
    for task in fetches.values { task.cancel() }
    (timers, fetches) = ([:], [:])
    lifecycleTask?.cancel()
    page?.finish()
    page = nil
    stage?.player?.onEvent = nil
    for slot in context.container?.companionSlots ?? [] { slot.clicked = nil }
    if context.container?.driver === self { context.container?.driver = nil }
    for stream in streams { stream.finish() }
    streams = []
    delegate = nil
  }
}

extension AdsManagerDelegate {
  /// Hears one fact by the method that stands for it.
  fileprivate func hear(_ event: AdsManagerEvent, of manager: AdsManager) {
    switch event {
    case .ad(let event):
      adsManager(manager, didReceive: event)
      if event.kind == .bufferingStarted { adsManagerAdDidStartBuffering(manager) }
      if event.kind == .bufferingEnded || event.kind == .loaded { adsManagerAdPlaybackReady(manager) }
    case .error(let error): adsManager(manager, didReceive: error)
    case .contentPause: adsManagerDidRequestContentPause(manager)
    case .contentResume: adsManagerDidRequestContentResume(manager)
    case .progress(let time, let duration): adsManager(manager, adDidProgressTo: time, total: duration)
    case .buffered(let time): adsManager(manager, adDidBufferTo: time)
    case .overlay(let model): adsManager(manager, overlayDidChange: model)
    }
  }
}
