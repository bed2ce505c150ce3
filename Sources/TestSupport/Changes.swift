import Dispatch
import Hits

/// Lets tests wait until something holds: it is looked at once, and again after each change that is noted.
///
/// Whoever changes what a condition may look at notes it afterwards, so no change is missed and nothing is polled. A wait
/// that takes longer than its limit throws and says what did not come: a test that cannot go on ends, and one whose
/// change nobody notes is found.
package final class Changes: Sendable {
  /// What was waited for and did not come.
  package struct Missing: Error, CustomStringConvertible {
    package let what: String
    package var description: String { "\(what) did not come" }
  }

  private struct State {
    var number = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  package init() {}

  /// Says that something changed.
  package func note() {
    let waiting = state.withLock { state in
      state.number += 1
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until something holds.
  ///
  /// - Parameter seconds: after how much real time a test cannot go on.
  package func wait(for what: String, seconds: Int = 60, until holds: () async throws -> Bool) async throws {
    var limit: Limit?
    while true {
      let number = state.withLock { $0.number }
      if let limit, limit.isOver { throw Missing(what: what) }
      if try await holds() { return }
      if limit == nil { limit = Limit(seconds, self) }
      await next(after: number)
    }
  }

  /// Waits for what comes once.
  package func value<Value: Sendable>(
    _ what: String, seconds: Int = 60, _ coming: @escaping @Sendable () async -> Value
  ) async throws -> Value {
    let come = Locked<Value?>(nil)
    Task {
      let value = await coming()
      come.withLock { $0 = value }
      note()
    }
    try await wait(for: what, seconds: seconds) { come.withLock { $0 != nil } }
    guard let value = come.withLock({ $0 }) else { throw Missing(what: what) }
    return value
  }

  private func next(after number: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.number != number { return true }
        state.waiting.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// A moment of real time, told from outside the threads of tasks: those may be what is stuck.
  private final class Limit: Sendable {
    private let passed = Locked(false)

    init(_ seconds: Int, _ changes: Changes) {
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self, weak changes] in
        self?.passed.withLock { $0 = true }
        changes?.note()
      }
    }

    var isOver: Bool { passed.withLock { $0 } }
  }
}
