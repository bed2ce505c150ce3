import HTTPClient
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("HTTP server") struct HTTPServerTests {
  static let echo = Route(
    "/echo",
    [
      "POST": { request in
        ServerResponse(
          status: 200, headers: ["X-Query": String(decoding: request.query, as: UTF8.self)], body: request.body)
      }
    ])

  static func server(
    _ routes: [Route] = [echo, .health], limits: ServerLimits = ServerLimits(),
    log: (@Sendable (RequestRecord) -> Void)? = nil
  ) throws -> HTTPServer {
    try HTTPServer(host: "127.0.0.1", port: 0, routes: routes, limits: limits, log: log)
  }

  static func url(_ server: HTTPServer, _ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

  @Test("CO-106: a request comes to its handler whole and the answer goes back; the connection is kept")
  func exchange() async throws {
    let server = try Self.server()
    let transport = PlatformTransport()
    for size in [0, 1, 1000, 100_000, 1 << 20] {
      let body = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
      let response = try await transport.send(
        HTTPRequest(method: "POST", url: Self.url(server, "/echo?a=%20b&&c"), body: body, responseLimit: 2 << 20))
      #expect(response.status == 200)
      #expect(response.headers["X-Query"] == "a=%20b&&c")
      #expect(response.body == body)
    }
    await server.stop()
  }

  @Test("CO-106, CO-900: a request that may not come in is refused at its head, before its body was sent")
  func judged() async throws {
    let handled = Locked(0)
    var route = Route(
      "/judged/{name}",
      [
        "POST": { request in
          handled.withLock { $0 += 1 }
          return ServerResponse(status: 200, body: request.body)
        }
      ])
    route.judge = { request in
      await Task.yield()
      return request.parameters["name"] == "mine" ? nil : .error(401, "NO_TOKEN", "no")
    }
    let server = try Self.server([route, .health])
    for head in ["Content-Length: 900000", "Content-Length: 99999999", "Transfer-Encoding: chunked"] {
      let text = try await RawExchange.answer(
        to: ["POST /judged/other HTTP/1.1\r\nHost: x\r\n\(head)\r\n\r\n"], port: server.port)
      #expect(RawExchange.statuses(text) == [401], "\(head)")
      #expect(text.contains("Connection: close"))
    }
    #expect(handled.withLock { $0 } == 0)
    #expect(server.bodyBytes == 0)
    let body = [UInt8](repeating: 7, count: 300_000)
    let url = Self.url(server, "/judged/mine")
    let response = try await PlatformTransport().send(
      HTTPRequest(method: "POST", url: url, body: body, responseLimit: 1 << 20))
    #expect(response.status == 200)
    #expect(response.body == body)
    await server.stop()
  }

  @Test("CO-103: a server that stops does not wait for who is still being judged")
  func judgedAtStop() async throws {
    let gate = Gate(opensAt: 2)
    var route = Route("/judged", ["POST": { _ in ServerResponse(status: 200) }])
    route.judge = { _ in
      await gate.pass()
      return nil
    }
    var limits = ServerLimits()
    limits.grace = .zero
    let server = try Self.server([route], limits: limits)
    let socket = try LoopbackSocket.connect(to: server.port)
    socket.send(Array("POST /judged HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n".utf8))
    await gate.arrival()
    await server.stop()
    let text = try await blocking { String(decoding: socket.receiveAll(), as: UTF8.self) }
    #expect(text.hasPrefix("HTTP/1.1 503"))
    socket.close()
    await gate.open()
  }

  @Test("CO-104: /healthz answers GET and HEAD")
  func health() async throws {
    let server = try Self.server()
    let transport = PlatformTransport()
    let get = try await transport.send(HTTPRequest(url: Self.url(server, "/healthz")))
    #expect(get.status == 200)
    #expect(get.body == Array("ok\n".utf8))
    let head = try await transport.send(HTTPRequest(method: "HEAD", url: Self.url(server, "/healthz")))
    #expect(head.status == 200)
    #expect(head.headers["Content-Length"] == "3")
    #expect(head.body == [])
    await server.stop()
  }

  @Test("unknown paths are 404; a method that a path does not take is 405 with Allow; OPTIONS is 204")
  func routing() async throws {
    let server = try Self.server()
    let transport = PlatformTransport()
    func send(_ method: String, _ path: String) async throws -> HTTPResponse {
      try await transport.send(HTTPRequest(method: method, url: Self.url(server, path)))
    }
    #expect(try await send("GET", "/nowhere").status == 404)
    let refused = try await send("GET", "/echo")
    #expect(refused.status == 405)
    #expect(refused.headers["Allow"] == "OPTIONS, POST")
    #expect(try await send("DELETE", "/echo").status == 405)
    let options = try await send("OPTIONS", "/healthz")
    #expect(options.status == 204)
    #expect(options.headers["Allow"] == "GET, HEAD, OPTIONS")
    await server.stop()
  }

  @Test("CO-106: a body beyond its route's limit is 413, with or without a declared length")
  func bodyLimit() async throws {
    var route = Self.echo
    route.bodyLimit = 1000
    let server = try Self.server([route])
    for size in [1000, 1001, 50_000, 1 << 20] {
      let response = try await PlatformTransport().send(
        HTTPRequest(method: "POST", url: Self.url(server, "/echo"), body: [UInt8](repeating: 1, count: size)))
      #expect(response.status == (size > 1000 ? 413 : 200), "\(size) bytes")
    }
    // Who goes on sending to a closed connection may meet its end before the answer.
    let large = try? await PlatformTransport().send(
      HTTPRequest(method: "POST", url: Self.url(server, "/echo"), body: [UInt8](repeating: 1, count: 3 << 20)))
    #expect(large?.status ?? 413 == 413)
    let chunk = "800\r\n" + String(repeating: "a", count: 0x800) + "\r\n"
    let text = try await RawExchange.answer(
      to: [
        "POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n", chunk, "0\r\n\r\n",
      ],
      port: server.port)
    #expect(RawExchange.statuses(text) == [413])
    let endless = [String](repeating: "10000\r\n" + String(repeating: "a", count: 0x10000) + "\r\n", count: 64)
    _ = try await RawExchange.answer(
      to: ["POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"] + endless, port: server.port)
    #expect(
      try await PlatformTransport().send(HTTPRequest(method: "POST", url: Self.url(server, "/echo"))).status == 200)
    await server.stop()
  }

  @Test("a refusal before the body is read keeps the handler from running")
  func admission() async throws {
    let calls = Locked(0)
    var route = Route(
      "/echo",
      [
        "POST": { _ in
          calls.withLock { $0 += 1 }
          return ServerResponse(status: 200)
        }
      ])
    route.admit = { .error(503, "BUSY", "later", retryAfter: 7) }
    let server = try Self.server([route])
    let response = try await PlatformTransport().send(
      HTTPRequest(method: "POST", url: Self.url(server, "/echo"), body: [1, 2, 3]))
    #expect(response.status == 503)
    #expect(response.headers["Retry-After"] == "7")
    #expect(calls.withLock { $0 } == 0)
    await server.stop()
  }

  @Test("many requests at a time, each slow, run side by side on one thread")
  func concurrency() async throws {
    let gate = Gate(opensAt: 64)
    let server = try Self.server([
      Route(
        "/wait",
        [
          "GET": { _ in
            await gate.pass()
            return ServerResponse(status: 200)
          }
        ])
    ])
    let transport = PlatformTransport(connectionsPerHost: 64)
    let url = Self.url(server, "/wait")
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...64 { group.addTask { try await transport.send(HTTPRequest(url: url)).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [Int](repeating: 200, count: 64))
    await server.stop()
  }

  @Test("CO-105: one line for each request, without query, and no line of the client's making")
  func log() async throws {
    let lines = Locked<[String]>([])
    let server = try Self.server(log: { record in lines.withLock { $0.append(record.description) } })
    let transport = PlatformTransport()
    _ = try await transport.send(
      HTTPRequest(method: "POST", url: Self.url(server, "/echo?cid=secret"), body: Array("secret".utf8)))
    _ = try await RawExchange.answer(
      to: ["GET /a\u{1B}[31m?secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"], port: server.port)
    await server.stop()
    let logged = lines.withLock { $0 }
    #expect(logged.count == 2)
    #expect(logged[0].hasPrefix("POST /echo 200 6 6 "))
    #expect(logged[1].hasPrefix("GET /a\\u{1b}[31m 400 0 "))
    #expect(logged.allSatisfy { !$0.contains("secret") && !$0.contains("\n") })
  }

  @Test("an address that cannot be had is one clear error")
  func listening() async throws {
    let server = try Self.server()
    let taken = #expect(throws: ConsoleError.self) { try HTTPServer(host: "127.0.0.1", port: server.port, routes: []) }
    #expect(taken?.code == .cannotListen)
    #expect(taken?.message == "cannot listen on 127.0.0.1 port \(server.port): another program listens there")
    let unknown = #expect(throws: ConsoleError.self) { try HTTPServer(host: "no.such.name", port: 0, routes: []) }
    #expect(unknown?.code == .invalidSetting)
    await server.stop()
  }

  @Test("IPv6 loopback and localhost can be listened on")
  func addresses() async throws {
    for host in ["::1", "localhost", "127.0.0.1"] {
      let server = try HTTPServer(host: host, port: 0, routes: [.health])
      #expect(server.isLoopback)
      #expect(server.port > 0)
      await server.stop()
    }
    let open = try HTTPServer(host: "0.0.0.0", port: 0, routes: [.health])
    #expect(!open.isLoopback)
    await open.stop()
  }
}

/// Lets tasks through once a number of them has come.
actor Gate {
  private let count: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var arrived = 0
  private var watchers: [CheckedContinuation<Void, Never>] = []

  init(opensAt count: Int) { self.count = count }

  func pass() async {
    arrived += 1
    for watcher in watchers { watcher.resume() }
    watchers = []
    if arrived >= count { return open() }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Waits until somebody has come.
  func arrival() async {
    if arrived > 0 { return }
    await withCheckedContinuation { watchers.append($0) }
  }

  func open() {
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
