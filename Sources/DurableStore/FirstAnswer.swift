import Dispatch
import Foundation

/// One answer from another thread: the first that is given counts, and a waiter that has left takes none.
final class FirstAnswer<Answer: Sendable>: Sendable {
  private enum State {
    case open
    case given(Answer)
    case closed
  }

  private let lock = NSLock()
  // Touched only under `lock`.
  nonisolated(unsafe) private var state = State.open
  private let signal = DispatchSemaphore(value: 0)

  /// Gives the answer; false when it comes too late.
  func give(_ answer: Answer) -> Bool {
    let isFirst = lock.withLock {
      guard case .open = state else { return false }
      state = .given(answer)
      return true
    }
    if isFirst { signal.signal() }
    return isFirst
  }

  /// Waits for the answer; nil when it does not come in time, and none is taken afterwards.
  func wait(for budget: Duration) -> Answer? {
    _ = signal.wait(timeout: .now() + .nanoseconds(Int(clamping: budget.nanoseconds)))
    return lock.withLock {
      defer { state = .closed }
      if case .given(let answer) = state { return answer }
      return nil
    }
  }

  /// Waits for the answer, however long it takes.
  func wait() -> Answer {
    while true {
      signal.wait()
      let answer = lock.withLock { if case .given(let answer) = state { answer } else { Answer?.none } }
      if let answer { return answer }
    }
  }
}

extension Duration {
  /// Whole nanoseconds; the largest number for what does not fit.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? .max : sum
  }
}
