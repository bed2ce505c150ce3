import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Console server") struct ConsoleServerTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(isMade: false) }

  func server(properties: [Property] = []) throws -> ConsoleServer {
    try ConsoleServer(ServeSettings(port: 0, data: directory.path, properties: properties), limits: ServerLimits())
  }

  @Test("CO-100: it starts on a new directory, says its port, takes hits and keeps them over a restart")
  func restart() async throws {
    let transport = PlatformTransport()
    for round in 1...2 {
      let server = try server()
      #expect(server.url == "http://127.0.0.1:\(server.port)")
      #expect(try await transport.send(HTTPRequest(url: server.url + "/healthz")).status == 200)
      let response = try await transport.send(
        HTTPRequest(method: "POST", url: server.url + "/collect", body: Array(CollectorTests.own(1).utf8)))
      #expect(response.status == 200)
      #expect(response.headers["Tagworks-Accepted"] == (round == 1 ? "1" : "0"))
      #expect(response.headers["Access-Control-Allow-Origin"] == "*")
      try await server.stop()
    }
    #expect(try IntakeReader(directory: directory.path).statistics().total == 1)
  }

  @Test("CO-100: a new server offers a one-time token, which sets it up over HTTP; then it offers none")
  func setUp() async throws {
    let transport = PlatformTransport()
    let lines = Locked<[String]>([])
    let server = try ConsoleServer(ServeSettings(port: 0, data: directory.path)) { line in
      lines.withLock { $0.append(line) }
    }
    let former = try #require(try await server.offerSetup())
    let token = try #require(try await server.offerSetup())
    func send(_ method: String, _ path: String, _ body: Value, token: String? = nil) async throws -> HTTPResponse {
      var request = HTTPRequest(method: method, url: server.url + path, body: body.jsonBytes)
      request.headers["Content-Type"] = "application/json"
      request.headers["Authorization"] = token.map { "Bearer \($0)" }
      return try await transport.send(request)
    }
    for (offered, status) in [(former, 403), (token, 201), (token, 403)] {
      let response = try await send("POST", "/api/v1/setup", ["token": .string(offered), "name": "Ada"])
      #expect(response.status == status)
      guard status == 201 else { continue }
      let access = try #require(try Value(json: response.body).map?["token"]?.string)
      let made = try await send("POST", "/api/v1/containers", ["name": "Shop", "id": "GTM-SHOP"], token: access)
      #expect(made.status == 201)
      let list = try await transport.send(
        HTTPRequest(url: server.url + "/api/v1/containers", headers: ["Authorization": "Bearer \(access)"]))
      #expect(try Value(json: list.body).map?["containers"]?.list?.count == 1)
      let log = lines.withLock { $0.joined() }
      #expect(!log.contains(access.dropFirst(4)))
      #expect(!log.contains(offered.dropFirst(4)))
    }
    #expect(try await server.offerSetup() == nil)
    let metrics = try await transport.send(HTTPRequest(url: server.url + "/metrics"))
    #expect(String(decoding: metrics.body, as: UTF8.self).contains(#"route="/api/v1/containers",status="201"} 1"#))
    try await server.stop()
    let again = try self.server()
    #expect(try await again.offerSetup() == nil)
    try await again.stop()
  }

  @Test("HQ-701: bodies beyond the protocol's bounds are 413 at the wire too")
  func tooLarge() async throws {
    let server = try server()
    let transport = PlatformTransport()
    for (path, limit) in [("/collect", 8192), ("/batch", 16_384)] {
      let line = CollectorTests.own(1) + "&exd="
      let whole = path == "/batch" ? line + String(repeating: "a", count: 4000) + "\n" : ""
      let body = whole + whole + line
      for excess in [0, 1] {
        let padding = String(repeating: "a", count: limit - body.utf8.count + excess)
        let response = try await transport.send(
          HTTPRequest(method: "POST", url: server.url + path, body: Array((body + padding).utf8)))
        #expect(response.status == (excess == 0 ? 200 : 413), "\(path) \(excess)")
      }
    }
    try await server.stop()
  }

  @Test("CO-105: the log has no value of a hit")
  func log() async throws {
    let lines = Locked<[String]>([])
    let server = try ConsoleServer(ServeSettings(port: 0, data: directory.path)) { line in
      lines.withLock { $0.append(line) }
    }
    _ = try await PlatformTransport().send(HTTPRequest(url: server.url + "/collect?" + CollectorTests.own(1)))
    try await server.stop()
    #expect(lines.withLock { $0.count } == 1)
    #expect(lines.withLock { $0[0] }.hasPrefix("GET /collect 200 0 35 "))
  }

  @Test("a data directory that cannot be used is one clear error")
  func unusable() throws {
    let error = #expect(throws: ConsoleError.self) { try ConsoleServer(ServeSettings(port: 0, data: "/dev/null/x")) }
    #expect(error?.code == .storeUnavailable)
  }

  /// Hits of other people's programs, and how many of each folder have the fields that their kinds require, counted
  /// by hand: `mp_v1` lacks `dh` beside `dp` twice (095, 096) and `ec` once (097); of `mp_v1_ios` one screen view lacks
  /// `cd` and the other's property is blanked out (`UA-XXXXXXX-X`); `mp_v1_batch` has three times four good hits, and
  /// nine page views without `dh`.
  @Test(
    "HQ-701, HQ-702: foreign payloads are taken or refused by their fields, by query, body and batch",
    arguments: [("mp_v1", 46, 3), ("mp_v1_ios", 0, 2), ("mp_v1_batch", 12, 9)])
  func foreign(folder: String, accepted: Int, rejected: Int) async throws {
    guard let corpus = Corpus.find(for: "Console server") else { return }
    let server = try server()
    let transport = PlatformTransport()
    var tally = (accepted: 0, rejected: 0)
    for file in try corpus.files(in: "hits/\(folder)") {
      let body = Array(try corpus.data("hits/\(folder)/\(file)"))
      let path = folder == "mp_v1_batch" ? "/batch" : "/collect"
      let response = try await transport.send(HTTPRequest(method: "POST", url: server.url + path, body: body))
      #expect(response.status == 200)
      tally.accepted += Int(response.headers["Tagworks-Accepted"] ?? "") ?? 0
      tally.rejected += Int(response.headers["Tagworks-Rejected"] ?? "") ?? 0
      guard folder != "mp_v1_batch" else { continue }
      for other in ["/batch", "/collect?" + String(decoding: body, as: UTF8.self)] {
        let isQuery = other.contains("?")
        let again = try await transport.send(
          HTTPRequest(method: isQuery ? "GET" : "POST", url: server.url + other, body: isQuery ? [] : body))
        #expect(again.headers["Tagworks-Rejected"] == response.headers["Tagworks-Rejected"], "\(file) by \(other)")
      }
    }
    #expect(tally.accepted == accepted)
    #expect(tally.rejected == rejected)
    try await server.stop()
  }
}
