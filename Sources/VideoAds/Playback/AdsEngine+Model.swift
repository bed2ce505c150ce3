/// What lies over the ad, as data (VA-1001, VA-1007).
extension AdsEngine {
  private static let leastInterval: Int64 = 100

  /// Tells the model when something visible changed, at most ten times a second.
  mutating func refreshOverlay() {
    guard let run, run.current.hasFrame, !run.current.isLeft else { return hideOverlay() }
    let key = OverlayHistory.Key(
      breakID: run.id, index: run.index, remaining: remainingSeconds, skip: skipState, icons: dueIcons,
      fallbackIcon: run.current.fallbackIcon, canClose: run.current.canCloseOverlay,
      isBuffering: run.current.isBuffering, isSilent: isSilent, isPaused: state == .paused, size: container?.size)
    guard key != overlay.key else { return }
    let isSameAd = overlay.key.map { $0.breakID == key.breakID && $0.index == key.index } ?? false
    if isSameAd, let wait = overlay.changedAt.map({ $0 + Self.leastInterval - now }), wait > 0 {
      if !overlay.isTimerSet { act(.setTimer(.overlay, wait)) }
      overlay.isTimerSet = true
      return
    }
    let model = OverlayBuilder(
      run: run, key: key, rendering: rendering, settings: settings, isFirst: !isSameAd,
      becameSkippable: isSameAd && key.skip == .available && overlay.key?.skip != .available
    ).model()
    overlay.key = key
    overlay.changedAt = now
    overlay.targets = model.targets
    act(.overlay(model))
  }

  mutating func hideOverlay() {
    guard overlay.key != nil else { return }
    overlay.key = nil
    overlay.changedAt = nil
    overlay.targets = []
    act(.overlay(nil))
  }

  /// Says at a break's end that content goes on (VA-1005).
  mutating func announceEnd() {
    guard overlay.key != nil else { return }
    if content.isStopped {
      var model = OverlayModel()
      model.announcement = rendering.texts.resumed
      act(.overlay(model))
    }
    hideOverlay()
  }

  private var remainingSeconds: Int? {
    guard let progress = run?.current.progress, let duration = progress.duration else { return nil }
    return Int(max(0, duration - progress.position + 999) / 1_000)
  }

  private var skipState: OverlayModel.SkipState {
    guard let progress = run?.current.progress, let time = progress.skipTime else { return .hidden }
    let left = time - progress.position
    return left <= 0 ? .available : .waiting(secondsLeft: Int((left + 999) / 1_000))
  }
}

/// What was last told of the overlay.
struct OverlayHistory: Sendable {
  /// All that the model depends on: as long as it is equal, nothing visible changed.
  struct Key: Sendable, Hashable {
    var breakID: BreakSource.ID
    var index: Int
    var remaining: Int?
    var skip: OverlayModel.SkipState
    var icons: [Int]
    var fallbackIcon: Int?
    var canClose: Bool
    var isBuffering: Bool
    var isSilent: Bool
    var isPaused: Bool
    var size: AdSize?
  }

  var key: Key?
  var changedAt: Int64?
  var isTimerSet = false
  var targets: Set<OverlayTarget> = []
}
