package import Hits

/// What every `HTTPTransport` promises, checked against a scripted server on loopback.
package enum HTTPTransportContract {
  package typealias Case = ContractCase<any HTTPTransport>

  package static let cases: [Case] = exchanges + bounds + redirects + failures

  /// What goes out and what comes back.
  private static let exchanges: [Case] = [
    Case("method, target, headers and body go out; status, headers, body and URL come back") { transport in
      let server = try LoopbackServer { _ in .response(status: 201, headers: ["X-Kind": "made"], body: [1, 0, 255]) }
      let request = HTTPRequest(
        method: "PUT", url: server.url("/a%20b?c=d"), headers: ["X-One": "1", "Content-Type": "text/plain"],
        body: Array("body\0".utf8))
      let response = try await transport.send(request)
      try require(response.status, is: 201, "status")
      try require(response.headers["x-kind"], is: "made", "header of the answer")
      try require(response.body, is: [1, 0, 255], "body of the answer")
      try require(response.url, is: server.url("/a%20b?c=d"), "URL")
      try require(response.bytesSent, is: 5, "bytes sent")
      let arrived = server.requests[0]
      try require(arrived.method, is: "PUT", "method")
      try require(arrived.target, is: "/a%20b?c=d", "target")
      try require(arrived.headers["X-One"], is: "1", "header")
      try require(arrived.headers["Content-Type"], is: "text/plain", "content type")
      try require(arrived.headers["Host"], is: "127.0.0.1:\(server.port)", "host")
      try require(arrived.body, is: Array("body\0".utf8), "body")
    },
    Case("any status is an answer") { transport in
      let server = try LoopbackServer { request in .response(status: Int(request.target.dropFirst()) ?? 0) }
      for status in [200, 204, 304, 400, 404, 500, 503] {
        try require(try await transport.send(HTTPRequest(url: server.url("/\(status)"))).status, is: status, "status")
      }
    },
    Case("a POST without a body says so, and HEAD takes none") { transport in
      let server = try LoopbackServer { _ in .response(status: 200, body: [1, 2, 3]) }
      _ = try await transport.send(HTTPRequest(method: "POST", url: server.url()))
      try require(server.requests[0].headers["Content-Length"], is: "0", "length of an empty POST")
      try require(server.requests[0].headers["Content-Type"], is: nil, "invented content type")
      let head = try await transport.send(HTTPRequest(method: "HEAD", url: server.url()))
      try require(head.body, is: [], "body of HEAD")
      try require(head.headers["Content-Length"], is: "3", "length of HEAD")
    },
    Case("no cookies are kept or sent (HQ-601)") { transport in
      let server = try LoopbackServer { _ in .response(status: 200, headers: ["Set-Cookie": "a=b; Path=/"]) }
      for _ in 1...2 { _ = try await transport.send(HTTPRequest(url: server.url())) }
      try require(server.requests.map { $0.headers["Cookie"] }, is: [nil, nil], "cookies")
    },
    Case("one connection serves requests one after another") { transport in
      let server = try LoopbackServer { _ in .text("ok") }
      for _ in 1...5 { _ = try await transport.send(HTTPRequest(method: "POST", url: server.url(), body: [1])) }
      try require(server.connections, is: 1, "connections")
    },
    Case("each of many requests at a time gets its own answer") { transport in
      let server = try LoopbackServer { .text($0.target) }
      let texts = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 1...40 {
          group.addTask {
            let response = try await transport.send(HTTPRequest(url: server.url("/\(number)")))
            return response.body == Array("/\(number)".utf8)
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      try require(texts, is: 40, "right answers")
    },
    Case("a body is compressed when asked for, from 1,024 bytes and smaller by it (HQ-602)") { transport in
      let server = try LoopbackServer { _ in .text("ok") }
      let sizes = [1023, 1024]
      for size in sizes {
        let body = [UInt8](repeating: 97, count: size)
        let response = try await transport.send(
          HTTPRequest(method: "POST", url: server.url(), body: body, gzip: true))
        try require(response.bytesSent, is: server.requests.last?.body.count ?? 0, "bytes sent")
      }
      try require(server.requests.map { $0.headers["Content-Encoding"] }, is: [nil, "gzip"], "encodings")
      try require(Array(server.requests[1].body.prefix(2)), is: [0x1F, 0x8B], "magic number")
      try require(server.requests[1].body.count < 100, is: true, "smaller")
    },
    Case("a compressed answer arrives decompressed") { transport in
      let server = try LoopbackServer { _ in .response(status: 200, headers: ["Content-Encoding": "gzip"], body: hello)
      }
      let response = try await transport.send(HTTPRequest(url: server.url()))
      try require(response.body, is: Array("hello, loopback".utf8), "body")
    },
  ]

  /// The limits that a request states.
  private static let bounds: [Case] = [
    Case("an answer of the limit's length passes, one byte more is tooLarge with status and headers") { transport in
      let server = try LoopbackServer { _ in
        .response(status: 206, headers: ["X-Kind": "long"], body: [UInt8](repeating: 1, count: 5000))
      }
      let response = try await transport.send(HTTPRequest(url: server.url(), responseLimit: 5000))
      try require(response.body.count, is: 5000, "bytes")
      let error = await failure(of: HTTPRequest(url: server.url(), responseLimit: 4999), on: transport)
      try require(error?.code, is: .tooLarge, "code")
      try require(error?.phase, is: .uncertain, "phase")
      try require(error?.response?.status, is: 206, "status")
      try require(error?.response?.headers["x-kind"], is: "long", "header")
    },
    Case("the limit counts decompressed bytes") { transport in
      let server = try LoopbackServer { _ in .response(status: 200, headers: ["Content-Encoding": "gzip"], body: bomb) }
      let response = try await transport.send(HTTPRequest(url: server.url(), responseLimit: 65_536))
      try require(response.body.count, is: 65_536, "bytes")
      let error = await failure(of: HTTPRequest(url: server.url(), responseLimit: 65_535), on: transport)
      try require(error?.code, is: .tooLarge, "code")
    },
    Case("the total time-out ends an exchange, and the request may have been seen") { transport in
      let server = try LoopbackServer { _ in .hang() }
      let error = await failure(of: HTTPRequest(url: server.url(), timeout: .milliseconds(150)), on: transport)
      try require(error?.code, is: .timeout, "code")
      try require(error?.phase, is: .uncertain, "phase")
    },
    Case("the total time-out also ends an answer that trickles") { transport in
      let server = try LoopbackServer { _ in .slow(long, pause: .milliseconds(5)) }
      let request = HTTPRequest(url: server.url(), timeout: .milliseconds(150), idleTimeout: .seconds(5))
      try require(await failure(of: request, on: transport)?.code, is: .timeout, "code")
    },
    Case("the idle time-out ends an answer that stops, and leaves one alone that goes on") { transport in
      let stopping = try LoopbackServer { _ in .hang(after: Array(long.prefix(60))) }
      let request = HTTPRequest(url: stopping.url(), idleTimeout: .milliseconds(200))
      try require(await failure(of: request, on: transport)?.code, is: .timeout, "code")
      let short = Array("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n01234567890123456789".utf8)
      let slow = try LoopbackServer { _ in .slow(short, pause: .milliseconds(8)) }
      let response = try await transport.send(HTTPRequest(url: slow.url(), idleTimeout: .milliseconds(300)))
      try require(response.body.count, is: 20, "bytes")
    },
    Case("loopback is refused after name resolution, before a connection, and on one that is open") { transport in
      let server = try LoopbackServer { _ in .text("ok") }
      let strict = AddressRule(allowsPrivate: false)
      let request = HTTPRequest(url: server.url(), addresses: strict)
      let named = HTTPRequest(url: "http://localhost:\(server.port)/", addresses: strict)
      for refused in [request, named] {
        let error = await failure(of: refused, on: transport)
        try require(error?.code, is: .addressRefused, "code")
        try require(error?.phase, is: .notSent, "phase")
      }
      try require(server.connections, is: 0, "connections")
      _ = try await transport.send(HTTPRequest(url: server.url()))
      try require(await failure(of: request, on: transport)?.code, is: .addressRefused, "code on an open connection")
      try require(server.requests.count, is: 1, "requests")
    },
  ]

  /// Answers that name another place.
  private static let redirects: [Case] = [
    Case("without a rule a redirect is the answer") { transport in
      let server = try LoopbackServer { _ in .redirect(302, to: "/there") }
      let response = try await transport.send(HTTPRequest(url: server.url()))
      try require(response.status, is: 302, "status")
      try require(response.headers["Location"], is: "/there", "place")
      try require(server.requests.count, is: 1, "requests")
    },
    Case("redirects are followed up to the limit; one more is refused") { transport in
      let server = try LoopbackServer { request in
        let hop = Int(request.target.dropFirst()) ?? 0
        return hop == 0 ? .text("end") : .redirect(301, to: "/\(hop - 1)")
      }
      let response = try await transport.send(HTTPRequest(url: server.url("/3"), redirects: .follow(3)))
      try require(response.url, is: server.url("/0"), "URL")
      try require(response.body, is: Array("end".utf8), "body")
      let error = await failure(of: HTTPRequest(url: server.url("/4"), redirects: .follow(3)), on: transport)
      try require(error?.code, is: .redirectRefused, "code")
      try require(error?.phase, is: .uncertain, "phase")
      try require(server.requests.count, is: 8, "requests")
    },
    Case("VA-206: a circle of redirects is refused before anything is asked twice") { transport in
      let server = try LoopbackServer { request in
        .redirect(302, to: request.target == "/self" ? "/self" : request.target == "/a" ? "/b" : "/a")
      }
      for (path, count) in [("/self", 1), ("/a", 2)] {
        let before = server.requests.count
        let error = await failure(of: HTTPRequest(url: server.url(path), redirects: .follow(5)), on: transport)
        try require(error?.code, is: .redirectRefused, "code of \(path)")
        try require(server.requests.count - before, is: count, "requests of \(path)")
      }
    },
    Case("307 and 308 keep method and body; 301 to 303 to a POST are the answer") { transport in
      let server = try LoopbackServer { request in
        request.target == "/end" ? .text("end") : .redirect(Int(request.target.dropFirst()) ?? 0, to: "/end")
      }
      for status in [301, 302, 303, 307, 308] {
        let request = HTTPRequest(method: "POST", url: server.url("/\(status)"), body: [7], redirects: .follow(1))
        let response = try await transport.send(request)
        try require(response.status, is: status < 307 ? status : 200, "status after \(status)")
      }
      let ends = server.requests.filter { $0.target == "/end" }
      try require(ends.map(\.method), is: ["POST", "POST"], "methods")
      try require(ends.map(\.body), is: [[7], [7]], "bodies")
    },
    Case("a hop to another scheme or host than the rule names is refused") { transport in
      let server = try LoopbackServer { request in
        switch request.target {
        case "/scheme": .redirect(302, to: "ftp://127.0.0.1/")
        case "/file": .redirect(302, to: "file:///etc/passwd")
        case "/host": .redirect(302, to: "http://localhost/")
        default: .text("end")
        }
      }
      let rule = RedirectRule(limit: 5, hosts: ["127.0.0.1"])
      for path in ["/scheme", "/file", "/host"] {
        let error = await failure(of: HTTPRequest(url: server.url(path), redirects: rule), on: transport)
        try require(error?.code, is: .redirectRefused, "code of \(path)")
      }
      try require(server.requests.count, is: 3, "requests")
    },
    Case("credentials stay with the origin they were given for") { transport in
      let other = try LoopbackServer { _ in .text("other") }
      let away = other.url("/away")
      let server = try LoopbackServer { request in
        request.target == "/" ? .redirect(302, to: "/same") : .redirect(302, to: away)
      }
      let secrets: HTTPHeaders = ["Authorization": "Bearer x", "Tagworks-Key": "k", "Cookie": "c=1", "X-Kind": "plain"]
      _ = try await transport.send(HTTPRequest(url: server.url(), headers: secrets, redirects: .follow(5)))
      let kept = server.requests[1].headers
      try require(kept["Authorization"], is: "Bearer x", "credential at the same origin")
      let left = other.requests[0].headers
      try require(["Authorization", "Tagworks-Key", "Cookie"].map { left[$0] }, is: [nil, nil, nil], "credentials")
      try require(left["X-Kind"], is: "plain", "other field")
    },
  ]

  /// What ends without an answer.
  private static let failures: [Case] = [
    Case("a closed port is refused and nothing was sent") { transport in
      let port = try LoopbackServer { _ in .cut }.port
      let error = await failure(of: HTTPRequest(url: "http://127.0.0.1:\(port)/"), on: transport)
      try require(error?.code, is: .refused, "code")
      try require(error?.phase, is: .notSent, "phase")
    },
    Case("a name that cannot be is dns and nothing was sent") { transport in
      let name = String(repeating: "a", count: 70) + ".invalid"
      let error = await failure(of: HTTPRequest(url: "http://\(name)/"), on: transport)
      try require(error?.code, is: .dns, "code")
      try require(error?.phase, is: .notSent, "phase")
    },
    Case("a connection cut before or within the answer leaves the request uncertain") { transport in
      for answer in [LoopbackServer.Answer.cut, .bytes(Array(long.prefix(80))), .bytes(Array("SSH-2.0\r\n".utf8))] {
        let server = try LoopbackServer { _ in answer }
        let error = await failure(of: HTTPRequest(method: "POST", url: server.url(), body: [1]), on: transport)
        try require(error?.code, is: .connection, "code")
        try require(error?.phase, is: .uncertain, "phase")
      }
    },
    Case("a server without encryption is tls and nothing was sent") { transport in
      let server = try LoopbackServer(greeting: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) { _ in .cut }
      let error = await failure(of: HTTPRequest(url: "https://127.0.0.1:\(server.port)/"), on: transport)
      try require(error?.code, is: .tls, "code")
      try require(error?.phase, is: .notSent, "phase")
    },
    Case("a broken or unknown content encoding is encoding") { transport in
      for (name, body) in [("gzip", Array("not gzip".utf8)), ("rot13", [1, 2])] {
        let server = try LoopbackServer { _ in .response(status: 200, headers: ["Content-Encoding": name], body: body) }
        let error = await failure(of: HTTPRequest(url: server.url()), on: transport)
        try require(error?.code, is: .encoding, "code for \(name)")
      }
    },
    Case("cancelling the task ends the exchange at once") { transport in
      let server = try LoopbackServer { _ in .hang() }
      let task = Task { await failure(of: HTTPRequest(url: server.url()), on: transport) }
      await server.arrival(of: 1)
      task.cancel()
      let error = await task.value
      try require(error?.code, is: .cancelled, "code")
      try require(error?.phase, is: .uncertain, "phase")
    },
    Case("a task that is cancelled already sends nothing") { transport in
      let server = try LoopbackServer { _ in .hang() }
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await failure(of: HTTPRequest(url: server.url()), on: transport)
      }
      let error = await task.value
      try require(error?.code, is: .cancelled, "code")
      try require(error?.phase, is: .notSent, "phase")
      try require(server.requests.count, is: 0, "requests")
    },
    Case("what is no single request is invalid and goes nowhere") { transport in
      let server = try LoopbackServer { _ in .text("ok") }
      let requests = [
        HTTPRequest(url: "ftp://127.0.0.1:\(server.port)/"), HTTPRequest(url: "file:///etc/passwd"),
        HTTPRequest(url: "http://"), HTTPRequest(url: ""),
        HTTPRequest(url: "http://127.0.0.1:\(server.port)/a b\r\nX: y"),
        HTTPRequest(method: "GET / HTTP/1.1\r\nX:", url: server.url()), HTTPRequest(method: "", url: server.url()),
        HTTPRequest(url: server.url(), headers: ["X": "a\r\nY: b"]),
        HTTPRequest(url: server.url(), headers: ["X": "a\0b"]), HTTPRequest(url: server.url(), headers: ["X Y": "a"]),
        HTTPRequest(url: server.url(), headers: ["Content-Length": "7"]),
        HTTPRequest(url: server.url(), headers: ["transfer-encoding": "chunked"]),
        HTTPRequest(method: "HEAD", url: server.url(), body: [1]),
      ]
      for (number, request) in requests.enumerated() {
        let error = await failure(of: request, on: transport)
        try require(error?.code, is: .invalidRequest, "code of request \(number)")
        try require(error?.phase, is: .notSent, "phase of request \(number)")
      }
      try require(server.connections, is: 0, "connections")
    },
    Case("an error's text has neither the URL's query nor the body") { transport in
      let server = try LoopbackServer { _ in .cut }
      let request = HTTPRequest(method: "POST", url: server.url("/?api_secret=hush"), body: Array("hush".utf8))
      let error = await failure(of: request, on: transport)
      try require(error?.message.contains("hush"), is: false, "secret in the text")
    },
  ]

  private static func failure(of request: HTTPRequest, on transport: any HTTPTransport) async -> TransportError? {
    do {
      _ = try await transport.send(request)
      return nil
    } catch {
      return error
    }
  }

  private static let long =
    Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8) + [UInt8](repeating: 1, count: 1000)

  /// `hello, loopback`, compressed by another program (Python's gzip).
  private static let hello: [UInt8] = [
    0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 2, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7, 0x51, 0xc8, 0xc9, 0xcf, 0x2f, 0x48, 0x4a,
    0x4c, 0xce, 0x06, 0, 0x7b, 0xe0, 0xf7, 0x49, 0x0f, 0, 0, 0,
  ]

  /// 65,536 zero bytes, compressed by the same.
  private static let bomb: [UInt8] =
    [0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 2, 3, 0xed, 0xc1, 0x01, 0x01, 0, 0, 0, 0x80, 0x90, 0xfe, 0xaf, 0xee, 0x08, 0x0a]
    + [UInt8](repeating: 0, count: 63) + [0x6a, 0xeb, 0x8e, 0x97, 0xd7, 0, 0, 1, 0]
}
