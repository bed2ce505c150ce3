import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Hostile HTTP") struct HostileRequestTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var request: [String]
    /// The statuses that may come back; nil stands for a connection that is cut without an answer.
    var allowed: Set<Int?>
  }

  static let host = "Host: x\r\nConnection: close\r\n"
  static let chunked = "POST /echo HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"

  static func post(_ fields: String, _ body: String = "{\"a\":1}") -> [String] {
    ["POST /echo HTTP/1.1\r\n\(host)\(fields)\r\n\(body)"]
  }

  static let cases: [Case] = [
    Case(testDescription: "a plain request", request: post("Content-Length: 7\r\n"), allowed: [200]),
    Case(testDescription: "chunks", request: [chunked, "7\r\n{\"a\":1}\r\n", "0\r\n\r\n"], allowed: [200]),
    Case(
      testDescription: "two equal lengths", request: post("Content-Length: 7\r\nContent-Length: 7\r\n"), allowed: [400]),
    Case(
      testDescription: "two different lengths", request: post("Content-Length: 7\r\nContent-Length: 3\r\n"),
      allowed: [400]),
    Case(
      testDescription: "length and encoding",
      request: post(
        "Content-Length: 7\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
      allowed: [400]),
    Case(
      testDescription: "encoding and length",
      request: post("Transfer-Encoding: chunked\r\nContent-Length: 7\r\n", "0\r\n\r\n"), allowed: [400]),
    Case(testDescription: "unknown encoding", request: post("Transfer-Encoding: xchunked\r\n"), allowed: [400]),
    Case(testDescription: "two encodings", request: post("Transfer-Encoding: gzip, chunked\r\n"), allowed: [400]),
    Case(testDescription: "negative length", request: post("Content-Length: -1\r\n"), allowed: [400]),
    Case(testDescription: "signed length", request: post("Content-Length: +7\r\n"), allowed: [400]),
    Case(testDescription: "list of lengths", request: post("Content-Length: 7, 7\r\n"), allowed: [400]),
    Case(
      testDescription: "length beyond 64 bits", request: post("Content-Length: 36893488147419103232\r\n"),
      allowed: [400, 413]),
    Case(testDescription: "length beyond the limit", request: post("Content-Length: 99999999\r\n"), allowed: [413]),
    Case(
      testDescription: "chunk size of no digits", request: [chunked, "zz\r\n{\"a\":1}\r\n0\r\n\r\n"],
      allowed: [400, nil]),
    Case(
      testDescription: "chunk size beyond 64 bits", request: [chunked, "FFFFFFFFFFFFFFFFF\r\nx"],
      allowed: [400, 413, nil]),
    Case(
      testDescription: "negative chunk size", request: [chunked, "-7\r\n{\"a\":1}\r\n0\r\n\r\n"], allowed: [400, nil]),
    Case(
      testDescription: "chunk without its end", request: [chunked, "7\r\n{\"a\":1}XX0\r\n\r\n"], allowed: [400, nil]),
    Case(
      testDescription: "NUL in a value", request: ["GET /healthz HTTP/1.1\r\n\(host)Foo: a\0b\r\n\r\n"],
      allowed: [200, 400]),
    Case(
      testDescription: "NUL in the path", request: ["GET /healthz\0x HTTP/1.1\r\n\(host)\r\n"],
      allowed: [200, 400, 404, nil]),
    Case(
      testDescription: "TLS to a plain port", request: ["\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\r\n\r\n"], allowed: [400, nil]),
    Case(testDescription: "unknown method", request: ["FOO /healthz HTTP/1.1\r\n\(host)\r\n"], allowed: [405]),
    Case(
      testDescription: "a version of the future", request: ["GET /healthz HTTP/9.9\r\n\(host)\r\n"],
      allowed: [200, 400, 505, nil]),
    Case(testDescription: "no version", request: ["GET /healthz\r\n\r\n"], allowed: [200, 400, nil]),
    Case(
      testDescription: "a long target",
      request: ["GET /\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\n\(host)\r\n"],
      allowed: [413, 414, 431]),
    Case(
      testDescription: "a head of 17 KB",
      request: ["GET /healthz HTTP/1.1\r\n\(host)X: \(String(repeating: "a", count: 17_000))\r\n\r\n"], allowed: [431]),
    Case(
      testDescription: "a head of 1 MB",
      request: ["GET /healthz HTTP/1.1\r\n\(host)"]
        + [String](repeating: "X: \(String(repeating: "y", count: 1000))\r\n", count: 1000) + ["\r\n"],
      allowed: [431, nil]),
    Case(
      testDescription: "a thousand empty fields",
      request: ["GET /healthz HTTP/1.1\r\n\(host)" + String(repeating: "X:\r\n", count: 1000) + "\r\n"],
      allowed: [200, 400, 431]),
    Case(
      testDescription: "a head of 15 KB",
      request: ["GET /healthz HTTP/1.1\r\n\(host)X: \(String(repeating: "a", count: 15_000))\r\n\r\n"], allowed: [200]),
    Case(
      testDescription: "an absolute target", request: ["GET http://x/healthz HTTP/1.1\r\n\(host)\r\n"],
      allowed: [200, 404]),
    Case(testDescription: "OPTIONS *", request: ["OPTIONS * HTTP/1.1\r\n\(host)\r\n"], allowed: [204, 404]),
  ]

  @Test("CO-106: malformed input is refused, and the server lives on", arguments: cases)
  func malformed(test: Case) async throws {
    let server = try HTTPServerTests.server()
    let text = try await RawExchange.answer(to: test.request, port: server.port)
    let status = RawExchange.statuses(text).first
    #expect(test.allowed.contains(status), "\(status.map(String.init) ?? "no answer")")
    let after = try await PlatformTransport().send(HTTPRequest(url: HTTPServerTests.url(server, "/healthz")))
    #expect(after.status == 200)
    await server.stop()
  }

  @Test(
    "CO-106: a head that two readers could read in two ways is refused, once and in our own form",
    arguments: [
      "GET /healthz HTTP/1.1\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", "GET /healthz /echo HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /health\u{1}z HTTP/1.1\r\nHost: x\r\n\r\n", "GET /health\u{7F}z HTTP/1.1\r\nHost: x\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
      "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nabcdeGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: x\r\nX y: chunked\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\u{1}b\r\n\r\n",
    ])
  func ambiguous(head: String) async throws {
    let server = try HTTPServerTests.server()
    let text = try await RawExchange.answer(to: [head], port: server.port)
    #expect(RawExchange.statuses(text) == [400])
    #expect(text.contains("Connection: close"))
    #expect(text.hasSuffix(#"{"error":{"code":"BAD_REQUEST","message":"the head is malformed"}}"#))
    await server.stop()
  }

  @Test(
    "CO-106: a head that two readers could read in two ways is refused where the answer is in memory, too",
    arguments: [
      "GET /v1/containers/GTM-TEST HTTP/1.1\r\n\r\n",
      "GET /v1/containers/GTM-TEST HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET /v1/containers/GTM-TEST HTTP/1.1\r\nHost: a\r\nHOST: a\r\n\r\n",
      "GET /v1/containers/GTM-TEST HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET /v1/containers/GTM-TEST?a=\u{1} HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /v1/containers/GTM-TEST\u{7F} HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /v1/containers/GTM-TEST HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\n",
      "GET /v1/containers/GTM-TEST HTTP/1.1\r\nHost: x\r\nX: a\u{1}b\r\n\r\n",
      "GET /v1/containers/GTM-TEST HTTP/1.1\r\nHost: x\r\nX y: b\r\n\r\n",
      "GET /v1/containers/GTM-TEST HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
      "GET /v1/containers/GTM-TEST HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ])
  func ambiguousInstant(head: String) async throws {
    let server = try Self.deliveringServer()
    let good = "GET /v1/containers/GTM-TEST HTTP/1.1\r\nHost: x\r\n\r\n"
    let text = try await RawExchange.answer(to: [good + head], port: server.port)
    #expect(RawExchange.statuses(text) == [200, 400])
    #expect(text.contains("Connection: close"))
    #expect(text.hasSuffix(#"{"error":{"code":"BAD_REQUEST","message":"the head is malformed"}}"#))
    await server.stop()
  }

  /// A server with a container live in its memory.
  private static func deliveringServer() throws -> HTTPServer {
    let catalogue = DeliveryCatalogue()
    catalogue.replace(with: [
      SampleContainer.id: .app(["live": .init(token: nil, delivery: try SampleContainer.delivery())])
    ])
    return try HTTPServer(
      host: "127.0.0.1", port: 0, routes: [.health, HTTPServerTests.echo],
      instantRoutes: DeliveryRoutes(catalogue).instant)
  }

  @Test("CO-106, CO-603: requests answered from memory and others share a connection, in order")
  func mixed() async throws {
    let server = try Self.deliveringServer()
    let container = "GET /v1/containers/GTM-TEST HTTP/1.1\r\nHost: x\r\n"
    let text = try await RawExchange.answer(
      to: [
        container + "\r\nPOST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nfirst" + container
          + "Accept: application/x-protobuf\r\n\r\nGET /v1/containers/GTM-NONE HTTP/1.1\r\nHost: x\r\n\r\n" + container
          + "If-None-Match: *\r\nConnection: close\r\n\r\n"
      ], port: server.port)
    #expect(RawExchange.statuses(text) == [200, 200, 200, 404, 304])
    let answers = text.components(separatedBy: "HTTP/1.1 ").dropFirst()
    #expect(answers.dropFirst().first?.hasSuffix("first") == true)
    #expect(answers.dropFirst(2).first?.contains("application/x-protobuf") == true)
    await server.stop()
  }

  @Test("a client of HTTP/1.0 without a host is served")
  func oldClient() async throws {
    let server = try HTTPServerTests.server()
    let text = try await RawExchange.answer(to: ["GET /healthz HTTP/1.0\r\n\r\n"], port: server.port)
    #expect(text.hasPrefix("HTTP/1."))
    #expect(text.contains(" 200 "))
    await server.stop()
  }

  @Test(
    "a path is compared as it is: nothing climbs out of anything",
    arguments: [
      "/../healthz", "/./healthz", "//healthz", "/healthz/", "/echo/../healthz", "/%2e%2e/healthz", "/healthz%00",
      "/..%2f..%2fetc/passwd", "/%68ealthz", "/HEALTHZ", "/healthz;a=b", "\\healthz", "healthz", "/healthz#a",
      "/" + String(repeating: "../", count: 1000) + "healthz",
    ])
  func traversal(path: String) async throws {
    let server = try HTTPServerTests.server()
    let text = try await RawExchange.answer(to: ["GET \(path) HTTP/1.1\r\n\(Self.host)\r\n"], port: server.port)
    #expect(RawExchange.statuses(text) == [404])
    #expect(!text.contains("passwd"))
    await server.stop()
  }

  @Test("CO-106: bodies of all connections together have a bound; who is beyond it is told to come again")
  func bodyMemory() async throws {
    var limits = ServerLimits()
    limits.bodies = 100_000
    let server = try HTTPServerTests.server(limits: limits)
    let url = HTTPServerTests.url(server, "/echo")
    func status(_ bytes: Int) async throws -> Int {
      try await PlatformTransport().send(
        HTTPRequest(method: "POST", url: url, body: [UInt8](repeating: 1, count: bytes), responseLimit: 1 << 20)
      ).status
    }
    let half = try LoopbackSocket.connect(to: server.port)
    half.send(Array("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 90001\r\n\r\n".utf8))
    half.send([UInt8](repeating: 65, count: 90_000))
    while server.bodyBytes < 90_000 { await Task.yield() }
    #expect(try await status(20_000) == 503)
    #expect(try await status(5_000) == 200)
    half.send([65])
    #expect(try await blocking { String(decoding: half.receive(1000), as: UTF8.self) }.hasPrefix("HTTP/1.1 200"))
    half.close()
    while server.bodyBytes > 0 { await Task.yield() }
    #expect(try await status(100_000) == 200)
    await server.stop()
  }

  @Test("CO-106: a client that does not read its answer is cut when the time for sending is over")
  func slowReader() async throws {
    var limits = ServerLimits()
    limits.send = .milliseconds(150)
    let large = Route.reading("/large") { _ in
      ServerResponse(status: 200, body: [UInt8](repeating: 65, count: 32 << 20))
    }
    let server = try HTTPServerTests.server([large, .health], limits: limits)
    let received = try await blocking {
      let socket = try LoopbackSocket.connect(to: server.port)
      defer { socket.close() }
      socket.send(Array("GET /large HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
      // It has begun; the rest does not fit into the sockets' buffers.
      let begin = socket.receive(1).count
      while server.openConnections > 0 { usleep(1_000) }
      return begin + socket.receiveAll().count
    }
    #expect(received < 32 << 20)
    #expect(try await PlatformTransport().send(HTTPRequest(url: HTTPServerTests.url(server, "/healthz"))).status == 200)
    await server.stop()
  }

  @Test("random bytes, and random changes to a good request, never end the server")
  func noise() async throws {
    let server = try HTTPServerTests.server(limits: Self.hurry)
    let port = server.port
    let random = SeededRandomSource(seed: 4711)
    let good = Array("POST /echo?a=b HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\nX-A: b\r\n\r\n{\"a\":1}".utf8)
    try await blocking {
      for round in 0..<200 {
        var bytes = good
        for _ in 0...Int(random.next() % 6) {
          let place = Int(random.next() % UInt64(bytes.count))
          switch random.next() % 3 {
          case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
          case 1: bytes.remove(at: place)
          default: bytes.insert(contentsOf: bytes.prefix(Int(random.next() % 40)), at: place)
          }
        }
        if round % 4 == 0 { bytes = (0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
        let socket = try LoopbackSocket.connect(to: port)
        socket.send(bytes)
        shutdown(socket.descriptor, Int32(SHUT_WR))
        _ = socket.receiveAll()
        socket.close()
      }
    }
    #expect(try await PlatformTransport().send(HTTPRequest(url: HTTPServerTests.url(server, "/healthz"))).status == 200)
    await server.stop()
  }

  @Test("CO-106: a refused length takes what was smuggled behind it down with the connection")
  func smuggling() async throws {
    let server = try HTTPServerTests.server()
    let text = try await RawExchange.answer(
      to: [
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
      ], port: server.port)
    #expect(!text.contains(" 200 "))
    let body = try await RawExchange.answer(
      to: [
        "OPTIONS /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 59\r\n\r\n"
          + "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n      "
      ], port: server.port)
    #expect(RawExchange.statuses(body) == [204])
    await server.stop()
  }

  @Test("requests sent without waiting are answered in order")
  func pipelining() async throws {
    let server = try HTTPServerTests.server()
    let text = try await RawExchange.answer(
      to: [
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nfirstGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
          + "POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlast"
      ], port: server.port)
    #expect(RawExchange.statuses(text) == [200, 200, 200])
    let answers = text.split(separator: "HTTP/1.1 ")
    #expect(answers.first?.hasSuffix("first") == true)
    #expect(answers.last?.hasSuffix("last") == true)
    await server.stop()
  }

  static let hurry: ServerLimits = {
    var limits = ServerLimits()
    limits.receive = .milliseconds(150)
    limits.idle = .milliseconds(150)
    return limits
  }()

  @Test(
    "CO-106: a client that takes its time is cut at an absolute deadline, however it dribbles",
    arguments: [
      ["GET /healthz HTTP/1.1\r\n"], ["POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"], [""],
      ["GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"],
    ])
  func slowClient(start: [String]) async throws {
    let server = try HTTPServerTests.server(limits: Self.hurry)
    let port = server.port
    let lifetime = try await blocking {
      let socket = try LoopbackSocket.connect(to: port)
      defer { socket.close() }
      let begin = ContinuousClock.now
      for piece in start where !piece.isEmpty { socket.send(Array(piece.utf8)) }
      // After a whole request the client says nothing: the idle deadline has to end that one.
      let isDone = start[0].hasSuffix("\r\n\r\n") && start[0].hasPrefix("GET")
      if isDone { _ = socket.receiveAll() }
      while !isDone, socket.send(Array("a".utf8)), ContinuousClock.now - begin < .seconds(25) { usleep(10_000) }
      return ContinuousClock.now - begin
    }
    #expect(lifetime >= .milliseconds(100))
    #expect(lifetime < .seconds(25))
    await server.stop()
  }

  @Test("CO-106: slow clients by the hundred cost no thread: others are answered meanwhile")
  func slowCrowd() async throws {
    var limits = ServerLimits()
    limits.grace = .zero
    let server = try HTTPServerTests.server(limits: limits)
    let port = server.port
    let crowd = try (1...300).map { _ in
      let socket = try LoopbackSocket.connect(to: port)
      socket.send(Array("GET /healthz HTTP/1.1\r\nHost: x\r\nX-".utf8))
      return socket
    }
    defer { for socket in crowd { socket.close() } }
    let response = try await PlatformTransport().send(
      HTTPRequest(url: HTTPServerTests.url(server, "/healthz"), timeout: .seconds(5)))
    #expect(response.status == 200)
    await server.stop()
  }

  @Test("a client that is gone before its answer leaves no trace")
  func goneClient() async throws {
    let gate = Gate(opensAt: 2)
    let server = try HTTPServerTests.server([
      .health,
      Route(
        "/wait",
        [
          "GET": { _ in
            await gate.pass()
            return ServerResponse(status: 200)
          }
        ]),
    ])
    let socket = try LoopbackSocket.connect(to: server.port)
    socket.send(Array("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
    await gate.arrival()
    socket.close()
    await gate.open()
    #expect(try await PlatformTransport().send(HTTPRequest(url: HTTPServerTests.url(server, "/healthz"))).status == 200)
    await server.stop()
  }
}
