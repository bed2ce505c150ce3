/// Values for any number of listeners, each of whom has a bounded buffer: the oldest go first and are counted.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var nextID = 0
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    var lost = 0
    var isFinished = false
  }

  private let state = Locked(State())
  private let buffer: Int

  /// Makes a broadcast whose listeners may be behind by so many values.
  package init(buffer: Int = 256) { self.buffer = buffer }

  deinit { finish() }

  /// A stream of what comes from now on; it is over at once when the broadcast has ended.
  package func stream() -> AsyncStream<Element> {
    AsyncStream(bufferingPolicy: .bufferingNewest(buffer)) { continuation in
      let id = state.withLock { state -> Int? in
        guard !state.isFinished else { return nil }
        state.nextID += 1
        state.listeners[state.nextID] = continuation
        return state.nextID
      }
      guard let id else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
      }
    }
  }

  /// Sends a value, which is not made when nobody listens.
  package func yield(_ element: @autoclosure () -> Element) {
    let listeners = state.withLock { $0.listeners.isEmpty ? [] : Array($0.listeners.values) }
    guard !listeners.isEmpty else { return }
    let element = element()
    var lost = 0
    for listener in listeners {
      if case .dropped = listener.yield(element) { lost += 1 }
    }
    if lost > 0 { state.withLock { [lost] in $0.lost += lost } }
  }

  /// How many values some listener did not take in time.
  package var lost: Int { state.withLock { $0.lost } }

  /// Ends every stream, and those that are asked for later.
  package func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
