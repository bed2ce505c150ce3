import Hits
package import WebTags

/// Reads a host's events and lets a test wait for one.
package final class EventReader: Sendable {
  private struct State {
    var events: [PageEvent] = []
    var isOver = false
  }

  private let state = Locked(State())
  private let changes = Changes()
  private let task: Task<Void, Never>

  package init(_ host: any PageHost) {
    task = Task { [state, changes] in
      for await event in host.events {
        state.withLock { $0.events.append(event) }
        changes.note()
      }
      state.withLock { $0.isOver = true }
      changes.note()
    }
  }

  /// All events so far.
  package var seen: [PageEvent] { state.withLock { $0.events } }

  /// Whether there will be no more.
  package var isOver: Bool { state.withLock { $0.isOver } }

  /// Waits for the end of the events.
  package func end() async { await task.value }

  /// Waits for an event.
  package func wait(_ what: String, _ isIt: (PageEvent) -> Bool) async throws {
    _ = try await first(what) { isIt($0) ? true : nil }
  }

  /// The first of the events, of before or to come, for which there is an answer.
  ///
  /// - Parameter start: how many events of before are not meant.
  package func first<Answer>(
    _ what: String, after start: Int = 0, _ find: (PageEvent) -> Answer?
  ) async throws -> Answer {
    var found: Answer?
    var next = start
    do {
      try await changes.wait(for: what) {
        let (events, isOver) = state.withLock { ($0.events, $0.isOver) }
        found = events.dropFirst(next).lazy.compactMap(find).first
        next = events.count
        return found != nil || isOver
      }
    } catch {
      throw ContractFailure(description: "\(error); seen: \(seen.map(\.kind))")
    }
    guard let found else { throw ContractFailure(description: "\(what) did not come; seen: \(seen.map(\.kind))") }
    return found
  }
}
