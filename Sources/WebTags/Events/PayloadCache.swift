import Foundation

/// The data of events that is at hand: of a hundred stored ones, and of all that are in memory only.
///
/// The stored ones are those that came first, for they leave first; data of later ones is read when it is needed.
struct PayloadCache: Sendable {
  static let most = 100
  /// The most events that are kept in memory because the store failed (WT-433).
  static let mostUnstored = 1000

  private var recent: [UUID: QueuedEvent] = [:]
  private(set) var unstored: [UUID: QueuedEvent] = [:]

  mutating func add(_ event: QueuedEvent, isStored: Bool) {
    if !isStored { unstored[event.id] = event } else if recent.count < Self.most { recent[event.id] = event }
  }

  subscript(id: UUID) -> QueuedEvent? { unstored[id] ?? recent[id] }

  mutating func remove(_ id: UUID) {
    recent[id] = nil
    unstored[id] = nil
  }
}
