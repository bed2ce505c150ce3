/// A break from its first ad to its last.
extension AdsEngine {
  mutating func begin(_ id: BreakSource.ID) {
    guard let item = item(id), let resolution = resolutions.removeValue(forKey: id) else { return }
    let limited = BreakLimitation(request.breakLimits).apply(to: resolution.ads(of: item))
    run = BreakRun(item, ads: limited.kept, spares: resolution.spares)
    for index in item.sources.indices {
      guard let code = resolution.failure(of: index) else { continue }
      run?.begun.insert(index)
      run?.ended.insert(index)
      trackBreak(.breakStart, item.sources[index])
      trackBreak(.error, item.sources[index], code: code)
      trackBreak(.breakEnd, item.sources[index])
    }
    oweUnplayed(limited.cut, of: id)
    if settings.autoPlayAdBreaks || startsWhenReady == id {
      emitLoaded()
      startBreak()
    } else {
      prepare(0)
      emitLoaded()
      enter(.ready)
      emit(.adBreakReady)
    }
  }

  mutating func start() {
    switch state {
    case .ready: if !refreshReady() { startBreak() }
    case .made: emit(.log, message: "start was called before initialize")
    default: return
    }
  }

  private mutating func startBreak() {
    act(.clearTimer(.prepared))
    run?.hasBegun = true
    if run?.ad?.isLinear == true { pauseContent() }
    emit(.adBreakStarted)
    act(.setTimer(.frameless, 2 * rendering.loadTimeout))
    playAd(0)
  }

  /// Tracks the start of the source whose ad is next, and the end of those before it.
  mutating func enterSource(_ source: Int?) {
    guard let item = run?.item, source == nil || source != run?.entered else { return }
    run?.entered = source
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
    leaveAd()
    guard let run else { return }
    clearTimers()
    if let prepared = run.prepared { act(.stop(prepared.token)) }
    for spare in run.spares { trackNotUsed(spare.ad.ad) }
    enterSource(nil)
    let failed = end == .played && !run.hasShown
    set(failed ? .failed : end, of: run.id)
    let code = code ?? .noAds
    if failed { emit(.adBreakFetchError, code: code.rawValue) }
    announceEnd()
    emit(.adBreakEnded)
    if failed, isNothingLeft {
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
    oweUnplayed(unplayed(of: run), of: run.id)
    if run.hasBegun {
      endBreak(.discarded)
    } else {
      if let prepared = run.prepared { act(.stop(prepared.token)) }
      act(.clearTimer(.prepared))
      set(.discarded, of: run.id)
      goIdle()
    }
  }

  private func unplayed(of run: BreakRun) -> [BreakResolution.Found] {
    Array(run.ads.dropFirst(run.current.hasFrame ? run.index + 1 : run.index))
  }

  /// Owes 206 to ads that never start (VA-803).
  mutating func oweUnplayed(_ ads: [BreakResolution.Found], of id: BreakSource.ID) {
    for found in ads {
      for url in found.ad.errors { sendError(.breakShortened, url, of: id) }
      trackNotUsed(found.ad.ad)
    }
  }

  /// Stops everything; content is the app's own affair then (VA-734).
  mutating func destroy() {
    leaveAd()
    if let run {
      for token in [run.current.token, run.prepared?.token] { if let token { act(.stop(token)) } }
      if run.hasBegun { oweUnplayed(unplayed(of: run), of: run.id) }
    }
    for id in schedule.breaks.filter({ $0.state == .fetching }).map(\.id) {
      act(.cancelFetches(id))
      act(.clearTimer(.resolution(id)))
    }
    clearTimers()
    emptyCompanionSlots()
    run = nil
    hideOverlay()
    enter(.destroyed)
  }

  mutating func clearTimers() {
    let all: [EngineTimer] = [.load, .stall, .frameless, .prepared, .container, .overlayAd, .overlayClose]
    for timer in all { act(.clearTimer(timer)) }
  }

  mutating func fired(_ timer: EngineTimer) {
    switch timer {
    case .resolution(let id): resolutionTimedOut(id)
    case .load: if state == .starting, pauseReasons.isEmpty { loadTimedOut() }
    case .stall: if state == .playing { stallTimedOut() }
    case .frameless:
      guard state == .starting, pauseReasons.isEmpty, let run else { return }
      if let token = run.current.token { act(.stop(token)) }
      for found in run.ads.dropFirst(run.index) {
        for url in found.ad.errors { sendError(.displayTimeout, url, of: run.id) }
      }
      endBreak(code: .displayTimeout)
    case .prepared: if state == .ready { emitLoaded() }
    case .container: containerTimedOut()
    // The model is made anew after every event.
    case .overlay: overlay.isTimerSet = false
    case .overlayAd: if state == .overlay { endOverlayAd(isClosed: false) }
    case .overlayClose: run?.current.canCloseOverlay = true
    case .companion(let slot): companion(slot, .failed)
    }
  }
}
