/// Everybody who hears a manager: its delegate, then the streams, all facts in one order (VA-711).
@MainActor
final class AdsAudience {
  weak var manager: AdsManager?
  weak var delegate: (any AdsManagerDelegate)?
  private var streams: [AsyncStream<AdsManagerEvent>.Continuation] = []
  private var hasLeft = false

  /// A stream of everything from now on.
  func events() -> AsyncStream<AdsManagerEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: AdsManagerEvent.self)
    if hasLeft { continuation.finish() } else { streams.append(continuation) }
    return stream
  }

  func tell(_ event: AdsManagerEvent) {
    if let manager { delegate?.hear(event, of: manager) }
    for stream in streams { stream.yield(event) }
  }

  /// Ends the streams; nobody hears anything any more.
  func leave() {
    hasLeft = true
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
