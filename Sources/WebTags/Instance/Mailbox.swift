import Hits

/// Work for one consumer, in the order in which it came; putting something in never waits.
final class Mailbox<Item: Sendable>: Sendable {
  private struct State {
    var items: [Item] = []
    var isFinished = false
    var consumer: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Adds work; false when the box is finished.
  @discardableResult
  func put(_ item: Item) -> Bool {
    let (isTaken, consumer) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      guard !state.isFinished else { return (false, nil) }
      state.items.append(item)
      defer { state.consumer = nil }
      return (true, state.consumer)
    }
    consumer?.resume()
    return isTaken
  }

  /// Takes nothing more in; what is there is still given.
  func finish() {
    let consumer = state.withLock { state in
      state.isFinished = true
      defer { state.consumer = nil }
      return state.consumer
    }
    consumer?.resume()
  }

  /// All work that is there, at least one item; nil at the end.
  func next() async -> [Item]? {
    while true {
      let (items, isFinished) = state.withLock { state in
        defer { state.items = [] }
        return (state.items, state.isFinished)
      }
      if !items.isEmpty { return items }
      if isFinished { return nil }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.items.isEmpty || state.isFinished { return true }
          state.consumer = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }
}
