import Hits
import TestSupport

@testable import Console

/// A collector in memory, asked by its routes as the server would.
struct CollectorFixture {
  let storage = MemoryHitStorage()
  let clock = ManualClock(wallMilliseconds: 1_800_000_000_000)
  let collector: Collector
  let router: Router

  init(
    properties: [Property] = [], isLoopback: Bool = true, settings: CollectorSettings = CollectorSettings(),
    rates: RateLimiter = RateLimiter(), behind wrap: (MemoryHitStorage) -> any HitStorage = { $0 }
  ) {
    collector = Collector(
      rules: IntakeRules(registry: PropertyRegistry(properties, isLoopback: isLoopback)),
      storage: wrap(storage),
      settings: settings, rates: rates, clock: clock, random: SeededRandomSource(seed: 1))
    router = Router(collector.measurementRoutes() + collector.lineRoutes())
  }

  /// A property `p` with the key `k`, and `q` with the key `l`.
  static let keyed = [Property(id: "p", writeKeys: ["k"]), Property(id: "q", writeKeys: ["l"])].compactMap { $0 }

  func send(
    _ method: String, _ path: String, query: String = "", body: [UInt8] = [], headers: HTTPHeaders = [:]
  ) async -> ServerResponse {
    switch router.decide(method: method, path: path, headers: headers) {
    case .answer(let response): return response
    case .handle(let route, let handler):
      if let refusal = route.admit() { return refusal }
      guard body.count <= route.bodyLimit else { return route.overlong ?? ServerResponse(status: 413) }
      return await handler(
        ServerRequest(method: method, path: path, query: Array(query.utf8), headers: headers, body: body))
    }
  }

  /// Sends lines of our own protocol with the key `k`.
  func sendLines(_ text: String, headers: HTTPHeaders = [:]) async -> ServerResponse {
    var all: HTTPHeaders = ["Content-Type": "application/x-ndjson", "Tagworks-Key": "k"]
    for field in headers { all[field.name] = field.value }
    return await send("POST", "/v1/hits", body: Array(text.utf8), headers: all)
  }
}

extension ServerResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The code of a refusal.
  var refusal: String? { (try? Value(json: body))?.map?["error"]?.map?["code"]?.string }
}
