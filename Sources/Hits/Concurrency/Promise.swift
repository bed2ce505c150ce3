import Dispatch

/// A value that comes once, for tasks and for threads that wait.
package final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [@Sendable (Value) -> Void] = []
  }

  private let state = Locked(State())

  /// Makes a promise without its value.
  package init() {}

  /// The value, once it is there.
  package var current: Value? { state.withLock { $0.value } }

  /// Gives the value.
  ///
  /// - Returns: whether it was the first; only the first counts.
  @discardableResult
  package func fulfil(_ value: Value) -> Bool {
    let waiting = state.withLock { state -> [@Sendable (Value) -> Void]? in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.waiting = [] }
      return state.waiting
    }
    for resume in waiting ?? [] { resume(value) }
    return waiting != nil
  }

  /// The value; waits for it.
  package var value: Value {
    get async {
      await withCheckedContinuation { continuation in whenFulfilled { continuation.resume(returning: $0) } }
    }
  }

  /// Blocks the thread until the value is there, or a time has come.
  package func wait(until deadline: ContinuousClock.Instant) {
    let rest = max(.zero, deadline - .now)
    let arrival = DispatchSemaphore(value: 0)
    whenFulfilled { _ in arrival.signal() }
    _ = arrival.wait(timeout: .now() + .milliseconds(Int(clamping: rest.wholeMilliseconds)))
  }

  private func whenFulfilled(_ resume: @escaping @Sendable (Value) -> Void) {
    let known = state.withLock { state -> Value? in
      if state.value == nil { state.waiting.append(resume) }
      return state.value
    }
    if let known { resume(known) }
  }
}
