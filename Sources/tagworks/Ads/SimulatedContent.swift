import VideoAds

/// Content that plays by a clock: what an app's own player would do (VA-1502).
@MainActor
final class SimulatedContent: ContentPlayhead {
  private let clock: any AdClock
  private var since: Int64
  private var base: Double
  private(set) var isPlaying = false
  private(set) var isOver = false
  let length: Double
  /// Jumps that are still to be made, by the time at which they are.
  private var seeks: [(from: Double, to: Double)]

  init(clock: any AdClock, start: Double, length: Double, seeks: [(from: Double, to: Double)]) {
    self.clock = clock
    self.length = length
    self.seeks = seeks
    base = start
    since = clock.now
  }

  var currentTime: Double { min(length, isPlaying ? base + Double(clock.now - since) / 1_000 : base) }
  var duration: Double? { length }

  func play() {
    base = currentTime
    since = clock.now
    isPlaying = true
  }

  func pause() {
    base = currentTime
    isPlaying = false
  }

  /// Follows the clock: makes the jump that is due, or ends.
  func follow(_ manager: AdsManager, ended: () -> Void) {
    if let next = seeks.first, isPlaying, currentTime >= next.from {
      seeks.removeFirst()
      base = next.to
      since = clock.now
      manager.contentDidSeek(to: next.to)
    }
    if isPlaying, currentTime >= length, !isOver {
      isOver = true
      ended()
    }
  }
}
