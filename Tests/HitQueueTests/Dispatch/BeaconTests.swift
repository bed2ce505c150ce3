import HitQueue
import Hits
import TestSupport
import Testing

@Suite struct BeaconTests {
  @Test("HQ-116: a beacon is one GET of its URL as it is, following five redirects, without a body")
  func request() async throws {
    let fixture = try QueueFixture()
    let analytics = try fixture.open()
    let url = "https://ads.example:8443/i?a=%20b&c=%e1#f"
    #expect(analytics.send(.beacon(url), tracker: "any").state == .durable)
    let report = await analytics.dispatchNext()
    #expect(report.accepted == 1)
    let request = fixture.transport.requests[0]
    #expect(request.method == "GET")
    #expect(request.url == url)
    #expect(request.body == [])
    #expect(request.redirects == .follow(5))
    let lane = try #require(try await analytics.statistics().lanes.first)
    #expect(lane.tracker == "$beacon")
    #expect(lane.endpoint == "https://ads.example:8443")
  }

  @Test(
    "HQ-116: 2xx and a last 3xx are delivered, 4xx is dropped, 5xx comes again",
    arguments: [
      (200, 1, 0, 0), (204, 1, 0, 0), (302, 1, 0, 0), (404, 0, 1, 0), (429, 0, 1, 0), (500, 0, 0, 1), (503, 0, 0, 1),
    ])
  func answers(status: Int, delivered: Int64, rejected: Int64, left: Int) async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport([.status(status)]))
    let analytics = try fixture.open()
    analytics.send(.beacon("http://ads.example/i"), tracker: nil)
    _ = await analytics.dispatchNext()
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.delivered] == delivered)
    #expect(statistics.counters[.dropped(.rejected)] == rejected)
    #expect(statistics.hits == left)
    #expect(statistics.isConserved)
  }

  @Test("HQ-116: the answer is never read, however long it is")
  func longAnswer() async throws {
    let long = TransportError(
      phase: .uncertain, code: .tooLarge, message: "too long", response: HTTPResponse(status: 200))
    let fixture = try QueueFixture(transport: ScriptedTransport([.failure(long)]))
    let analytics = try fixture.open()
    analytics.send(.beacon("https://ads.example/i"), tracker: nil)
    #expect(await analytics.dispatchNext().accepted == 1)
  }

  @Test("HQ-116: a beacon that is a day old, or as old as its builder allows, is not sent")
  func age() async throws {
    let fixture = try QueueFixture()
    let analytics = try fixture.open()
    analytics.send(.beacon("https://ads.example/1").maxAge(.seconds(60)), tracker: nil)
    analytics.send(.beacon("https://ads.example/2"), tracker: nil)
    fixture.clock.advance(by: .seconds(61))
    _ = await analytics.dispatchNext()
    analytics.send(.beacon("https://ads.example/3").maxAge(.seconds(7 * 86_400)), tracker: nil)
    fixture.clock.advance(by: .seconds(86_401))
    _ = await analytics.dispatchNext()
    #expect(fixture.transport.requests.map(\.url) == ["https://ads.example/2"])
    #expect(try await analytics.counters[.dropped(.expired)] == 1)
    #expect(try await analytics.counters[.dropped(.late)] == 1)
  }

  @Test("HQ-116: a host that is down holds up no other host's beacons")
  func deadHost() async throws {
    let refused = TransportError(phase: .notSent, code: .refused, message: "nobody there")
    let fixture = try QueueFixture(
      transport: ScriptedTransport { $0.url.contains("dead") ? .failure(refused) : .status(200) })
    let analytics = try fixture.open()
    for number in 1...5 {
      analytics.send(.beacon("https://dead.example/\(number)"), tracker: nil)
      analytics.send(.beacon("https://live.example/\(number)"), tracker: nil)
    }
    analytics.dispatch()
    await analytics.whenIdle()
    #expect(try await analytics.counters[.delivered] == 5)
    #expect(try await analytics.statistics().hits == 5)
    #expect(fixture.transport.requests.filter { $0.url.contains("dead") }.count == 1)
  }

  @Test(
    "HQ-116: what is no absolute http or https URL of at most 8,192 bytes is refused",
    arguments: ["", "/path", "ftp://a.example/", "https://", "https://a b/"])
  func noURL(text: String) async throws {
    let fixture = try QueueFixture()
    let analytics = try fixture.open()
    guard case .refused(let refusal) = analytics.send(.beacon(text), tracker: nil).state else {
      Issue.record("taken in")
      return
    }
    #expect([.invalidValue("url"), .missingField("url")].contains(refusal))
  }

  @Test("HQ-116: a URL of 8,192 bytes passes, one byte more does not")
  func longURL() async throws {
    let fixture = try QueueFixture()
    let analytics = try fixture.open()
    let start = "https://a.example/"
    let longest = start + String(repeating: "x", count: 8_192 - start.utf8.count)
    #expect(analytics.send(.beacon(longest), tracker: nil).state == .durable)
    #expect(
      analytics.send(.beacon(longest + "x"), tracker: nil).state == .refused(.tooLarge(bytes: 8_193, limit: 8_192)))
    _ = await analytics.dispatchNext()
    #expect(fixture.transport.requests.map(\.url) == [longest])
  }
}
