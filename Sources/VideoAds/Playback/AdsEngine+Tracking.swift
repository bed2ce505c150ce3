/// What is owed for ads and breaks (VA-803 to VA-806).
extension AdsEngine {
  /// Sends the trackers of an event of the current ad.
  mutating func track(_ event: VAST.TrackingEvent, once: Bool = true) {
    guard run?.current.hasFrame == true, let linear = run?.ad?.linear else { return }
    var seen: Set<String> = []
    for tracking in linear.tracking where tracking.event == event && seen.insert(tracking.url).inserted {
      if once { sendOnce(tracking.url, event: event.rawValue) } else { send(tracking.url, event: event.rawValue) }
    }
  }

  /// Sends a URL unless it was sent for the same event, and for `progress` the same offset (VA-806).
  mutating func sendOnce(_ url: String, event: String, offset: VAST.TimeOffset? = nil) {
    let key = offset.map { "\(event) \($0)" } ?? event
    guard run?.current.sent.insert([key, url]).inserted == true else { return }
    send(url, event: event)
  }

  private mutating func send(_ url: String, event: String) {
    guard let run else { return }
    act(
      .beacon(
        Beacon(
          url: url, event: event, scope: .tracking, breakID: run.id, adIndex: run.index,
          adPosition: run.current.progress?.position)))
  }

  /// Sends a code to the current ad's `Error` URLs, each once (VA-416).
  mutating func sendErrors(_ code: VASTErrorCode) {
    guard let run, let errors = run.ad?.errors else { return }
    for url in errors where self.run?.current.sent.insert(["error \(code.rawValue)", url]).inserted == true {
      sendError(code, url, of: run.id)
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
}
