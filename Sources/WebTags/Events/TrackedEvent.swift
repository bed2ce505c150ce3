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
  let stored = Promise<Bool>()
  let outcome = Promise<EventOutcome>()
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
