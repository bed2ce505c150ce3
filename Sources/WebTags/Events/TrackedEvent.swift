public import Foundation
import Hits

/// A tracked event: its id, and what becomes of it.
public struct TrackedEvent: Sendable, Identifiable {
  /// The event's id, which the page gets as `event_id`.
  public let id: UUID
  let fate: EventFate

  /// Waits until the event is kept or has ended.
  ///
  /// - Returns: whether it survives the end of the process (WT-421).
  public func stored() async -> Bool { await fate.stored.value }

  /// Waits for the outcome (WT-441).
  public func outcome() async -> EventOutcome { await fate.outcome.value }
}

/// What becomes of an event of this process.
final class EventFate: Sendable {
  let stored = Later<Bool>()
  let outcome = Later<EventOutcome>()
  private let id: UUID
  /// What the app wants to be told, if it does.
  private let completion: (@Sendable (TrackedEvent, EventOutcome) -> Void)?

  init(id: UUID, completion: (@Sendable (TrackedEvent, EventOutcome) -> Void)?) {
    self.id = id
    self.completion = completion
  }

  /// Records the outcome; only the first counts.
  func end(_ outcome: EventOutcome) {
    stored.fulfil(false)
    if self.outcome.fulfil(outcome) { completion?(TrackedEvent(id: id, fate: self), outcome) }
  }
}

/// A value that comes once, for those who wait.
final class Later<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [CheckedContinuation<Value, Never>] = []
  }

  private let state = Locked(State())

  /// Gives the value.
  ///
  /// - Returns: whether it was the first.
  @discardableResult
  func fulfil(_ value: Value) -> Bool {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>]? in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting ?? [] { continuation.resume(returning: value) }
    return waiting != nil
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
}
