import Hits
package import WebTags

/// Reads a host's events and lets a test wait for one.
package final class EventReader: Sendable {
  private let events = Locked<[PageEvent]>([])
  private let changes = Changes()
  private let task: Task<Void, Never>

  package init(_ host: any PageHost) {
    task = Task { [events, changes] in
      for await event in host.events {
        events.withLock { $0.append(event) }
        changes.note()
      }
    }
  }

  /// All events so far.
  package var seen: [PageEvent] { events.withLock { $0 } }

  /// Waits for the end of the events.
  package func end() async { await task.value }

  /// Waits up to half a minute for an event.
  package func wait(_ what: String, _ isIt: (PageEvent) -> Bool) async throws {
    do {
      try await changes.wait(for: what, seconds: 30) { seen.contains(where: isIt) }
    } catch {
      throw ContractFailure(description: "\(error); seen: \(seen.map(\.kind))")
    }
  }
}
