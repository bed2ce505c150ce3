public import Hits

/// The clock of playback: milliseconds that never step, and timers on the main actor.
public protocol AdClock: Sendable {
  /// Milliseconds; only differences have a meaning.
  var now: Int64 { get }
  /// Runs a body at a time; at once, but never from inside this call, when it has passed.
  func schedule(at milliseconds: Int64, _ body: @escaping @MainActor () -> Void) -> AdTimerID
  /// Forgets a timer; one that ran is none.
  func cancel(_ id: AdTimerID)
}

/// One timer of a clock.
public struct AdTimerID: Sendable, Hashable {
  /// Counts the timers of a clock.
  public var number: Int

  /// Makes an id.
  public init(number: Int) { self.number = number }
}

/// The system's clock.
public final class SystemAdClock: AdClock {
  private struct State {
    var last = 0
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let clock: any HitClock
  private let state = Locked(State())

  /// Makes a clock over another, the system's unless said otherwise.
  public init(_ clock: any HitClock = SystemHitClock()) { self.clock = clock }

  /// Milliseconds since the device started.
  public var now: Int64 { Int64(clock.ageClock / 1_000_000) }

  /// Runs a body at a time.
  public func schedule(at milliseconds: Int64, _ body: @escaping @MainActor () -> Void) -> AdTimerID {
    let clock = clock
    let wait = max(0, milliseconds - now)
    return state.withLock { state in
      state.last += 1
      let number = state.last
      state.tasks[number] = Task { @MainActor [weak self] in
        // A timer that was cancelled wakes early and does nothing.
        guard (try? await clock.sleep(for: .milliseconds(wait))) != nil, self?.take(number) == true else { return }
        body()
      }
      return AdTimerID(number: number)
    }
  }

  private func take(_ number: Int) -> Bool { state.withLock { $0.tasks.removeValue(forKey: number) } != nil }

  /// Forgets a timer.
  public func cancel(_ id: AdTimerID) {
    state.withLock { $0.tasks.removeValue(forKey: id.number) }?.cancel()
  }
}

/// A clock that moves only when it is told to (VA-1103).
public final class ManualAdClock: AdClock {
  private struct State {
    var now: Int64
    var last = 0
    var timers: [(time: Int64, number: Int, body: @MainActor () -> Void)] = []
  }

  private let state: Locked<State>

  /// Starts at a time in milliseconds.
  public init(at now: Int64 = 0) { state = Locked(State(now: now)) }

  /// The time.
  public var now: Int64 { state.withLock { $0.now } }

  /// The time of the next timer; nil without one.
  public var nextTime: Int64? { state.withLock { $0.timers.map(\.time).min() } }

  /// Runs a body when the clock is moved past a time.
  public func schedule(at milliseconds: Int64, _ body: @escaping @MainActor () -> Void) -> AdTimerID {
    state.withLock { state in
      state.last += 1
      state.timers.append((max(state.now, milliseconds), state.last, body))
      return AdTimerID(number: state.last)
    }
  }

  /// Forgets a timer.
  public func cancel(_ id: AdTimerID) { state.withLock { $0.timers.removeAll { $0.number == id.number } } }

  /// Moves the clock on by seconds, and runs what is due on the way in order of time, at once.
  @MainActor
  public func advance(by seconds: Double) {
    let end = now + Int64((seconds * 1_000).rounded())
    while let body = takeNext(until: end) { body() }
    state.withLock { $0.now = max($0.now, end) }
  }

  /// Moves the clock to its next timer and runs it; false without one.
  @MainActor
  public func advanceToNext() -> Bool {
    guard let body = takeNext(until: .max) else { return false }
    body()
    return true
  }

  private func takeNext(until end: Int64) -> (@MainActor () -> Void)? {
    state.withLock { state in
      guard let index = state.timers.indices.min(by: { Self.isEarlier(state.timers[$0], state.timers[$1]) }),
        state.timers[index].time <= end
      else { return nil }
      let timer = state.timers.remove(at: index)
      state.now = max(state.now, timer.time)
      return timer.body
    }
  }

  private static func isEarlier(
    _ left: (time: Int64, number: Int, body: @MainActor () -> Void),
    _ right: (time: Int64, number: Int, body: @MainActor () -> Void)
  ) -> Bool { (left.time, left.number) < (right.time, right.number) }
}
