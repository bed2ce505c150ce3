import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

@Suite struct ServeCommandTests {
  @Test("CO-104: the counts of hits and requests are in /metrics, and /readyz tells that the store answers")
  func metrics() async throws {
    let directory = try TemporaryDirectory()
    let server = try RunningServer(data: directory.file("data"), arguments: ["--property", "shop=key"])
    let transport = PlatformTransport()
    let good = "v=1&tid=shop&cid=c&t=exception&_v=tw1.0.0&z=017a8506-518f-7abc-8def-00000000000"
    for body in [good + "1", good + "2", good + "1", "v=1"] {
      _ = try await transport.send(
        HTTPRequest(method: "POST", url: server.url + "/collect", body: Array(body.utf8)))
    }
    let line =
      #"{"id":"017a8506-518f-7abc-8def-000000000003","kind":"exception","property":"shop","client":"c","age":0}"#
    _ = try await transport.send(
      HTTPRequest(
        method: "POST", url: server.url + "/v1/hits",
        headers: ["Content-Type": "application/x-ndjson", "Tagworks-Key": "key"], body: Array(line.utf8)))
    #expect(try await transport.send(HTTPRequest(url: server.url + "/readyz")).status == 200)
    #expect(try await transport.send(HTTPRequest(url: server.url + "/nowhere?a=b")).status == 404)
    let response = try await transport.send(HTTPRequest(url: server.url + "/metrics"))
    #expect(response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    let lines = Set(String(decoding: response.body, as: UTF8.self).split(separator: "\n").map(String.init))
    for expected in [
      #"tagworks_hits_total{result="accepted"} 3"#, #"tagworks_hits_total{result="duplicate"} 1"#,
      #"tagworks_hits_total{result="rejected"} 1"#, "tagworks_hits_waiting 0",
      #"tagworks_http_requests_total{route="/collect",status="200"} 4"#,
      #"tagworks_http_requests_total{route="/v1/hits",status="200"} 1"#,
      #"tagworks_http_requests_total{route="other",status="404"} 1"#,
      #"tagworks_http_request_duration_seconds_bucket{route="/collect",le="+Inf"} 4"#,
      #"tagworks_http_request_duration_seconds_count{route="/collect"} 4"#,
    ] { #expect(lines.contains(expected), "\(expected)") }
    #expect(server.stop() == 0)
  }

  @Test("CO-106: 10,000 connections are held while others are answered; beyond them one waits until there is room")
  func manyConnections() async throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard limit.rlim_max > 10_500 else {
      print("Serve command: this process may open \(limit.rlim_max) files; 10,000 connections were not tried")
      return
    }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let directory = try TemporaryDirectory()
    let server = try RunningServer(data: directory.file("data"))
    let port = try #require(server.url.split(separator: ":").last.flatMap { UInt16($0) })
    var crowd: [LoopbackSocket] = []
    defer { for socket in crowd { socket.close() } }
    let head = Array("GET /healthz HTTP/1.1\r\nHost: x\r\n".utf8)
    for _ in 1...9_999 {
      let socket = try LoopbackSocket.connect(to: port)
      socket.send(head)
      crowd.append(socket)
    }
    // The last seat.
    #expect(
      try await PlatformTransport().send(HTTPRequest(url: server.url + "/healthz", timeout: .seconds(20))).status == 200
    )
    while crowd.count < 10_050 {
      let socket = try LoopbackSocket.connect(to: port)
      socket.send(head)
      crowd.append(socket)
    }
    for socket in crowd.prefix(100) { socket.close() }
    crowd.removeFirst(100)
    // The one that came last of all finds a seat now, and an end of its request.
    let last = try #require(crowd.last)
    let answer = try await blocking {
      last.send(Array("\r\n".utf8))
      return String(decoding: last.receive(1000), as: UTF8.self)
    }
    #expect(answer.hasPrefix("HTTP/1.1 200"))
    #expect(server.stop() == 0)
  }

  @Test("CO-103: the first signal lets requests finish, the second ends the server at once; both are exit 0")
  func secondSignal() async throws {
    let directory = try TemporaryDirectory()
    let server = try RunningServer(data: directory.file("data"))
    let port = try #require(server.url.split(separator: ":").last.flatMap { UInt16($0) })
    let half = try LoopbackSocket.connect(to: port)
    defer { half.close() }
    half.send(Array("POST /collect HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nv=1".utf8))
    // Its head must have arrived: an answer on a later connection says so.
    _ = try await PlatformTransport().send(HTTPRequest(url: server.url + "/healthz"))
    server.signal()
    while (try? LoopbackSocket.connect(to: port).close()) != nil { usleep(1000) }
    let start = ContinuousClock.now
    #expect(server.stop() == 0)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("CO-102, CO-105: the log is a line of text or of JSON for each request, without what the hit says")
  func log() async throws {
    for format in ["text", "json"] {
      let directory = try TemporaryDirectory()
      let server = try RunningServer(data: directory.file("data"), arguments: ["--log-format", format], keepsLog: true)
      _ = try await PlatformTransport().send(
        HTTPRequest(
          url: server.url + "/collect?v=1&tid=UA-1-1&cid=secret&t=exception", headers: ["Tagworks-Key": "hush"]))
      #expect(server.stop() == 0)
      let log = server.log
      #expect(!log.contains("secret") && !log.contains("hush"))
      if format == "json" {
        let lines = log.split(separator: "\n").compactMap { try? Value(json: String($0)).map }
        #expect(lines.first?["path"] == "/collect")
        #expect(lines.first?["status"] == 200)
        #expect(lines.first?["method"] == "GET")
      } else {
        #expect(log.hasPrefix("GET /collect 200 0 35 "))
      }
    }
  }
}
