import CMicrohttpd
import Foundation
import Hits

/// One client's connection and when its time is up.
///
///     opened ─► receiving ─► running ─► sending ─► idle ─► receiving …
///
/// libmicrohttpd knows only idle time: a client that sends a byte a second would live for ever. The deadlines here are
/// absolute; `ServerConnections` shuts a socket down when one has passed.
final class ServerConnection: Sendable {
  private struct State {
    /// By the server's clock.
    var deadline: Int64?
    var isIdle = true
  }

  let descriptor: Int32
  let client: ClientAddress
  private let state: Locked<State>

  init(descriptor: Int32, client: ClientAddress, deadline: Int64) {
    self.descriptor = descriptor
    self.client = client
    state = Locked(State(deadline: deadline))
  }

  /// Gives the connection until an instant; nil while the server itself is at work on its request.
  func expect(by deadline: Int64?, isIdle: Bool = false) {
    state.withLock { $0 = State(deadline: deadline, isIdle: isIdle) }
  }

  /// Whether the time is up; it is told once.
  func hasExpired(at now: Int64) -> Bool {
    state.withLock { state in
      guard let deadline = state.deadline, deadline < now else { return false }
      state.deadline = nil
      return true
    }
  }

  var isIdle: Bool { state.withLock { $0.isIdle } }

  func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// The open connections, and the thread that ends those whose time is up.
///
/// libmicrohttpd reports the end of a connection before it closes the descriptor, and sockets are shut down under the
/// same lock: no number that was given to somebody else is hit.
final class ServerConnections: Sendable {
  private struct State {
    var open: [ObjectIdentifier: ServerConnection] = [:]
    var isStopped = false
  }

  private let state = Locked(State())
  private let wake = DispatchSemaphore(value: 0)
  private let tick: DispatchTimeInterval

  /// Deadlines are looked at several times within the shortest of the limits.
  init(limits: ServerLimits) {
    let shortest = min(limits.receive, limits.send, limits.idle)
    tick = .milliseconds(Int(max(5, min(250, ServerClock.nanoseconds(shortest) / 8_000_000))))
  }

  var count: Int { state.withLock { $0.open.count } }

  func insert(_ connection: ServerConnection) {
    let isFirst = state.withLock { state in
      state.open[ObjectIdentifier(connection)] = connection
      return state.open.count == 1
    }
    if isFirst { wake.signal() }
  }

  func remove(_ connection: ServerConnection) {
    state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(connection)) }
  }

  /// Ends those between two requests.
  func cutIdle() {
    state.withLock { state in for connection in state.open.values where connection.isIdle { connection.cut() } }
  }

  func cutAll() { state.withLock { state in for connection in state.open.values { connection.cut() } } }

  func stop() {
    state.withLock { $0.isStopped = true }
    wake.signal()
  }

  /// Runs until `stop`; without connections it sleeps.
  func watch() {
    while true {
      let now = ServerClock.now
      let (isStopped, isEmpty) = state.withLock { state in
        for connection in state.open.values where connection.hasExpired(at: now) { connection.cut() }
        return (state.isStopped, state.open.isEmpty)
      }
      if isStopped { return }
      if isEmpty { wake.wait() } else { _ = wake.wait(timeout: .now() + tick) }
    }
  }
}
