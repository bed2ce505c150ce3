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
    var observers: [Watcher] = []
    var lost = 0
  }

  private struct Watcher {
    weak var observer: HitObserver?
  }

  private let state = Locked(State())

  package init() {}

  /// How many hits observers have lost.
  package var lost: Int { state.withLock { $0.lost } }

  /// An observer of the hits from now on, for as long as somebody holds it.
  ///
  /// - Parameter buffer: how many it may be behind.
  package func observe(buffer: Int = 1000) -> HitObserver {
    let observer = HitObserver(buffer: buffer)
    state.withLock { state in
      state.observers.removeAll { $0.observer == nil }
      state.observers.append(Watcher(observer: observer))
    }
    return observer
  }

  func offer(_ hits: @autoclosure () -> [JudgedHit]) {
    let observers = state.withLock { $0.observers.compactMap(\.observer) }
    guard !observers.isEmpty else { return }
    let hits = hits()
    let lost = observers.reduce(0) { $0 + $1.put(hits) }
    if lost > 0 { state.withLock { $0.lost += lost } }
  }
}
