/// A break from its first ad to its last.
extension AdsEngine {
  mutating func begin(_ id: BreakSource.ID) {
    guard let item = item(id), let resolution = resolutions.removeValue(forKey: id) else { return }
    run = BreakRun(item, ads: resolution.ads(of: item), spares: resolution.spares)
    for index in item.sources.indices {
      guard let code = resolution.failure(of: index) else { continue }
      run?.begun.insert(index)
      run?.ended.insert(index)
      trackBreak(.breakStart, item.sources[index])
      trackBreak(.error, item.sources[index], code: code)
      trackBreak(.breakEnd, item.sources[index])
    }
    emitLoaded()
    if settings.autoPlayAdBreaks {
      startBreak()
    } else {
      enter(.ready)
      emit(.adBreakReady)
    }
  }

  mutating func start() {
    switch state {
    case .ready: startBreak()
    case .made: emit(.log, message: "start was called before initialize")
    default: return
    }
  }

  private mutating func startBreak() {
    run?.hasBegun = true
    pauseContent()
    emit(.adBreakStarted)
    act(.setTimer(.frameless, 2 * rendering.loadTimeout))
    playAd(0)
  }

  /// Tracks the start of the source whose ad is next, and the end of those before it.
  mutating func enterSource(_ source: Int?) {
    guard let item = run?.item else { return }
    for index in item.sources.indices where run?.begun.contains(index) == true && index != source { leaveSource(index) }
    guard let source, item.sources.indices.contains(source), run?.begun.insert(source).inserted == true else { return }
    trackBreak(.breakStart, item.sources[source])
  }

  private mutating func leaveSource(_ index: Int) {
    guard let item = run?.item, run?.ended.insert(index).inserted == true else { return }
    if run?.hasShown == false { trackBreak(.error, item.sources[index], code: .adResponseFailed) }
    trackBreak(.breakEnd, item.sources[index])
  }

  /// Ends the break that plays and gives content back (VA-721, VA-731).
  mutating func endBreak(_ end: BreakState = .played, code: VASTErrorCode? = nil) {
    guard let run else { return }
    clearTimers()
    enterSource(nil)
    let failed = end == .played && !run.hasShown
    set(failed ? .failed : end, of: run.id)
    if failed { emit(.adBreakFetchError) }
    emit(.adBreakEnded)
    if failed, !schedule.isOpen {
      let code = code ?? .noAds
      act(
        .reportError(AdError(.playing, code.errorCode, "No ad could be played.", vastCode: code, adID: run.ad?.ad.id)))
    }
    goIdle()
  }

  mutating func discard() {
    guard let run else {
      guard state == .idle, let next = due.firstIndex(where: { item($0.id)?.state == .available }) else { return }
      set(.discarded, of: due.remove(at: next).id)
      return pump()
    }
    if let token = run.current.token { act(.stop(token)) }
    setAd(.discarded)
    owe206(of: run)
    if run.hasBegun {
      endBreak(.discarded)
    } else {
      set(.discarded, of: run.id)
      goIdle()
    }
  }

  /// Owes 206 to the ads that did not start.
  private mutating func owe206(of run: BreakRun) {
    let first = run.current.hasFrame ? run.index + 1 : run.index
    for found in run.ads.dropFirst(first) { found.ad.errors.forEach { sendError(.breakShortened, $0, of: run.id) } }
  }

  /// Stops everything; content is the app's own affair then (VA-734).
  mutating func destroy() {
    if let run {
      if let token = run.current.token { act(.stop(token)) }
      if run.hasBegun { owe206(of: run) }
    }
    for id in schedule.breaks.filter({ $0.state == .fetching }).map(\.id) {
      act(.cancelFetches(id))
      act(.clearTimer(.resolution(id)))
    }
    clearTimers()
    run = nil
    enter(.destroyed)
  }

  mutating func clearTimers() { [EngineTimer.load, .stall, .frameless].forEach { act(.clearTimer($0)) } }

  mutating func fired(_ timer: EngineTimer) {
    switch timer {
    case .resolution(let id): resolutionTimedOut(id)
    case .load: if state == .starting, pauseReasons.isEmpty { adFailed(.mediaTimeout) }
    case .stall: if state == .playing { adFailed(.mediaTimeout) }
    case .frameless:
      guard state == .starting, pauseReasons.isEmpty, let run else { return }
      if let token = run.current.token { act(.stop(token)) }
      for found in run.ads.dropFirst(run.index) {
        found.ad.errors.forEach { sendError(.displayTimeout, $0, of: run.id) }
      }
      endBreak(code: .displayTimeout)
    }
  }
}
