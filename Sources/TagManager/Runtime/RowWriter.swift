import Dispatch
import Hits

/// Reads and writes the data layer's kept rows in the background, one call at a time (TM-542, TM-543).
///
/// Of rows that are handed over while a write is under way only the latest are written.
final class RowWriter: Sendable {
  private struct State {
    var latest: [PersistedRow]?
    var isWriting = false
  }

  private let state = Locked(State())
  private let storage: any DataLayerStorage
  private let settings: Settings
  // A queue of its own: a push that waits for the rows may hold a thread of the concurrency pool.
  private let queue = DispatchQueue(label: "Tagworks.data-layer")

  init(storage: any DataLayerStorage, settings: Settings) {
    self.storage = storage
    self.settings = settings
  }

  /// Reads the rows and hands them over; none when they cannot be read.
  func load(_ completion: @escaping @Sendable ([PersistedRow]) -> Void) {
    queue.async { [storage, settings] in
      do {
        completion(try storage.load())
      } catch {
        settings.logger.log(.warning, "The kept data-layer values cannot be read; they start anew: \(error)")
        completion([])
      }
    }
  }

  /// Writes the rows soon.
  func store(_ rows: [PersistedRow]) {
    let isIdle = state.withLock { state in
      state.latest = rows
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isIdle { queue.async { self.writeAll() } }
  }

  /// Waits until everything handed over is written.
  func flush() { queue.sync {} }

  private func writeAll() {
    while let rows = takeLatest() {
      do {
        try storage.store(rows)
      } catch {
        settings.logger.log(.warning, "Data-layer values with a lifetime cannot be kept: \(error)")
      }
    }
  }

  private func takeLatest() -> [PersistedRow]? {
    state.withLock { state in
      defer { state.latest = nil }
      if state.latest == nil { state.isWriting = false }
      return state.latest
    }
  }
}
