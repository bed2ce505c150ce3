import Foundation
import Hits

/// A value that comes once, for tasks and for threads that wait.
final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [CheckedContinuation<Value, Never>] = []
  }

  private let state = Locked(State())
  private let arrival = DispatchSemaphore(value: 0)

  /// The value, once it is there.
  var current: Value? { state.withLock { $0.value } }

  /// Gives the value; only the first counts.
  func fulfil(_ value: Value) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>]? in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let waiting else { return }
    for continuation in waiting { continuation.resume(returning: value) }
    arrival.signal()
  }

  /// The value; waits for it.
  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Value? in
          if state.value == nil { state.waiting.append(continuation) }
          return state.value
        }
        if let known { continuation.resume(returning: known) }
      }
    }
  }

  /// Blocks the thread until the value is there, or a time has come.
  func wait(until deadline: ContinuousClock.Instant) {
    let rest = max(.zero, deadline - .now)
    guard current == nil, arrival.wait(timeout: .now() + .milliseconds(Int(rest.wholeMilliseconds))) == .success else {
      return
    }
    // Others may wait too.
    arrival.signal()
  }
}
