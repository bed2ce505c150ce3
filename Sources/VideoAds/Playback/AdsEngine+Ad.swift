/// One ad from its media's choice to its end.
extension AdsEngine {
  mutating func emitLoaded() {
    guard run?.current.isLoadedEmitted == false else { return }
    run?.current.isLoadedEmitted = true
    emit(.loaded)
  }

  mutating func playAd(_ index: Int) {
    if index != run?.index {
      run?.index = index
      run?.current = AdRun()
    }
    guard let ad = run?.ad else { return endBreak() }
    enter(.starting)
    enterSource(run?.source)
    emitLoaded()
    guard let linear = ad.linear else { return adFailed(.nonLinearUnsupported) }
    run?.current.progress = AdProgress(linear)
    switch rendering.selection.candidates(of: linear, isConditional: ad.ad.isConditional) {
    case .failure(let code): adFailed(code)
    case .success(let files):
      run?.current.files = files
      loadNextFile()
      if pauseReasons.isEmpty { act(.setTimer(.load, rendering.loadTimeout)) }
    }
  }

  /// Loads the best file left.
  private mutating func loadNextFile() {
    guard run?.current.files.isEmpty == false, let file = run?.current.files.removeFirst() else { return }
    tokens += 1
    let token = PlayerToken(number: tokens)
    run?.current.token = token
    act(.load(token, file))
    if pauseReasons.isEmpty { act(.play(token)) }
  }

  mutating func player(_ event: AdPlayerEvent) {
    guard let current = run?.current, state == .starting || state == .playing || state == .paused else { return }
    switch event {
    case .firstFrame: if !current.hasFrame { firstFrame() }
    case .position(let position): if current.hasFrame { reached(position) }
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
    emit(.impression)
    for impression in run?.ad?.impressions ?? [] { sendOnce(impression.url, event: "impression") }
    track(.creativeView)
    track(.start)
    if let linear = run?.ad?.linear, MediaSelection.hasExecutable(linear) { sendErrors(.interactiveNotExecuted) }
    armStallTimer()
  }

  private mutating func armStallTimer() {
    if state == .playing { act(.setTimer(.stall, rendering.stallTimeout)) }
  }

  private mutating func reached(_ position: Int64) {
    let hasMoved = position != run?.current.progress?.position
    perform(run?.current.progress?.reach(position) ?? [])
    emit(.progress)
    if hasMoved, run?.current.isBuffering == false { armStallTimer() }
  }

  private mutating func perform(_ points: [AdProgress.Point]) {
    for point in points {
      switch point {
      case .event(let event):
        track(event)
        if let kind = EngineNotice.Kind(rawValue: event.rawValue) { emit(kind) }
      case .tracker(let index):
        if let tracking = run?.ad?.linear?.tracking, tracking.indices.contains(index) {
          sendOnce(tracking[index].url, event: "progress", offset: tracking[index].offset)
        }
      case .skippable: emit(.skippableStateChanged)
      }
    }
  }

  private mutating func setDuration(_ duration: Int64) {
    guard duration > 0, let current = run?.current else { return }
    let stated = run?.ad?.linear?.duration
    run?.current.progress?.setDuration(duration)
    guard let stated, !current.isDurationChecked else { return }
    run?.current.isDurationChecked = true
    if abs(stated - duration) > max(1_000, stated / 10) { sendErrors(.durationMismatch) }
  }

  private mutating func setBuffering(_ isBuffering: Bool) {
    guard let current = run?.current, current.hasFrame, current.isBuffering != isBuffering else { return }
    run?.current.isBuffering = isBuffering
    emit(isBuffering ? .bufferingStarted : .bufferingEnded)
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

  private mutating func playerFailed(_ code: VASTErrorCode) {
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
    emit(.log, message: "An ad failed: \(code.errorCode.rawValue).")
    if run?.current.hasFrame == false, playSpare() { return }
    setAd(.failed)
    playNext(after: code)
  }

  mutating func playNext(after code: VASTErrorCode? = nil) {
    guard let run else { return }
    act(.clearTimer(.load))
    act(.clearTimer(.stall))
    guard run.index + 1 < run.ads.count else { return endBreak(code: code) }
    if run.current.hasFrame { act(.setTimer(.frameless, 2 * rendering.loadTimeout)) }
    playAd(run.index + 1)
  }

  mutating func skip() {
    guard state == .playing || state == .paused, let current = run?.current, current.progress?.isSkippable == true
    else {
      return emit(.log, message: "skip has no effect now")
    }
    if let token = current.token { act(.stop(token)) }
    track(.skip)
    emit(.skipped)
    setAd(.skipped)
    playNext()
  }

  mutating func pause(for reason: PauseReason) {
    let wasRunning = pauseReasons.isEmpty
    pauseReasons.insert(reason)
    guard wasRunning, state == .playing || state == .starting else { return }
    if let token = run?.current.token { act(.pausePlayer(token)) }
    clearTimers()
    guard state == .playing else { return }
    enter(.paused)
    emit(.pause)
    track(.pause, once: false)
  }

  mutating func resume(from reason: PauseReason) {
    guard pauseReasons.remove(reason) != nil, pauseReasons.isEmpty, state == .paused || state == .starting else {
      return
    }
    if let token = run?.current.token { act(.play(token)) }
    if state == .starting {
      // While an ad that stands by is looked for there is nothing to load yet.
      if run?.current.token != nil { act(.setTimer(.load, rendering.loadTimeout)) }
      act(.setTimer(.frameless, 2 * rendering.loadTimeout))
    } else {
      enter(.playing)
      emit(.resume)
      track(.resume, once: false)
      armStallTimer()
    }
  }

  mutating func setMuted(_ isMuted: Bool) {
    guard self.isMuted != isMuted else { return }
    self.isMuted = isMuted
    track(isMuted ? .mute : .unmute, once: false)
  }
}

/// Ads that stand by.
extension AdsEngine {
  /// Puts the next spare in the place of the ad that failed; false when there is none.
  private mutating func playSpare() -> Bool {
    guard run?.spares.isEmpty == false, let spare = run?.spares.removeFirst() else { return false }
    var resolver = ChainResolver(policy: ResolutionPolicy(settings: settings, request: request))
    act(.clearTimer(.load))
    enter(.starting)
    let first = resolver.start(spare.ad)
    proceed(resolver, first, source: spare.source)
    return true
  }

  mutating func spareFetched(_ fetch: BreakFetch, _ outcome: FetchOutcome) {
    guard fetch.breakID == run?.id, let wrapper = fetch.fetch.wrapper, var spare = run?.spareResolver else { return }
    let next = spare.resolver.fetched(wrapper, outcome)
    proceed(spare.resolver, next, source: spare.source)
  }

  private mutating func proceed(_ resolver: ChainResolver, _ next: [ChainResolver.Action], source: Int) {
    guard let id = run?.id else { return }
    run?.spareResolver = (resolver, source)
    for action in next {
      switch action {
      case .fetch(let fetch, let document):
        act(.fetch(BreakFetch(breakID: id, fetch: BreakResolution.FetchID(source: -1, wrapper: fetch)), document))
      case .finish(let response):
        run?.spareResolver = nil
        for error in response.errors { send(error, of: id) }
        use(response.ads.first, source: source)
      }
    }
  }

  private mutating func use(_ ad: ResolvedAd?, source: Int) {
    guard let index = run?.index else { return }
    guard let ad else {
      if playSpare() { return }
      setAd(.failed)
      return playNext(after: .noAds)
    }
    run?.ads[index] = BreakResolution.Found(source: source, ad: ad, isBumper: false)
    run?.current = AdRun()
    playAd(index)
  }
}
