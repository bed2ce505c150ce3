import Hits

/// Tells watchers when the conditions of a queue have changed.
///
/// Whoever has done something that may have changed them asks for a look; watchers hear of changes only.
final class StatusBoard: Sendable {
  private struct State {
    var conditions: Set<QueueStatus.Condition> = []
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastWatcher = 0
  }

  private let state = Locked(State())

  /// Looks at the conditions, when anybody wants to hear of them.
  func look(_ conditions: () -> Set<QueueStatus.Condition>) {
    guard state.withLock({ !$0.watchers.isEmpty }) else { return }
    let conditions = conditions()
    let watchers = state.withLock { state -> [AsyncStream<Void>.Continuation] in
      guard conditions != state.conditions else { return [] }
      state.conditions = conditions
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.yield() }
  }

  /// One element for now, and one for each change from now on; changes that nobody has taken yet are one.
  func changes(from conditions: Set<QueueStatus.Condition>) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      if state.watchers.isEmpty { state.conditions = conditions }
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = continuation
      return state.lastWatcher
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.watchers[number] = nil } }
    continuation.yield()
    return stream
  }

  /// Ends all streams.
  func end() {
    let watchers = state.withLock { state in
      defer { state.watchers = [:] }
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.finish() }
  }
}
