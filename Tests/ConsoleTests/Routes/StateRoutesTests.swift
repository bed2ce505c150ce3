import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Metrics and readiness") struct StateRoutesTests {
  @Test("CO-104: /metrics tells requests, latencies and hits; paths of strangers do not grow it")
  func metrics() async throws {
    let directory = try TemporaryDirectory(isMade: false)
    let server = try ConsoleServer(ServeSettings(port: 0, data: directory.path), limits: ServerLimits())
    let transport = PlatformTransport()
    let body = [CollectorTests.own(1), CollectorTests.own(2), CollectorTests.own(1), "v=1"].joined(separator: "\n")
    _ = try await transport.send(HTTPRequest(method: "POST", url: server.url + "/batch", body: Array(body.utf8)))
    for path in ["/a", "/b", "/c?d=%22"] { _ = try await transport.send(HTTPRequest(url: server.url + path)) }
    #expect(try await transport.send(HTTPRequest(url: server.url + "/readyz")).status == 200)
    let response = try await transport.send(HTTPRequest(url: server.url + "/metrics"))
    #expect(response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n").map(String.init)
    for line in [
      #"tagworks_http_requests_total{route="/batch",status="200"} 1"#,
      #"tagworks_http_requests_total{route="other",status="404"} 3"#, #"tagworks_hits_total{result="accepted"} 2"#,
      #"tagworks_hits_total{result="duplicate"} 1"#, #"tagworks_hits_total{result="rejected"} 1"#,
      "tagworks_hits_waiting 0", #"tagworks_http_request_duration_seconds_count{route="/batch"} 1"#,
      #"tagworks_http_request_duration_seconds_bucket{route="/batch",le="+Inf"} 1"#,
      "# TYPE tagworks_http_request_duration_seconds histogram",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(!lines.contains { $0.contains("/a") })
    try await server.stop()
  }

  @Test("CO-104: fetches are counted by container, whole and unchanged; ids that lead nowhere are not")
  func fetches() throws {
    let catalogue = DeliveryCatalogue()
    let delivery = try SampleContainer.delivery()
    catalogue.replace(with: [SampleContainer.id: .app(["live": .init(token: nil, delivery: delivery)])])
    let fetches = FetchTally()
    let routes = DeliveryRoutes(catalogue, fetches: fetches).instant
    func get(_ path: String, query: String = "", _ etag: String? = nil) {
      let request = InstantRequest(path: path, query: query, headers: etag.map { ["If-None-Match": $0] } ?? [:])
      _ = routes.first { path.hasPrefix($0.prefix) }?.answer(request)
    }
    get("/v1/containers/GTM-TEST")
    for _ in 0..<2 { get("/v1/containers/GTM-TEST", query: "environment=live", delivery.json.etag) }
    get("/r", query: "id=GTM-TEST")
    get("/v1/containers/GTM-NONE")
    let text = ServerMetrics().text(waiting: 0, lost: 0, fetches: fetches.counts)
    #expect(text.contains("tagworks_container_fetches_total{id=\"GTM-TEST\",status=\"200\"} 2\n"))
    #expect(text.contains("tagworks_container_fetches_total{id=\"GTM-TEST\",status=\"304\"} 2\n"))
    #expect(!text.contains("GTM-NONE"))
  }

  @Test("CO-104: a bucket counts what took at most so long")
  func histogram() {
    let metrics = ServerMetrics()
    for milliseconds: Int64 in [1, 2, 100, 60_000] {
      metrics.note(route: "/x", status: 200, nanoseconds: milliseconds * 1_000_000)
    }
    let text = metrics.text(waiting: 3, lost: 4)
    for (bound, count) in [("0.001", 1), ("0.005", 2), ("0.05", 2), ("0.1", 3), ("30", 3), ("+Inf", 4)] {
      #expect(text.contains("_bucket{route=\"/x\",le=\"\(bound)\"} \(count)\n"), "\(bound)")
    }
    #expect(text.contains("_sum{route=\"/x\"} 60.103000\n"))
    #expect(text.contains("tagworks_hits_waiting 3\n"))
    #expect(text.contains("tagworks_observer_hits_lost_total 4\n"))
  }

  @Test("CO-104: a storage that does not answer is not ready")
  func notReady() async {
    let storage = MemoryHitStorage()
    let router = Router([.ready(storage, MemoryWorkspaceStore())])
    guard case .handle(_, let handler) = router.decide(method: "GET", path: "/readyz", headers: [:]) else {
      Issue.record("no route")
      return
    }
    #expect(await handler(ServerRequest(method: "GET", path: "/readyz")).status == 200)
    storage.state.withLock { $0.failure = StorageError(code: .failed, message: "no") }
    #expect(await handler(ServerRequest(method: "GET", path: "/readyz")).status == 503)
  }
}
