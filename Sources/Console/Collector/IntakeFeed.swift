import Hits

/// What became of one hit, for those who watch (HQ-715).
package enum JudgedHit: Sendable, Hashable {
  case accepted(IntakeHit)
  case duplicate(IntakeHit)
  case rejected(RejectedHit)
}

/// Offers every judged hit to observers without ever waiting for one: a slow one loses hits, and they are counted.
package final class IntakeFeed: Sendable {
  private struct State {
    var observers: [Int: AsyncStream<JudgedHit>.Continuation] = [:]
    var last = 0
    var lost = 0
  }

  private let state = Locked(State())

  package init() {}

  /// How many hits observers have lost.
  package var lost: Int { state.withLock { $0.lost } }

  /// The hits from now on.
  ///
  /// - Parameter buffer: how many an observer may be behind.
  package func observe(buffer: Int = 1000) -> AsyncStream<JudgedHit> {
    let (stream, continuation) = AsyncStream<JudgedHit>.makeStream(bufferingPolicy: .bufferingNewest(buffer))
    let number = state.withLock { state in
      state.last += 1
      state.observers[state.last] = continuation
      return state.last
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.observers[number] = nil } }
    return stream
  }

  func offer(_ hits: @autoclosure () -> [JudgedHit]) {
    let observers = state.withLock { Array($0.observers.values) }
    guard !observers.isEmpty else { return }
    var lost = 0
    for hit in hits() {
      for observer in observers { if case .dropped = observer.yield(hit) { lost += 1 } }
    }
    if lost > 0 { state.withLock { $0.lost += lost } }
  }
}
