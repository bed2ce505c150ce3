public import Foundation

/// The port that keeps the events of an instance until their outcome (WT-420).
///
/// What a call has stored when it returns survives the end of the process at any point.
public protocol EventStore: Sendable {
  /// Adds events behind those that wait.
  func append(_ events: [QueuedEvent]) async throws
  /// What waits, oldest first, without its data.
  func waiting() async throws -> [EventSummary]
  /// Events by their ids, in the order of the ids; those that are gone are left out.
  func events(_ ids: [UUID]) async throws -> [QueuedEvent]
  /// Removes events; ids that are gone are no error.
  func settle(_ ids: [UUID]) async throws
  /// Records in how many ends of the page events were under suspicion (WT-314).
  func setDeaths(_ deaths: [UUID: Int]) async throws
  /// Removes all events.
  func eraseAll() async throws
}

/// What the queue knows of an event without reading it.
public struct EventSummary: Sendable, Hashable {
  /// The event's id.
  public var id: UUID
  /// Milliseconds since 1970 of the call that tracked it.
  public var time: Int64
  /// Bytes of the encoded event.
  public var bytes: Int
  /// The type that the page gets.
  public var type: String
  /// The title.
  public var title: String
  /// How often the page ended while the event was under suspicion.
  public var deaths: Int

  /// Makes a summary.
  public init(id: UUID, time: Int64, bytes: Int, type: String, title: String, deaths: Int = 0) {
    self.id = id
    self.time = time
    self.bytes = bytes
    self.type = type
    self.title = title
    self.deaths = deaths
  }
}

/// A store in memory, for tests and for instances that may keep nothing.
package actor MemoryEventStore: EventStore {
  private var kept: [UUID: (place: Int, event: QueuedEvent)] = [:]
  private var lastPlace = 0

  package init() {}

  /// Adds events behind those that wait.
  package func append(_ events: [QueuedEvent]) {
    for event in events {
      lastPlace += 1
      kept[event.id] = (lastPlace, event)
    }
  }

  /// What waits, oldest first.
  package func waiting() -> [EventSummary] { kept.values.sorted { $0.place < $1.place }.map(\.event.summary) }

  /// Events by their ids.
  package func events(_ ids: [UUID]) -> [QueuedEvent] { ids.compactMap { kept[$0]?.event } }

  /// Removes events.
  package func settle(_ ids: [UUID]) { for id in ids { kept[id] = nil } }

  /// Records suspicions.
  package func setDeaths(_ deaths: [UUID: Int]) {
    for (id, count) in deaths { kept[id]?.event.deaths = count }
  }

  /// Removes all events.
  package func eraseAll() { kept = [:] }
}
