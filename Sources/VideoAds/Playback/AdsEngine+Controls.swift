import Hits

/// What app and person do with a playing ad (VA-740 to VA-750).
extension AdsEngine {
  mutating func skip() {
    guard state == .playing || state == .paused, let current = run?.current, current.progress?.isSkippable == true
    else {
      return emit(.log, message: "skip has no effect now")
    }
    if let token = current.token { act(.stop(token)) }
    track(.skip)
    verify("skipped")
    emit(.skipped)
    setAd(.skipped)
    playNext()
  }

  mutating func pause(for reason: PauseReason) {
    let wasRunning = pauseReasons.isEmpty
    pauseReasons.insert(reason)
    guard wasRunning, state == .playing || state == .starting else { return }
    if let token = run?.current.token { act(.pausePlayer(token)) }
    for timer in [EngineTimer.load, .stall, .frameless] { act(.clearTimer(timer)) }
    guard state == .playing else { return }
    enter(.paused)
    run?.current.viewability.interrupt()
    emit(.pause)
    track(.pause, once: false)
    verify("pause")
  }

  mutating func resume(from reason: PauseReason) {
    guard pauseReasons.remove(reason) != nil, pauseReasons.isEmpty, state == .paused || state == .starting else {
      return
    }
    if let token = run?.current.token { act(.play(token)) }
    if state == .starting {
      // While an ad that stands by is looked for there is nothing to load yet.
      if run?.current.token != nil { act(.setTimer(.load, rendering.loadTimeout)) }
      if run?.current.isWaitingForContainer == false { act(.setTimer(.frameless, 2 * rendering.loadTimeout)) }
    } else {
      enter(.playing)
      emit(.resume)
      track(.resume, once: false)
      verify("resume")
      armStallTimer()
    }
  }

  /// Sets loudness; crossing silence is tracked once each way (VA-750).
  mutating func setSound(volume: Double, isMuted: Bool) {
    guard volume.isFinite else { return }
    let level = min(max(volume, 0), 1)
    guard level != self.volume || isMuted != self.isMuted else { return }
    let wasSilent = isSilent
    (self.volume, self.isMuted) = (level, isMuted)
    act(.setVolume(level, isMuted: isMuted))
    verify("volumeChange", ["mediaPlayerVolume": .double(isMuted ? 0 : level), "deviceVolume": 1])
    if isSilent != wasSilent { track(isSilent ? .mute : .unmute, once: false) }
  }

  var isSilent: Bool { isMuted || volume == 0 }

  /// The app leaves and comes back (VA-780, VA-781).
  mutating func lifecycle(_ event: LifecycleEvent) {
    switch event {
    case .background:
      backgroundSince = now
      run?.current.viewability.interrupt()
      if !settings.enableBackgroundPlayback { pause(for: .background) }
    case .foreground:
      let since = backgroundSince
      backgroundSince = nil
      if let since, now - since > 1_800_000, pauseReasons.contains(.background), run?.hasBegun == true {
        pauseReasons.remove(.background)
        return discard()
      }
      resume(from: .background)
    case .interruptionBegan: pause(for: .interruption)
    case .interruptionEnded: resume(from: .interruption)
    }
  }

  /// Sends what an app reports by name (VA-316, VA-803).
  mutating func customEvent(_ name: String) {
    let event = VAST.TrackingEvent.named(name, in: run?.ad?.isLinear == false ? .nonLinear : .linear)
    track(event)
    guard event == .closeLinear, state == .playing || state == .paused else { return }
    if let token = run?.current.token { act(.stop(token)) }
    emit(.userClosed)
    setAd(.played)
    playNext()
  }
}

/// The place an ad plays in (VA-1008).
extension AdsEngine {
  private static let containerTimeout: Int64 = 4_000

  mutating func setContainer(_ state: ContainerState) {
    let before = container
    container = state
    if before?.isFullscreen == !state.isFullscreen, before != nil {
      track(state.isFullscreen ? .playerExpand : .playerCollapse, once: false)
      verify("playerStateChange", ["state": .string(state.isFullscreen ? "fullscreen" : "normal")])
    }
    if !state.canShow { run?.current.viewability.interrupt() }
    guard state.canShow, run?.current.isWaitingForContainer == true, let index = run?.index else { return }
    run?.current.isWaitingForContainer = false
    act(.clearTimer(.container))
    if pauseReasons.isEmpty { act(.setTimer(.frameless, 2 * rendering.loadTimeout)) }
    playAd(index)
  }

  mutating func waitForContainer() {
    run?.current.isWaitingForContainer = true
    act(.clearTimer(.load))
    act(.clearTimer(.frameless))
    act(.setTimer(.container, Self.containerTimeout))
  }

  mutating func containerTimedOut() {
    guard state == .starting, run?.current.isWaitingForContainer == true else { return }
    run?.current.isWaitingForContainer = false
    emit(.log, message: AdError.Code.slotNotVisible.rawValue)
    // An ad that stands by may have to be fetched first: that too has its time.
    if pauseReasons.isEmpty { act(.setTimer(.frameless, 2 * rendering.loadTimeout)) }
    adFailed(.undefined)
  }
}
