import Hits

/// The requests whose handlers are at work: each of their connections sleeps.
final class RunningExchanges: Sendable {
  private struct State {
    var exchanges: [ObjectIdentifier: ServerExchange] = [:]
    var isClosed = false
  }

  private let state = Locked(State())

  /// Notes one more; false after `close`.
  func insert(_ exchange: ServerExchange) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.exchanges[ObjectIdentifier(exchange)] = exchange
      return true
    }
  }

  func remove(_ exchange: ServerExchange) {
    state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  var isEmpty: Bool { state.withLock { $0.exchanges.isEmpty } }

  /// Lets no more in, and gives those that are there.
  func close() -> [ServerExchange] {
    state.withLock { state in
      state.isClosed = true
      return Array(state.exchanges.values)
    }
  }
}
