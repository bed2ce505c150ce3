package import Hits

/// A clock that moves only when a test says so.
///
/// Sleepers wake in the order of their due times, each when `advance(by:)` has passed its time.
package final class ManualClock: HitClock {
  private struct Sleeper {
    var due: UInt64
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var wall: Int64
    var age: UInt64
    var nextSleeper = 0
    var sleepers: [Int: Sleeper] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Locked<State>
  private let boot: BootID
  private let changes: Changes

  /// Starts at a wall time in milliseconds; the age clock starts at one hour.
  ///
  /// - Parameter changes: noted when someone begins to sleep.
  package init(
    wallMilliseconds: Int64 = 1_800_000_000_000, boot: String = "boot-1", changes: Changes = Changes()
  ) {
    self.changes = changes
    state = Locked(State(wall: wallMilliseconds, age: 3_600_000_000_000))
    self.boot = BootID(boot)
  }

  package func now() -> HitTime {
    state.withLock { HitTime(wallMilliseconds: $0.wall, ageClock: $0.age, boot: boot) }
  }

  /// Moves both clocks on and wakes whoever is due.
  package func advance(by duration: Duration) {
    let nanoseconds = Self.nanoseconds(of: duration)
    let due = state.withLock { state -> [Sleeper] in
      state.age += nanoseconds
      state.wall += Int64(nanoseconds / 1_000_000)
      let woken = state.sleepers.filter { $0.value.due <= state.age }
      for id in woken.keys { state.sleepers[id] = nil }
      return woken.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.map(\.value)
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Sets the wall clock, as a person may; the age clock stays.
  package func setWall(milliseconds: Int64) {
    state.withLock { $0.wall = milliseconds }
  }

  /// How many tasks sleep now.
  package var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// How often a task has gone to sleep so far.
  package var sleeps: Int { state.withLock { $0.nextSleeper } }

  package func sleep(for duration: Duration) async throws {
    let id = state.withLock { state in
      state.nextSleeper += 1
      return state.nextSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        add(continuation, id: id, for: duration)
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// How long those who sleep have still to sleep, the shortest first.
  package var pauses: [Duration] {
    state.withLock { state in
      state.sleepers.values.map { $0.due > state.age ? $0.due - state.age : 0 }.sorted().map { .nanoseconds(Int64($0)) }
    }
  }

  /// Waits until at least that many tasks sleep on this clock.
  package func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func add(_ continuation: CheckedContinuation<Void, any Error>, id: Int, for duration: Duration) {
    let isCancelled = Task.isCancelled
    let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
      guard !isCancelled else { return nil }
      state.sleepers[id] = Sleeper(due: state.age + Self.nanoseconds(of: duration), continuation: continuation)
      let (ready, rest) = (
        state.watchers.filter { $0.count <= state.sleepers.count },
        state.watchers.filter { $0.count > state.sleepers.count }
      )
      state.watchers = rest
      return ready.map(\.continuation)
    }
    guard let watchers else { return continuation.resume(throwing: CancellationError()) }
    for watcher in watchers { watcher.resume() }
    changes.note()
    // A cancellation between the check above and the insertion found nothing to wake.
    if Task.isCancelled {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
    }
  }

  private static func nanoseconds(of duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
  }
}
