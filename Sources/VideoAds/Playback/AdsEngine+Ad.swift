/// One ad from its media's choice to its end.
extension AdsEngine {
  /// Says which ad what follows is about.
  mutating func announce() {
    guard let run, run.current.pod == nil, let found = run.found else { return }
    let pod = podInfo(of: run)
    self.run?.current.pod = pod
    act(.adChanged(CurrentAd(breakID: run.id, index: run.index, found: found, pod: pod)))
  }

  private func podInfo(of run: BreakRun) -> AdPodInfo {
    let before = run.countedBefore
    let isBumper = run.found?.isBumper ?? false
    var podIndex = schedule.podIndex(of: run.id)
    var time = run.item.time?.seconds ?? 0
    if isSingle {
      switch request.breakPosition {
      case .mid: (podIndex, time) = (1, playhead.position.map { Double($0) / 1_000 } ?? 0)
      case .post: (podIndex, time) = (-1, -1)
      case .pre, .standalone, nil: break
      }
    }
    return AdPodInfo(
      totalAds: run.counted, adPosition: isBumper ? max(1, before) : before + 1, isBumper: isBumper,
      podIndex: podIndex, timeOffset: time, maxDuration: request.breakLimits.maxDuration ?? -1)
  }

  mutating func emitLoaded() {
    guard run?.current.isLoadedEmitted == false else { return }
    announce()
    run?.current.isLoadedEmitted = true
    emit(.loaded)
  }

  mutating func playAd(_ index: Int) {
    if index != run?.index { run?.move(to: index) }
    guard let run, let ad = run.ad else { return endBreak() }
    enter(.starting)
    enterSource(run.source)
    emitLoaded()
    if let container, !container.canShow { return waitForContainer() }
    guard let linear = ad.linear else { return showOverlayAd() }
    if linear.skipOffset != nil, !rendering.canSkip { return adFailed(.unexpectedAdType) }
    if let code = BreakLimitation(request.breakLimits).objection(to: linear.mediaFiles) { return adFailed(code) }
    fitCompanions(of: ad)
    if self.run?.current.companions.code == .companionRequired { return adFailed(.companionRequired) }
    self.run?.current.progress = AdProgress(linear)
    openVerification(of: ad)
    if adoptPrepared() { return }
    switch rendering.selection.candidates(of: linear, isConditional: ad.ad.isConditional) {
    case .failure(let code): adFailed(code)
    case .success(let files):
      self.run?.current.files = files
      loadNextFile()
      armLoadTimer()
    }
  }

  mutating func armLoadTimer() {
    if pauseReasons.isEmpty { act(.setTimer(.load, rendering.loadTimeout)) }
  }

  /// Loads the best file left.
  private mutating func loadNextFile() {
    guard let found = run?.found, run?.current.files.isEmpty == false, let file = run?.current.files.removeFirst()
    else { return }
    tokens += 1
    let token = AdPlayerToken(number: tokens)
    run?.current.token = token
    run?.current.isAudio = file.isAudio
    act(.load(token, file, of: found))
    if pauseReasons.isEmpty { act(.play(token)) }
  }

  mutating func player(_ report: PlaybackReport) {
    guard let hasFrame = run?.current.hasFrame, state == .starting || state == .playing || state == .paused else {
      return
    }
    switch report {
    case .ready(let duration):
      if let duration { setDuration(duration) }
      trackLoaded()
    case .firstFrame: if !hasFrame { firstFrame() }
    case .soundOnly:
      run?.current.heardSound = true
      if !hasFrame, run?.current.isAudio == true { firstFrame() }
    case .position(let position): if hasFrame { reached(position) }
    case .duration(let duration): setDuration(duration)
    case .bufferingBegan: setBuffering(true)
    case .bufferingEnded: setBuffering(false)
    case .ended(let position): ended(at: position)
    case .failed(let failure): playerFailed(failure.code)
    }
  }

  private mutating func firstFrame() {
    act(.clearTimer(.load))
    act(.clearTimer(.frameless))
    run?.current.hasFrame = true
    run?.hasShown = true
    if let id = run?.id { set(.playing, of: id) }
    setAd(.playing)
    enter(pauseReasons.isEmpty ? .playing : .paused)
    emit(.started)
    sendImpression()
    track(.start)
    trackLoaded()
    if let linear = run?.ad?.linear, MediaSelection.hasExecutable(linear) { sendErrors(.interactiveNotExecuted) }
    verifyStart()
    showCompanions()
    collectIcons()
    armStallTimer()
    if rendering.slots > 1, EngineRendering.has("preloadNextAd", settings), let run { prepare(run.index + 1) }
  }

  mutating func sendImpression() {
    emit(.impression)
    for impression in run?.ad?.impressions ?? [] { sendOnce(impression.url, event: "impression") }
    track(.creativeView)
  }

  mutating func armStallTimer() {
    guard state == .playing else { return }
    run?.current.movedAt = now
    act(.setTimer(.stall, rendering.stallTimeout))
  }

  /// The timer is not set anew at each position: it finds out what is left of the time.
  mutating func stallTimedOut() {
    let left = (run?.current.movedAt ?? 0) + rendering.stallTimeout - now
    if left > 0 { act(.setTimer(.stall, left)) } else { adFailed(.mediaTimeout) }
  }

  private mutating func reached(_ position: Int64) {
    let before = run?.current.progress?.position ?? 0
    perform(run?.current.progress?.reach(position) ?? [])
    if before - position >= 1_000 { track(.rewind, once: false) }
    showDueIcons()
    act(.tellProgress)
    if position != before, run?.current.isBuffering == false { run?.current.movedAt = now }
  }

  private mutating func perform(_ points: [AdProgress.Point]) {
    guard !points.isEmpty, let trackings = run?.trackings else { return }
    for (place, point) in points.enumerated() {
      switch point {
      case .firstQuartile: pass(.firstQuartile, .firstQuartile)
      case .midpoint: pass(.midpoint, .midpoint)
      case .thirdQuartile: pass(.thirdQuartile, .thirdQuartile)
      case .complete: pass(.complete, .complete)
      case .tracker(let index):
        if !isRepeated(index, among: points[..<place], of: trackings) {
          send(trackings[index].url, event: VAST.TrackingEvent.progress.rawValue)
        }
      case .skippable: emit(.skippableStateChanged)
      }
    }
  }

  /// Whether a tracker has the URL and the offset of one before it: they are always due together, one after the other
  /// (VA-806).
  private func isRepeated(
    _ index: Int, among points: ArraySlice<AdProgress.Point>, of trackings: [VAST.Tracking]
  ) -> Bool {
    for case .tracker(let other) in points.reversed() {
      guard trackings[other].offset == trackings[index].offset else { return false }
      if trackings[other].url == trackings[index].url { return true }
    }
    return false
  }

  private mutating func pass(_ event: VAST.TrackingEvent, _ kind: AdEvent.Kind) {
    track(event)
    verify(event.rawValue)
    emit(kind)
  }

  mutating func setDuration(_ duration: Int64) {
    guard duration > 0, let current = run?.current else { return }
    let stated = run?.ad?.linear?.duration
    run?.current.progress?.setDuration(duration)
    guard !current.isDurationChecked else { return }
    run?.current.isDurationChecked = true
    let isOff = stated.map { abs($0 - duration) > max(1_000, $0 / 10) } ?? false
    if isOff || BreakLimitation(request.breakLimits).isTooLong(duration) { sendErrors(.durationMismatch) }
  }

  private mutating func setBuffering(_ isBuffering: Bool) {
    guard let current = run?.current, current.hasFrame, current.isBuffering != isBuffering else { return }
    run?.current.isBuffering = isBuffering
    run?.current.viewability.interrupt()
    emit(isBuffering ? .bufferingStarted : .bufferingEnded)
    verify(isBuffering ? "bufferStart" : "bufferFinish")
    armStallTimer()
  }

  private mutating func ended(at position: Int64) {
    guard let current = run?.current else { return }
    guard current.hasFrame else { return playerFailed(.mediaNotDisplayable) }
    if let duration = current.progress?.duration, position < duration - max(1_000, duration / 20) {
      return adFailed(.mediaNotDisplayable)
    }
    perform(run?.current.progress?.finish() ?? [])
    setAd(.played)
    playNext()
  }

  /// Nothing was shown in time; sound without a picture is media of the wrong kind (VA-760, VA-777).
  mutating func loadTimedOut() {
    adFailed(run?.current.heardSound == true ? .noPlayableMedia : .mediaTimeout)
  }

  mutating func playerFailed(_ code: VASTErrorCode) {
    guard let current = run?.current else { return }
    let isWorthAnother = [.mediaNotFound, .noPlayableMedia, .mediaNotDisplayable].contains(code)
    if !current.hasFrame, isWorthAnother, current.attempts < 2, !current.files.isEmpty {
      run?.current.attempts += 1
      run?.current.firstCode = current.firstCode ?? code
      if let token = current.token { act(.stop(token)) }
      return loadNextFile()
    }
    adFailed(current.firstCode ?? code)
  }

  /// Owes the code, and goes on with an ad that stands by or the next one (VA-422).
  mutating func adFailed(_ code: VASTErrorCode) {
    if let token = run?.current.token { act(.stop(token)) }
    run?.current.token = nil
    sendErrors(code)
    verifyError(code)
    emit(.log, message: "An ad failed: \(code.errorCode.rawValue).")
    leaveAd()
    if run?.current.hasFrame == false, hasSpare { return goOn(.spare) }
    setAd(.failed)
    playNext(after: code)
  }

  mutating func playNext(after code: VASTErrorCode? = nil) {
    leaveAd()
    guard let run else { return }
    act(.clearTimer(.load))
    act(.clearTimer(.stall))
    guard run.index + 1 < run.ads.count else { return endBreak(code: code) }
    if run.current.hasFrame { act(.setTimer(.frameless, 2 * rendering.loadTimeout)) }
    goOn(.ad(run.index + 1))
  }

  /// Settles what an ad leaves behind, once: whether it was seen, its page, its end cards, the image over it.
  mutating func leaveAd() {
    guard let current = run?.current, !current.isLeft else { return }
    run?.current.isLeft = true
    act(.clearTimer(.container))
    // Nobody can close the image any more: what comes next must not wait for that.
    if current.fallbackIcon != nil { pauseReasons.remove(.iconFallback) }
    if current.hasFrame {
      if let verdict = run?.current.viewability.finish() { send(verdict) }
      showEndCards()
    }
    closeVerification()
  }
}
