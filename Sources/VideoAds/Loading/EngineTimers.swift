/// An engine's timers on the clock of playback, one of a kind.
@MainActor
final class EngineTimers {
  private let clock: any AdClock
  private var ids: [EngineTimer: AdTimerID] = [:]

  init(_ clock: any AdClock) { self.clock = clock }

  /// Runs a body in milliseconds, in the place of a timer of the same kind.
  func set(_ timer: EngineTimer, after delay: Int64, _ body: @escaping @MainActor () -> Void) {
    clear(timer)
    ids[timer] = clock.schedule(at: clock.now + delay) { [weak self] in
      self?.ids[timer] = nil
      body()
    }
  }

  func clear(_ timer: EngineTimer) {
    if let id = ids.removeValue(forKey: timer) { clock.cancel(id) }
  }

  func clearAll() {
    for id in ids.values { clock.cancel(id) }
    ids = [:]
  }
}

/// Runs a body five times a second for as long as it wants to be (VA-530, VA-820).
@MainActor
final class Sampling {
  private static let interval: Int64 = 200

  private let clock: any AdClock
  private let body: @MainActor () -> Bool
  private var id: AdTimerID?

  /// Makes one that does not run yet; the body tells whether it goes on.
  init(_ clock: any AdClock, _ body: @escaping @MainActor () -> Bool) {
    self.clock = clock
    self.body = body
  }

  /// Begins, or begins anew.
  func start() {
    stop()
    id = clock.schedule(at: clock.now + Self.interval) { [weak self] in
      guard let self else { return }
      id = nil
      if body() { start() }
    }
  }

  func stop() {
    if let id { clock.cancel(id) }
    id = nil
  }
}
