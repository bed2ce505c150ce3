/// Breaks and content's time: what is fetched, what is due, what is left (VA-513, VA-530 to VA-537).
extension AdsEngine {
  private static let resolutionTimeout: Int64 = 15_000
  private static let preparationTimeout: Int64 = 2_000

  mutating func initialize(at position: Int64?, duration: Int64?) {
    guard state == .made else { return emit(.log, message: "initialize was called twice") }
    if let position { _ = playhead.sample(position, at: now) }
    if isSingle { return getReady() }
    if position == nil, schedule.breaks.contains(where: { $0.time != .preroll }) {
      emit(.log, message: AdError.Code.contentPlayheadMissing.rawValue)
    }
    sendRejections()
    setContentDuration(duration)
    let after = rendering.playAdsAfter
    let first = editSchedule { $0.start(at: position ?? 0, playAdsAfter: after) }
    guard let first else { return goIdle() }
    enter(.loading)
    makeDue(first, at: position ?? 0)
    pump()
  }

  /// Makes the one break ready, its first ad's media prepared (VA-610).
  private mutating func getReady() {
    if let run {
      let limited = BreakLimitation(request.breakLimits).apply(to: run.ads)
      self.run = BreakRun(run.item, ads: limited.kept, spares: Array(run.spares))
      oweUnplayed(limited.cut, of: run.id)
    }
    guard let run, !run.ads.isEmpty else {
      for item in schedule.breaks { set(.failed, of: item.id) }
      return goIdle()
    }
    availableSince[run.id] = now
    enter(.ready)
    prepare(0)
    if self.run?.prepared == nil { return emitLoaded() }
    act(.setTimer(.prepared, Self.preparationTimeout))
  }

  private mutating func sendRejections() {
    for rejection in schedule.rejections {
      for url in rejection.urls {
        act(.beacon(Beacon(url: url, event: "error", scope: .playlistError(rejection.code))))
      }
    }
  }

  mutating func setContentDuration(_ duration: Int64?) {
    if let duration, let known = contentDuration, abs(duration - known) <= 1_000 { return }
    if let duration { contentDuration = duration }
    if isSingle { return }
    let opportunities = request.content?.breakOpportunities ?? []
    let times = opportunities.filter { 0...1e9 ~= $0 }.map { Int64(($0 * 1_000).rounded()) }
    let (known, kept) = (contentDuration, Set(due.map(\.id)))
    let isChanged = editSchedule { $0.place(duration: known, opportunities: times, keeping: kept) }
    if isChanged, state != .made { emit(.cuePointsChanged) }
  }

  mutating func contentMoved(_ move: PlayheadTracker.Move) {
    guard !isSingle, state != .made, state != .done else { return }
    var passed: [BreakSource.ID] = []
    let position: Int64
    switch move {
    case .first(let now): position = now
    case .played(let before, let now):
      if let quietUntil, before <= now, now < quietUntil { return }
      position = now
      if before < now {
        passed = schedule.breaks(soughtOver: before...now, policy: .all)
        passed += unreported.filter { $0.time?.milliseconds.map { before < $0 && $0 <= now } ?? false }.map(\.id)
      }
    case .sought(let before, let now):
      position = now
      if before < now { passed = schedule.breaks(soughtOver: before...now, policy: rendering.seekPolicy) }
    }
    if position < 1_000 { isContentComplete = false }
    for id in passed where !due.contains(where: { $0.id == id }) && run?.id != id { makeDue(id, at: position) }
    for item in due where position - item.since > rendering.lateStart && state == .idle { giveUpLate(item.id) }
    prefetch(at: position)
    pump()
    if !isContentComplete { quietUntil = nextPoint(after: position) }
  }

  /// The next position at which playing on changes something: a document is asked for, a break is due or too late.
  private func nextPoint(after position: Int64) -> Int64 {
    var next = due.map { $0.since + rendering.lateStart + 1 }.min() ?? .max
    for item in schedule.breaks[schedule.place(after: position)...] {
      guard let time = item.time?.milliseconds, time - rendering.longestLead < next else { break }
      let isUnreported = item.state == .failed && resolutions[item.id] != nil
      if !item.state.isFinal || isUnreported { next = min(next, time) }
      if let asked = askingTime(of: item), asked > position { next = min(next, asked) }
    }
    if let item = schedule.postroll, let asked = askingTime(of: item), asked > position { next = min(next, asked) }
    return next
  }

  private mutating func makeDue(_ id: BreakSource.ID, at position: Int64) {
    due.append(Due(id: id, since: position))
    if state == .ready, !isSingle { giveUpReady() }
    if item(id)?.state == .unfetched { request(id) }
  }

  /// Asks for what will be due soon (VA-531).
  private mutating func prefetch(at position: Int64) {
    let (end, isEndless) = position.addingReportingOverflow(rendering.longestLead)
    let soon = schedule.breaks(after: position, upTo: isEndless ? .max : end)
    for item in Array(soon) + [schedule.postroll].compactMap({ $0 }) {
      if let asked = askingTime(of: item), asked <= position { request(item.id) }
    }
  }

  /// Content's position from which a break's documents are asked for; nil while it is not known, and when they are.
  private func askingTime(of item: AdSchedule.Break) -> Int64? {
    guard item.state == .unfetched else { return nil }
    let time = item.time == .postroll ? contentDuration : item.time?.milliseconds
    return time.map { $0 - rendering.lead(of: item.id) }
  }

  mutating func request(_ id: BreakSource.ID) {
    guard let item = item(id) else { return }
    set(.fetching, of: id)
    let resolution = BreakResolution(item, base: baseURL, settings: settings, request: request)
    act(.setTimer(.resolution(id), Self.resolutionTimeout))
    proceed(resolution)
  }

  mutating func fetched(_ fetch: BreakFetch, _ outcome: FetchOutcome) {
    if fetch.fetch.source < 0 { return spareFetched(fetch, outcome) }
    guard var resolution = resolutions[fetch.breakID] else { return }
    resolution.fetched(fetch.fetch, outcome)
    proceed(resolution)
    pump()
  }

  /// Goes on with a break's documents, and ends the search when nothing is waited for.
  private mutating func proceed(_ resolution: BreakResolution) {
    var resolution = resolution
    let id = resolution.id
    for (fetch, document) in resolution.takeFetches() {
      act(.fetch(BreakFetch(breakID: id, fetch: fetch), document))
    }
    resolutions[id] = resolution
    guard resolution.isDone, let item = item(id), item.state == .fetching else { return }
    act(.clearTimer(.resolution(id)))
    for error in resolution.errors { send(error, of: id) }
    let limited = BreakLimitation(request.breakLimits).apply(to: resolution.ads(of: item))
    if limited.kept.isEmpty { oweUnplayed(limited.cut, of: id) }
    set(limited.kept.isEmpty ? .failed : .available, of: id)
    availableSince[id] = now
    if settings.debug { for diagnostic in resolution.diagnostics { emit(.log, of: id, message: diagnostic.text) } }
    editSchedule { $0.setAdCount(limited.kept.count, of: id) }
  }

  mutating func resolutionTimedOut(_ id: BreakSource.ID) {
    guard var resolution = resolutions[id], item(id)?.state == .fetching else { return }
    act(.cancelFetches(id))
    resolution.timeUp()
    proceed(resolution)
    pump()
  }

  /// Fails a break that came too late for its time (VA-533).
  private mutating func giveUpLate(_ id: BreakSource.ID) {
    guard var resolution = resolutions[id], let item = item(id), item.state == .fetching else { return }
    act(.cancelFetches(id))
    act(.clearTimer(.resolution(id)))
    resolution.timeUp()
    for error in resolution.errors { send(error, of: id) }
    for found in resolution.ads(of: item) { found.ad.errors.forEach { sendError(.displayTimeout, $0, of: id) } }
    resolutions[id] = resolution
    set(.failed, of: id)
  }

  /// Skips a break that waits for the app when a later one is due (VA-708).
  private mutating func giveUpReady() {
    guard let run else { return }
    oweUnplayed(run.ads, of: run.id)
    if let prepared = run.prepared { act(.stop(prepared.token)) }
    set(.skipped, of: run.id)
    self.run = nil
    resumeContent()
    enter(.idle)
  }

  mutating func completeContent() {
    guard !isSingle, !isContentComplete, state != .made, state != .done else { return }
    isContentComplete = true
    if let item = schedule.postroll, !item.state.isFinal || item.state == .failed && resolutions[item.id] != nil,
      run?.id != item.id, !due.contains(where: { $0.id == item.id })
    {
      makeDue(item.id, at: playhead.position ?? 0)
    }
    pump()
  }

  /// Begins what is due and ready, reports what failed, and finds out whether nothing is left.
  mutating func pump() {
    if state == .overlay, due.contains(where: { item($0.id)?.state == .available }) {
      // An overlay and a linear ad never show together (VA-871).
      return endOverlayAd(isClosed: false)
    }
    while state == .idle || state == .loading {
      guard let next = due.firstIndex(where: { item($0.id)?.state != .fetching }) else { break }
      let id = due.remove(at: next).id
      switch item(id)?.state {
      case .available where isExpired(foundAds(of: id), of: id): refresh(id)
      case .available: begin(id)
      case .failed: reportFailed(id)
      default: continue
      }
    }
    switch state {
    case .loading where due.isEmpty: goIdle()
    case .idle:
      if due.contains(where: { item($0.id)?.time == .postroll }) {
        enter(.loading)
      } else if due.isEmpty {
        finishIfDone()
      }
    default: break
    }
  }

  /// Breaks known to have no ad before they are due: what is owed for that is sent then (VA-545).
  private var unreported: [AdSchedule.Break] {
    resolutions.keys.compactMap { schedule.place(of: $0) }.sorted().map { schedule.breaks[$0] }
      .filter { $0.state == .failed }
  }

  /// Whether no break can play any more, and none is still to be reported.
  var isNothingLeft: Bool { !schedule.isOpen && unreported.isEmpty }

  private mutating func finishIfDone() {
    let hasPostroll = schedule.postroll.map { !$0.state.isFinal } ?? false
    guard isNothingLeft || isContentComplete && !hasPostroll else { return }
    enter(.done)
    emit(.allAdsCompleted)
  }

  /// Says that a due break has no ad (VA-545, VA-547, VA-722).
  private mutating func reportFailed(_ id: BreakSource.ID) {
    guard let item = item(id) else { return }
    let resolution = resolutions[id]
    for index in item.sources.indices {
      let code = resolution?.failure(of: index) ?? .adResponseFailed
      trackBreak(.breakStart, item.sources[index])
      if item.sources[index].adBreak.source != nil { trackBreak(.error, item.sources[index], code: code) }
      trackBreak(.breakEnd, item.sources[index])
    }
    resolutions[id] = nil
    let code = resolution?.failure(of: 0) ?? .adResponseFailed
    emit(.adBreakFetchError, of: id, code: code.rawValue)
    if isNothingLeft {
      let hadAds = schedule.breaks.contains { [.played, .skipped, .discarded].contains($0.state) }
      let message = hadAds ? "The last break has no ad." : "No break of the schedule has an ad."
      act(
        .reportError(
          AdError(
            .loading, code.errorCode, message, vmapCode: code, breakID: item.sources.first?.adBreak.id)))
    }
  }
}
