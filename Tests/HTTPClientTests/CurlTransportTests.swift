#if !canImport(Darwin)
  import HTTPClient
  import Hits
  import TestSupport
  import Testing

  @Suite("libcurl transport") struct CurlTransportTests {
    @Test("the port's contract (HQ-414, 601, 602; WT-520)", arguments: HTTPTransportContract.cases)
    func contract(promise: ContractCase<any HTTPTransport>) async throws {
      try await promise.run(on: CurlTransport())
    }

    @Test("the loop's thread ends when the transport is released")
    func threadEnds() async {
      await withCheckedContinuation { continuation in
        _ = CurlTransport { continuation.resume() }
      }
    }

    @Test("a transport that is let go of during a request still answers it")
    func releasedDuringRequest() async throws {
      let server = try LoopbackServer { _ in .text("ok") }
      #expect(try await CurlTransport().send(HTTPRequest(url: server.url())).status == 200)
    }

    @Test("HQ-601: the transport's user agent goes out where the request has none of its own")
    func userAgent() async throws {
      let server = try LoopbackServer { _ in .text("ok") }
      let transport = CurlTransport(userAgent: "Tagworks/1.0")
      _ = try await transport.send(HTTPRequest(url: server.url()))
      _ = try await transport.send(HTTPRequest(url: server.url(), headers: ["User-Agent": "own"]))
      _ = try await CurlTransport().send(HTTPRequest(url: server.url()))
      #expect(server.requests.map { $0.headers["User-Agent"] } == ["Tagworks/1.0", "own", nil])
    }

    @Test("every value of a repeated header arrives")
    func repeatedHeaders() async throws {
      let server = try LoopbackServer { _ in
        .bytes(Array("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie:  b=2 \r\nContent-Length: 0\r\n\r\n".utf8))
      }
      let response = try await CurlTransport().send(HTTPRequest(url: server.url()))
      #expect(response.headers.values(of: "set-cookie") == ["a=1", "b=2"])
    }

    @Test("headers without end are tooLarge")
    func endlessHeaders() async throws {
      let line = "X-Pad: " + String(repeating: "x", count: 1000) + "\r\n"
      let server = try LoopbackServer { _ in
        .bytes(Array(("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 400)).utf8))
      }
      let error = await #expect(throws: TransportError.self) {
        try await CurlTransport().send(HTTPRequest(url: server.url()))
      }
      #expect(error?.code == .tooLarge)
      #expect(error?.response?.status == 200)
    }

    @Test("an interim answer is not taken for the answer")
    func interim() async throws {
      let server = try LoopbackServer { _ in
        .bytes(Array("HTTP/1.1 103 Early\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nX-Late: 1\r\n\r\nbody".utf8))
      }
      let response = try await CurlTransport().send(HTTPRequest(url: server.url()))
      #expect(response.status == 200)
      #expect(response.headers["X-Early"] == nil)
      #expect(response.headers["X-Late"] == "1")
      #expect(response.body == Array("body".utf8))
    }

    @Test("a request that waits for a free connection keeps its own time-out")
    func waitingTimesOut() async throws {
      let server = try LoopbackServer { _ in .hang() }
      let transport = CurlTransport(connectionsPerHost: 1)
      let first = Task { try? await transport.send(HTTPRequest(url: server.url())) }
      await server.arrival(of: 1)
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(url: server.url(), timeout: .milliseconds(100)))
      }
      #expect(error?.code == .timeout)
      #expect(error?.phase == .notSent)
      first.cancel()
      _ = await first.value
    }

    @Test("durations that are zero, negative or endless are time-outs, not traps")
    func oddDurations() async throws {
      let server = try LoopbackServer { _ in .text("ok") }
      for timeout in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
        let error = await #expect(throws: TransportError.self) {
          try await CurlTransport().send(HTTPRequest(url: server.url(), timeout: timeout))
        }
        #expect(error?.code == .timeout)
        #expect(error?.phase == .notSent)
      }
      let endless = HTTPRequest(
        url: server.url(), timeout: .seconds(Int64.max), connectTimeout: .seconds(Int64.max),
        idleTimeout: .seconds(Int64.max))
      #expect(try await CurlTransport().send(endless).status == 200)
    }
  }
#endif
