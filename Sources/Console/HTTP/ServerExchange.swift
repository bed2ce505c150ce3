import CMicrohttpd
import Foundation
import Hits

/// One request that is not answered from memory, from its head to its answer.
///
///     head ─► judging ─► receiving ─► running ─► answered
///       │        │           └─► refusing ─┘        ▲
///       └────────┴──────────────────────────────────┘
///
/// libmicrohttpd calls for the head (`begin`), then (`proceed`) for each piece of the body, at its end, and once more after
/// a suspended connection was resumed. While a head is judged nothing of the body is read.
///
/// `@unchecked Sendable`: `phase` and the body belong to libmicrohttpd's thread; tasks touch only `reply`.
final class ServerExchange: @unchecked Sendable {
  private enum Phase {
    case head
    case judging(Route, Route.Handler, RequestHead)
    case receiving(Route, Route.Handler, RequestHead)
    /// The body is too long: what still comes is read and dropped, so that the client can read the refusal.
    case refusing(ServerResponse)
    case running
  }

  private enum Reply {
    case none
    /// The connection sleeps until there is an answer.
    case awaited(SleepingConnection)
    /// nil lets the body in.
    case ready(ServerResponse?)
  }

  /// `@unchecked Sendable`: libmicrohttpd lets any thread wake a connection, and keeps it until that has happened.
  private struct SleepingConnection: @unchecked Sendable {
    let handle: OpaquePointer
  }

  private let server: ServerCore
  private let connection: ServerConnection
  private let line: RequestLine
  private var phase = Phase.head
  private var body: [UInt8] = []
  private var received = 0
  /// Bytes of the body that are taken from the memory of all.
  private var held = 0
  private var route: String?
  private let reply = Locked(Reply.none)
  /// Bytes of an overlong body that are read for politeness.
  private static let patience = 1 << 20

  init(server: ServerCore, connection: ServerConnection, line: RequestLine) {
    self.server = server
    self.connection = connection
    self.line = line
  }

  /// Takes libmicrohttpd's next call, with a piece of the body or none.
  func proceed(_ handle: OpaquePointer, _ piece: UnsafeRawBufferPointer) -> MHD_Result {
    switch phase {
    case .head: return .NO
    case .judging(let route, let handler, let head):
      guard case .ready(let refusal) = reply.withLock({ $0 }) else { return .NO }
      connection.expect(by: line.start + server.receiveTime)
      if let refusal { return answer(handle, refusal, closes: true) }
      return receive(handle, route, handler, head)
    case .receiving(let route, let handler, let head):
      if piece.isEmpty { return run(handle, route, handler, head) }
      received += piece.count
      guard received <= route.bodyLimit else { return refuse(tooLarge(route)) }
      guard server.bodies.take(piece.count) else {
        return refuse(.error(503, "BUSY", "too many bodies arrive at once", retryAfter: 1))
      }
      held += piece.count
      body.append(contentsOf: piece)
      return .YES
    case .refusing(let response):
      if piece.isEmpty { return answer(handle, response, closes: false) }
      received += piece.count
      return received <= Self.patience ? .YES : .NO
    case .running:
      guard case .ready(let response?) = reply.withLock({ $0 }) else { return .NO }
      return answer(handle, response, closes: false)
    }
  }

  private static let malformed = ServerResponse.error(400, "BAD_REQUEST", "the head is malformed")

  /// Answers a head that can be read in more than one way.
  func answerMalformed(_ handle: OpaquePointer) -> MHD_Result { answer(handle, Self.malformed, closes: true) }

  /// Judges the head; an answer given here closes the connection when a body would follow.
  func begin(_ handle: OpaquePointer) -> MHD_Result {
    let head = RequestHead(handle, line)
    let framing = head.framing
    guard framing != .ambiguous else { return answerMalformed(handle) }
    if cmhd_header_size(handle) > server.limits.header {
      return answer(
        handle, .error(431, "TOO_LARGE", "the head is longer than \(server.limits.header) bytes"), closes: true)
    }
    let hasBody = framing != .none && framing != .length(0)
    switch server.router.decide(method: line.method, path: line.path, headers: head.headers) {
    case .answer(let response): return answer(handle, response, closes: hasBody)
    case .handle(let route, let handler):
      self.route = route.path
      if let refusal = route.admit() { return answer(handle, refusal, closes: hasBody) }
      guard hasBody, let judge = route.judge else { return receive(handle, route, handler, head) }
      phase = .judging(route, handler, head)
      let request = request(head)
      work(handle) { await judge(request) }
      return .YES
    }
  }

  /// Lets the body come.
  private func receive(_ handle: OpaquePointer, _ route: Route, _ handler: @escaping Route.Handler, _ head: RequestHead)
    -> MHD_Result
  {
    phase = .receiving(route, handler, head)
    if case .length(let length) = head.framing {
      if length > max(route.bodyLimit, Self.patience) { return answer(handle, tooLarge(route), closes: true) }
      if length > route.bodyLimit { return refuse(tooLarge(route)) }
      body.reserveCapacity(min(length, 64 << 10))
    }
    return .YES
  }

  private func tooLarge(_ route: Route) -> ServerResponse {
    route.overlong ?? .error(413, "TOO_LARGE", "the body is longer than \(route.bodyLimit) bytes")
  }

  private func refuse(_ response: ServerResponse) -> MHD_Result {
    body = []
    giveBackMemory()
    phase = .refusing(response)
    return .YES
  }

  private func run(_ handle: OpaquePointer, _ route: Route, _ handler: @escaping Route.Handler, _ head: RequestHead)
    -> MHD_Result
  {
    let request = request(head)
    body = []
    phase = .running
    work(handle) {
      var response = await handler(request)
      route.origins.grant(request.headers["Origin"], in: &response)
      return response
    }
    return .YES
  }

  private func request(_ head: RequestHead) -> ServerRequest {
    ServerRequest(
      method: line.method, path: line.path, query: Array(line.query.utf8), headers: head.headers, body: body,
      client: server.proxies.client(of: connection.client, head.headers))
  }

  /// Lets the connection sleep while a task finds out what it is told.
  private func work(_ handle: OpaquePointer, _ task: @escaping @Sendable () async -> ServerResponse?) {
    connection.expect(by: nil)
    reply.withLock { $0 = .awaited(SleepingConnection(handle: handle)) }
    // Before the work begins: its answer may come at once.
    MHD_suspend_connection(handle)
    guard server.running.insert(self) else {
      return finish(.error(503, "BUSY", "the server stops", retryAfter: 1))
    }
    Task { finish(await task()) }
  }

  /// Gives the answer and wakes the connection; the first answer counts.
  func finish(_ response: ServerResponse?) {
    let sleeping = reply.withLock { reply -> SleepingConnection? in
      guard case .awaited(let sleeping) = reply else { return nil }
      reply = .ready(response)
      return sleeping
    }
    guard let sleeping else { return }
    MHD_resume_connection(sleeping.handle)
    // Not before: a server that stops waits for the last one here.
    server.running.remove(self)
  }

  private func answer(_ handle: OpaquePointer, _ response: ServerResponse, closes: Bool) -> MHD_Result {
    server.note(line, route: route, response, received: received, on: connection)
    return response.queue(on: handle, closes: closes || server.isStopping)
  }

  private func giveBackMemory() {
    server.bodies.giveBack(held)
    held = 0
  }

  /// The connection has sent the answer, or is at its end.
  func end() { giveBackMemory() }
}

extension ServerResponse {
  func queue(on handle: OpaquePointer, closes: Bool) -> MHD_Result {
    guard let response = makeHandle() else { return .NO }
    defer { MHD_destroy_response(response) }
    if closes { MHD_add_response_header(response, "Connection", "close") }
    return MHD_queue_response(handle, UInt32(status), response)
  }

  /// libmicrohttpd's form of it, which somebody must destroy.
  func makeHandle() -> OpaquePointer? {
    let response = body.withUnsafeBytes { bytes in
      // The bytes are copied; libmicrohttpd's C signature is not const.
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), MHD_ResponseMemoryMode.RESPMEM_MUST_COPY)
    }
    guard let response else { return nil }
    for field in headers { MHD_add_response_header(response, field.name, field.value) }
    return response
  }
}
