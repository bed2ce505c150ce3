import CMicrohttpd
import Foundation
import Hits

/// What libmicrohttpd's callbacks work with.
final class ServerCore: Sendable {
  let router: Router
  let instantRoutes: [InstantRoute]
  let limits: ServerLimits
  let proxies: TrustedProxies
  let log: (@Sendable (RequestRecord) -> Void)?
  let connections: ServerConnections
  let running = RunningExchanges()
  let bodies: BodyMemory
  /// The limits of time, in nanoseconds.
  let receiveTime: Int64
  let sendTime: Int64
  let idleTime: Int64
  private let stopping = Locked(false)

  init(
    router: Router, instantRoutes: [InstantRoute] = [], limits: ServerLimits,
    proxies: TrustedProxies = TrustedProxies(), log: (@Sendable (RequestRecord) -> Void)?
  ) {
    self.router = router
    self.instantRoutes = instantRoutes
    self.limits = limits
    self.proxies = proxies
    self.log = log
    connections = ServerConnections(limits: limits)
    bodies = BodyMemory(limit: limits.bodies)
    receiveTime = ServerClock.nanoseconds(limits.receive)
    sendTime = ServerClock.nanoseconds(limits.send)
    idleTime = ServerClock.nanoseconds(limits.idle)
  }

  /// Notes that a request has its answer, and gives its client the time to take it.
  func note(
    _ line: RequestLine, route: String?, _ response: ServerResponse, received: Int, on connection: ServerConnection
  ) {
    let now = ServerClock.now
    connection.expect(by: now + sendTime)
    log?(
      RequestRecord(
        method: line.method, path: line.path, route: route, status: response.status, received: received,
        sent: response.body.count, nanoseconds: now - line.start))
  }

  /// Whether connections close with their next answer.
  var isStopping: Bool {
    get { stopping.withLock { $0 } }
    set { stopping.withLock { $0 = newValue } }
  }
}

/// An HTTP/1.1 server on libmicrohttpd: one thread for all connections, handlers as tasks (CO-106).
///
/// A connection sleeps while its handler works, so that neither slow clients nor slow handlers cost a thread.
package final class HTTPServer: Sendable {
  /// The port it listens on.
  package let port: UInt16
  /// Whether only this machine can reach it.
  package let isLoopback: Bool
  private let core: ServerCore
  // Set once; libmicrohttpd's functions on it are safe on any thread.
  nonisolated(unsafe) private let daemon: OpaquePointer
  private let hasStopped = Locked(false)
  private let listener: Int32
  /// The other end of the socket that stands in for the listening one; as long as it is open, nothing comes.
  private let silence = Locked<Int32?>(nil)

  /// Starts to serve; a numeric address or `localhost`, and port 0 for a free one.
  package convenience init(
    host: String, port: UInt16, routes: [Route], instantRoutes: [InstantRoute] = [],
    limits: ServerLimits = ServerLimits(),
    log: (@Sendable (RequestRecord) -> Void)? = nil
  ) throws(ConsoleError) {
    let socket = try ListeningSocket(host: host, port: port)
    try self.init(
      socket: socket, core: ServerCore(router: Router(routes), instantRoutes: instantRoutes, limits: limits, log: log))
  }

  init(socket: ListeningSocket, core: ServerCore) throws(ConsoleError) {
    Self.raiseDescriptorLimit(to: core.limits.connections + 64)
    let context = Unmanaged.passUnretained(core).toOpaque()
    var options = [
      MHD_OptionItem(option: .LISTEN_SOCKET, value: Int(socket.descriptor), ptr_value: nil),
      MHD_OptionItem(option: .CONNECTION_LIMIT, value: core.limits.connections, ptr_value: nil),
      // Room for the head, what libmicrohttpd notes about it, and a piece of the body.
      MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: core.limits.header * 2, ptr_value: nil),
      // Strict, it would refuse a head by itself, with the answer's head written twice (0.9.75); see `ServerExchange`.
      MHD_OptionItem(option: .STRICT_FOR_CLIENT, value: 0, ptr_value: nil),
      MHD_OptionItem(
        option: .NOTIFY_CONNECTION, value: unsafeBitCast(noteConnection, to: Int.self), ptr_value: context),
      MHD_OptionItem(
        option: .URI_LOG_CALLBACK, value: unsafeBitCast(noteRequestLine, to: Int.self), ptr_value: context),
      MHD_OptionItem(option: .NOTIFY_COMPLETED, value: unsafeBitCast(noteCompletion, to: Int.self), ptr_value: context),
      MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
    ]
    let flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    guard let daemon = cmhd_start(flags, 0, handleRequest, context, &options) else {
      close(socket.descriptor)
      throw ConsoleError(code: .cannotServe, message: "the HTTP library did not start: errno \(errno)")
    }
    self.core = core
    self.daemon = daemon
    listener = socket.descriptor
    port = socket.port
    isLoopback = socket.isLoopback
    let connections = core.connections
    let watcher = Thread { connections.watch() }
    watcher.name = "Deadlines"
    watcher.start()
  }

  deinit {
    // A server that is let go of without `stop`, as in a test that fails: libmicrohttpd's thread must not outlive it.
    if !hasStopped.withLock({ $0 }) { halt() }
  }

  /// Connections that are not ended.
  package var openConnections: Int { core.connections.count }

  /// Bytes of bodies in memory.
  package var bodyBytes: Int { core.bodies.filled }

  /// Stops: no new connections, running requests get `ServerLimits.grace` to finish, then they are cut (CO-103).
  package func stop() async {
    let isFirst = hasStopped.withLock { hasStopped in
      defer { hasStopped = true }
      return !hasStopped
    }
    guard isFirst else { return }
    stopListening()
    let end = ContinuousClock.now + core.limits.grace
    while core.connections.count > 0, ContinuousClock.now < end {
      core.connections.cutIdle()
      // Only a cancelled task wakes early, and then it is in a hurry.
      try? await Task.sleep(for: .milliseconds(5))
      if Task.isCancelled { break }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.halt()
        continuation.resume()
      }
    }
  }

  /// Refuses new connections at once, by closing the listening socket under libmicrohttpd's feet.
  ///
  /// `MHD_quiesce_daemon` is no help: it and the library's thread take the socket out of the epoll set both, and when the
  /// thread comes second it aborts the process (0.9.75). So its number gets a socket on which nothing ever comes: the
  /// kernel closes the old one and takes it out of the set. The library closes the number when it stops.
  private func stopListening() {
    core.isStopping = true
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else {
      // No descriptor left. Connections are refused all the same, but the library's thread spins until the stop.
      shutdown(listener, Int32(SHUT_RDWR))
      return
    }
    dup2(pair[0], listener)
    close(pair[0])
    silence.withLock { $0 = pair[1] }
  }

  /// Ends everything at once.
  ///
  /// libmicrohttpd aborts when it is stopped with a sleeping connection: all are woken first.
  private func halt() {
    if !core.isStopping { stopListening() }
    let running = core.running.close()
    for exchange in running { exchange.finish(.error(503, "BUSY", "the server stops", retryAfter: 1)) }
    // A handler that finishes in this moment wakes its connection itself.
    while !core.running.isEmpty { usleep(500) }
    // A moment for these answers to be sent.
    if !running.isEmpty { usleep(50_000) }
    core.connections.cutAll()
    MHD_stop_daemon(daemon)
    if let silence = silence.withLock({ $0 }) { close(silence) }
    core.connections.stop()
  }

  private static func raiseDescriptorLimit(to count: Int) {
    var limit = rlimit()
    #if canImport(Darwin)
      let resource = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    setrlimit(resource, &limit)
  }
}
