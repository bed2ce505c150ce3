/// What is owed for ads and breaks (VA-803 to VA-806).
extension AdsEngine {
  /// Sends the trackers of an event of the current ad.
  mutating func track(_ event: VAST.TrackingEvent, once: Bool = true) {
    guard run?.current.hasFrame == true, let trackings = run?.trackings else { return }
    var seen: Set<String> = []
    for index in run?.untimedTrackings() ?? [] where trackings[index].event == event {
      let url = trackings[index].url
      if once {
        sendOnce(url, event: event.rawValue)
      } else if seen.insert(url).inserted {
        send(url, event: event.rawValue)
      }
    }
  }

  /// Sends the trackers of the media being there, which comes before the first frame.
  mutating func trackLoaded() {
    let trackings = run?.trackings ?? []
    for index in run?.untimedTrackings() ?? [] where trackings[index].event == .loaded {
      sendOnce(trackings[index].url, event: VAST.TrackingEvent.loaded.rawValue)
    }
  }

  /// Sends a URL unless it was sent for the same event (VA-806).
  mutating func sendOnce(_ url: String, event: String) {
    let sent = AdRun.Sent(event: event, url: url)
    if run?.current.sent.insert(sent).inserted == true { send(url, event: event) }
  }

  mutating func send(_ url: String, event: String, scope: MacroScope = .tracking, at point: AdPoint? = nil) {
    guard let id = run?.id, let index = run?.index else { return }
    act(
      .beacon(
        Beacon(
          url: url, event: event, scope: scope, breakID: id, adIndex: index,
          adPosition: run?.current.progress?.position, point: point)))
  }

  /// Sends a code to the current ad's `Error` URLs, each once (VA-416).
  mutating func sendErrors(_ code: VASTErrorCode) {
    guard let id = run?.id, let errors = run?.ad?.errors else { return }
    for url in errors
    where run?.current.sent.insert(AdRun.Sent(event: "error \(code.rawValue)", url: url)).inserted == true {
      sendError(code, url, of: id)
    }
  }

  mutating func sendError(_ code: VASTErrorCode, _ url: String, of id: BreakSource.ID) {
    act(.beacon(Beacon(url: url, event: "error", scope: .error(code.rawValue), breakID: id)))
  }

  mutating func send(_ error: ErrorBeacon, of id: BreakSource.ID) { sendError(error.code, error.url, of: id) }

  /// Sends the trackers of an event of a playlist's break.
  mutating func trackBreak(_ event: VAST.TrackingEvent, _ source: BreakSource, code: VMAPErrorCode? = nil) {
    for tracking in source.adBreak.tracking where tracking.event == event {
      let scope = code.map { MacroScope.playlistError($0) } ?? .tracking
      act(.beacon(Beacon(url: tracking.url, event: event.rawValue, scope: scope, breakID: source.id)))
    }
  }

  /// Tells an ad's own trackers that it never started (VA-803).
  mutating func trackNotUsed(_ ad: VAST.Ad) {
    let trackings = ad.creatives.flatMap { ($0.linear?.tracking ?? []) + ($0.nonLinearAds?.tracking ?? []) }
    var seen: Set<String> = []
    for tracking in trackings where tracking.event == .notUsed && seen.insert(tracking.url).inserted {
      act(
        .beacon(
          Beacon(url: tracking.url, event: tracking.event.rawValue, scope: .tracking, breakID: run?.id)))
    }
  }
}

/// Whether the ad was seen (VA-820, VA-821).
extension AdsEngine {
  mutating func sample(_ geometry: AdGeometry?) {
    // What is seen when the first frame comes goes with the scripts' impression.
    if state == .starting, run?.current.scriptOwners != nil { run?.current.geometry = geometry }
    guard state == .playing, run?.current.isBuffering == false, run?.current.isAudio == false else { return }
    let isHidden = container?.canShow == false || backgroundSince != nil
    let fraction = isHidden ? 0 : geometry?.visibleFraction
    if run?.current.viewability.sample(fraction, at: now) == true { send(.viewable) }
    if let geometry, run?.current.scriptOwners != nil, run?.current.geometry.map(geometry.differs(from:)) ?? true {
      run?.current.geometry = geometry
      verify("geometryChange", geometry.value)
    }
  }

  /// Sends one of the three verdicts, over the whole chain.
  mutating func send(_ verdict: Viewability.Verdict) {
    if verdict == .viewable { emit(.viewable) }
    for impression in run?.ad?.viewableImpressions ?? [] {
      switch verdict {
      case .viewable: for url in impression.viewable { sendOnce(url, event: "viewable") }
      case .notViewable: for url in impression.notViewable { sendOnce(url, event: "notViewable") }
      case .undetermined: for url in impression.undetermined { sendOnce(url, event: "viewUndetermined") }
      }
    }
  }
}
