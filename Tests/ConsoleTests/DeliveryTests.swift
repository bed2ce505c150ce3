import Foundation
import HTTPClient
import HitQueue
import Hits
import TestSupport
import Testing

@testable import Console

/// Queues that speak to real servers over real sockets.
@Suite("Delivery") struct DeliveryTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func queue(_ destination: Destination, property: String) throws -> (Analytics, Tracker) {
    let analytics = try Analytics(
      store: HitStoreConfiguration(directory: directory.file("store"), sendBudget: .seconds(10)),
      transport: PlatformTransport())
    analytics.dispatchInterval = 0
    return (analytics, try analytics.tracker(name: "main", property: property, destination: destination))
  }

  @Test("HQ-650, HQ-665: 501 hits of every kind reach the collector in two compressed requests, each once, in order")
  func collector() async throws {
    let properties = [Property(id: "shop", writeKeys: ["key"])].compactMap { $0 }
    let server = try ConsoleServer(
      ServeSettings(port: 0, data: directory.file("data"), properties: properties), limits: ServerLimits())
    let (analytics, tracker) = try queue(.collector(server.url, key: "key"), property: "shop")
    var hits: [HitBuilder] = [
      .custom(name: "level_up", parameters: ["level": 3]), .screenView("Trò chơi 👍"),
      .transaction(id: "T", revenue: 9.5), .exception(description: "boom", isFatal: true),
    ]
    for number in 5...501 { hits.append(.event(category: "a", action: "b", value: Int64(number))) }
    let receipts = await tracker.send(contentsOf: hits)
    #expect(receipts.allSatisfy { $0.state == .durable })
    let report = await analytics.drain()
    #expect(report.accepted == 501)
    #expect(report.rejected == 0)
    let statistics = try await analytics.statistics()
    #expect(statistics.hits == 0)
    #expect(statistics.isConserved)
    #expect(statistics.counters[.requests] == 2)
    #expect(statistics.counters[.wireBytes] * 3 < statistics.counters[.bodyBytes])
    await analytics.close()
    try await server.stop()
    let stored = try IntakeReader(directory: directory.file("data")).summaries(limit: 1000)
    #expect(stored.map(\.id) == receipts.compactMap(\.id))
    #expect(stored.prefix(4).map(\.kind) == ["custom", "screenview", "transaction", "exception"])
    #expect(stored[0].name == "level_up")
    #expect(stored[0].parameters == ["level": 3])
    #expect(stored[1].fields["cd"] == "Trò chơi 👍")
    #expect(stored.allSatisfy { $0.tracker == "main" && $0.property == "shop" && $0.source == "v1" })
    #expect(stored.dropFirst(4).map { $0.fields["ev"] } == (5...501).map { "\($0)" })
  }

  @Test("HQ-640, HQ-641: a scripted Matomo reads our requests back; the one it names goes to quarantine")
  func matomo() async throws {
    let server = try LoopbackServer { request in
      guard request.method == "POST", request.target == "/matomo.php" else { return .response(status: 404) }
      let body = #"{"status":"success","tracked":2,"invalid":1,"invalid_indices":[1]}"#
      return .response(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    let (analytics, tracker) = try queue(.matomo(server.url(""), token: "secret"), property: "3")
    let receipts = await tracker.send(contentsOf: [
      .screenView("Home & more"), .event(category: "C", action: "A", label: "50% 👍", value: 3),
      .transaction(id: "T", revenue: 5), .item(transactionID: "T", name: "N", sku: "S", price: 2.5, quantity: 2),
    ])
    #expect(await analytics.drain().rejected == 1)
    #expect(try await analytics.inspect(HitQuery(state: .quarantined)).map(\.id) == [receipts[1].id])
    await analytics.close()
    let request = try #require(server.requests.first)
    let document = try Value(json: request.body).map ?? [:]
    #expect(document["token_auth"] == "secret")
    let queries = (document["requests"]?.list ?? []).map { FormFields(Array(($0.string ?? "").utf8.dropFirst())) }
    #expect(queries.count == 3)
    #expect(queries.map { $0["idsite"] } == ["3", "3", "3"])
    #expect(queries.map { $0["rand"] } == receipts.prefix(3).map { $0.id?.description })
    #expect(queries[0]["action_name"] == "Home & more")
    #expect(["e_c", "e_a", "e_n", "e_v"].map { queries[1][$0] } == ["C", "A", "50% 👍", "3"])
    #expect(queries[2]["ec_items"] == #"[["S","N","",2.5,2]]"#)
    #expect(queries[2]["revenue"] == "5")
    #expect(queries.allSatisfy { $0["_id"]?.utf8.count == 16 && Int64($0["cdt"] ?? "") != nil })
    // The secret is in the request alone.
    for file in try FileManager.default.contentsOfDirectory(atPath: directory.file("store")) {
      let content = FileManager.default.contents(atPath: directory.file("store/\(file)")) ?? Data()
      #expect(content.range(of: Data("secret".utf8)) == nil, "\(file)")
    }
  }
}
