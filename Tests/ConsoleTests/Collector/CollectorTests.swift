import Foundation
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Collector") struct CollectorTests {
  let storage = MemoryHitStorage()
  let collector: Collector
  let router: Router

  init() {
    collector = Collector(
      rules: IntakeRules(registry: PropertyRegistry([], isLoopback: true)), storage: storage,
      rates: RateLimiter(perSecond: 1000, burst: 200), clock: ManualClock(), random: SeededRandomSource(seed: 1))
    router = Router(collector.measurementRoutes())
  }

  func send(
    _ method: String, _ path: String, query: String = "", body: String = "", headers: HTTPHeaders = [:]
  ) async -> ServerResponse {
    switch router.decide(method: method, path: path, headers: headers) {
    case .answer(let response): return response
    case .handle(let route, let handler):
      if let refusal = route.admit() { return refusal }
      return await handler(
        ServerRequest(method: method, path: path, query: Array(query.utf8), headers: headers, body: Array(body.utf8)))
    }
  }

  func counts(_ response: ServerResponse) -> [String?] {
    ["Accepted", "Duplicate", "Rejected"].map { response.headers["Tagworks-" + $0] }
  }

  static func own(_ number: Int) -> String {
    "v=1&tid=UA-1-1&cid=c&t=exception&_s=\(number)&_v=tw1.0.0&qt=0&z=017a8506-518f-7abc-8def-00000000000\(number)"
  }

  static let json: HTTPHeaders = ["Accept": "application/vnd.tagworks.ack+json, */*;q=0.5"]

  @Test("HQ-700: the answer is the picture of 35 bytes that nobody caches")
  func picture() async {
    let hex = "4749463839610100010080ff00ffffff0000002c00000000010001000002024401003b"
    for (method, path) in [("GET", "/collect"), ("POST", "/collect"), ("POST", "/batch")] {
      let response = await send(method, path, query: method == "GET" ? Self.own(1) : "", body: Self.own(1))
      #expect(response.status == 200)
      #expect(response.body.map { String(format: "%02x", $0) }.joined() == hex)
      #expect(response.headers["Content-Type"] == "image/gif")
      #expect(response.headers["Cache-Control"] == "no-store, no-cache, must-revalidate")
      #expect(response.headers["Pragma"] == "no-cache")
      #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    }
  }

  @Test("HQ-701: hits come by query or body, one or several; counts are in the headers")
  func ways() async {
    #expect(counts(await send("GET", "/collect", query: Self.own(1))) == ["1", "0", "0"])
    #expect(counts(await send("POST", "/collect", body: Self.own(2) + "\r\n")) == ["1", "0", "0"])
    #expect(counts(await send("POST", "/collect", query: Self.own(3))) == ["1", "0", "0"])
    let batch = [Self.own(4), "", Self.own(5) + "\r", Self.own(1), "v=1", ""].joined(separator: "\n")
    #expect(counts(await send("POST", "/batch", body: batch)) == ["2", "1", "1"])
    #expect(storage.state.withLock { $0.hits.map(\.hit.sequence) } == [1, 2, 3, 4, 5])
    #expect(storage.state.withLock { $0.hits.map(\.hit.source) } == [.collect, .collect, .collect, .batch, .batch])
    #expect(storage.state.withLock { $0.rejected.map(\.field) } == ["tid"])
  }

  @Test("HQ-701: any content is answered 200; what is no hit is noted")
  func nonsense() async {
    for body in ["", "nonsense", "\0\0", "%%%&&&", "{\"a\":1}"] {
      let response = await send("POST", "/collect", body: body)
      #expect(response.status == 200)
      #expect(counts(response) == ["0", "0", "1"])
    }
    #expect(counts(await send("POST", "/batch", body: "\n\n")) == ["0", "0", "0"])
    #expect(counts(await send("GET", "/collect")) == ["0", "0", "1"])
  }

  @Test("HQ-1233, HQ-665: a repeated request stores nothing; each hit is judged by id where the client asks")
  func repeated() async throws {
    let batch = [Self.own(1), Self.own(2), Self.own(3), Self.own(1), "v=1&tid=UA-1-1"].joined(separator: "\n")
    let id = { (number: Int) in "017a8506-518f-7abc-8def-00000000000\(number)" }
    let first = await send("POST", "/batch", body: batch, headers: Self.json)
    #expect(first.headers["Content-Type"] == "application/vnd.tagworks.ack+json")
    #expect(
      String(decoding: first.body, as: UTF8.self)
        == #"{"accepted":3,"deferred":[],"duplicate":["\#(id(1))"],"received":5,"#
        + #""rejected":[{"code":"MISSING_FIELD","field":"t","line":5}],"v":1}"#)
    let second = await send("POST", "/batch", body: batch, headers: Self.json)
    #expect(counts(second) == ["0", "4", "1"])
    #expect(storage.state.withLock { $0.hits.count } == 3)
  }

  @Test("HQ-666: a refused hit that says its id is named by it")
  func refusedID() async {
    let response = await send(
      "POST", "/collect",
      body: "v=1&tid=UA-1-1&cid=c&t=event&ea=a&_v=tw1&z=017A8506-518F-7ABC-8DEF-0123456789AB", headers: Self.json)
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(
      text.contains(
        #""rejected":[{"code":"MISSING_FIELD","field":"ec","id":"017a8506-518f-7abc-8def-0123456789ab","line":1}]"#))
  }

  @Test("HQ-701: a line beyond 8,192 bytes or more than 20 hits are 413, and nothing of them is stored")
  func tooLarge() async {
    let long = Self.own(1) + "&exd=" + String(repeating: "a", count: 8192 - Self.own(1).utf8.count - 5)
    #expect(long.utf8.count == 8192)
    #expect(await send("POST", "/batch", body: long).status == 200)
    #expect(await send("GET", "/collect", query: long).status == 200)
    #expect(await send("POST", "/batch", body: Self.own(2) + "\n" + long + "a").status == 413)
    #expect(await send("GET", "/collect", query: long + "a").status == 413)
    let twenty = [String](repeating: Self.own(3), count: 20).joined(separator: "\n")
    #expect(counts(await send("POST", "/batch", body: twenty)) == ["1", "19", "0"])
    #expect(await send("POST", "/batch", body: twenty + "\n" + Self.own(4)).status == 413)
    #expect(storage.state.withLock { $0.hits.count } == 2)
    guard case .handle(let collect, _) = router.decide(method: "POST", path: "/collect", headers: [:]),
      case .handle(let batch, _) = router.decide(method: "POST", path: "/batch", headers: [:])
    else {
      Issue.record("no routes")
      return
    }
    #expect(collect.bodyLimit == 8192)
    #expect(batch.bodyLimit == 16_384)
  }

  @Test(
    "HQ-724: a storage that fails rejects no hit: 503, or 507 on a full disk, with Retry-After",
    arguments: [(StorageError.Code.failed, 503, "5"), (.busy, 503, "5"), (.full, 507, "300")])
  func failing(code: StorageError.Code, status: Int, retryAfter: String) async {
    storage.state.withLock { $0.failure = StorageError(code: code, message: "no") }
    let response = await send("POST", "/collect", body: Self.own(1))
    #expect(response.status == status)
    #expect(response.headers["Retry-After"] == retryAfter)
    #expect(counts(response) == [nil, nil, nil])
    storage.state.withLock { $0.failure = nil }
    #expect(counts(await send("POST", "/collect", body: Self.own(1))) == ["1", "0", "0"])
  }

  @Test("HQ-725: a full disk refuses a request before its body is read")
  func fullDisk() async {
    storage.state.withLock { $0.health = .full }
    let response = await send("POST", "/collect", body: Self.own(1))
    #expect(response.status == 507)
    #expect(response.headers["Retry-After"] == "300")
    #expect(
      String(decoding: response.body, as: UTF8.self) == #"{"error":{"code":"FULL","message":"the disk is full"}}"#)
  }

  @Test("HQ-714: an address beyond its rate is 429 with Retry-After")
  func rate() async {
    let twenty = [String](repeating: Self.own(1), count: 20).joined(separator: "\n")
    for _ in 1...10 { #expect(await send("POST", "/batch", body: twenty).status == 200) }
    let response = await send("POST", "/collect", body: Self.own(1))
    #expect(response.status == 429)
    #expect(response.headers["Retry-After"] == "1")
  }

  @Test("a compressed body is 415: Measurement Protocol has none")
  func compressed() async {
    #expect(await send("POST", "/collect", body: "x", headers: ["Content-Encoding": "gzip"]).status == 415)
    #expect(await send("POST", "/collect", body: "x", headers: ["Content-Encoding": "identity"]).status == 200)
  }

  @Test("HQ-700: preflight requests are 204 and any page may call; HEAD stores nothing")
  func preflight() async {
    for path in ["/collect", "/batch"] {
      let response = await send("OPTIONS", path, headers: ["Origin": "https://shop.example"])
      #expect(response.status == 204)
      #expect(response.headers["Access-Control-Allow-Origin"] == "*")
      #expect(response.headers["Access-Control-Allow-Methods"]?.contains("POST") == true)
    }
    #expect(await send("HEAD", "/collect", query: Self.own(1)).status == 405)
    #expect(await send("GET", "/batch").status == 405)
    #expect(storage.state.withLock { $0.hits.isEmpty })
  }

  @Test("origins of the settings are granted to those alone")
  func origins() async {
    let router = Router(collector.measurementRoutes(origins: .only(["https://shop.example"])))
    func origin(_ text: String) -> String? {
      guard case .answer(let response) = router.decide(method: "OPTIONS", path: "/collect", headers: ["Origin": text])
      else { return nil }
      #expect(response.headers["Vary"] == "Origin")
      return response.headers["Access-Control-Allow-Origin"]
    }
    #expect(origin("https://shop.example") == "https://shop.example")
    #expect(origin("https://other.example") == nil)
  }
}
