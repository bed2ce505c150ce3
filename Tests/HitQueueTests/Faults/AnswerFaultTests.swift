import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

/// Servers that refuse: what is delivered all the same, and by how many requests (HQ-1104 to HQ-1107).
@Suite struct AnswerFaultTests {
  enum Way: String, Sendable, CaseIterable {
    case pass, drain, calls

    func dispatch(_ analytics: Analytics) async {
      switch self {
      case .pass:
        analytics.dispatch()
        await analytics.whenIdle()
      case .drain: _ = await analytics.drain()
      case .calls: while await analytics.dispatchNext().result != .noData {}
      }
    }
  }

  @Test(
    "HQ-1104, HQ-431, HQ-441: one poison hit of twenty is put aside by at most ten more requests, however hits are sent",
    arguments: Way.allCases, [1, 10, 20])
  func onePoison(way: Way, bad: Int) async throws {
    let fixture = try QueueFixture(
      transport: ScriptedTransport { QueueFixture.numbers($0).contains(bad) ? .status(400) : .status(200) })
    let analytics = try await fixture.open(events: 20)
    await way.dispatch(analytics)
    #expect(try await analytics.inspect(HitQuery(state: .quarantined)).map { $0.fields["ea"] } == ["\(bad)"])
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.delivered] == 19)
    #expect(statistics.isConserved)
    #expect(fixture.transport.requests.count <= 1 + 10)
    // What was delivered went once, in order.
    let delivered = fixture.transport.requests.map(QueueFixture.numbers).filter { !$0.contains(bad) }.flatMap { $0 }
    #expect(delivered == (1...20).filter { $0 != bad })
  }

  @Test("HQ-1104, HQ-432: when all twenty are refused it is the endpoint: the lane parks, all hits are ready again")
  func allPoison() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport { _ in .status(400) })
    let analytics = try await fixture.open(events: 20)
    let report = await analytics.drain()
    #expect(report.result == .error)
    #expect(fixture.transport.requests.count == 39)
    let statistics = try await analytics.statistics()
    #expect(statistics.lanes.first?.hits == [.ready: 20])
    #expect(statistics.lanes.first?.restCause == "allRejected")
    #expect(statistics.isConserved)
    let conditions = analytics.status.conditions
    #expect(conditions.contains { if case .parked(_, .allRejected, _) = $0 { true } else { false } })
    fixture.clock.advance(by: .seconds(3_599))
    #expect(await analytics.dispatchNext().reason == .waiting)
  }

  @Test("HQ-1105: a tracker whose key is revoked for good loses no hit until its age, the two others are delivered")
  func revokedKey() async throws {
    let fixture = try QueueFixture(
      transport: ScriptedTransport { $0.url.hasPrefix("https://revoked") ? .status(401) : .status(200) })
    let analytics = try fixture.open { $0.maxAge = .seconds(10 * 86_400) }
    analytics.dispatchInterval = 600
    for name in ["revoked", "fine", "good"] {
      let tracker = try analytics.tracker(
        name: name, property: "UA-1-1", destination: .measurementProtocol("https://\(name).example"))
      await tracker.send(contentsOf: (1...30).map { .screenView("\($0)") })
    }
    analytics.dispatch()
    await analytics.whenIdle()
    #expect(fixture.transport.requests.count { $0.url.hasPrefix("https://fine") } == 2)
    #expect(fixture.transport.requests.count { $0.url.hasPrefix("https://good") } == 2)
    var statistics = try await analytics.statistics()
    #expect(statistics.counters[.delivered] == 60)
    // Parked for 15 minutes, then twice as long each time, up to a day.
    var parked: [Int64] = []
    for _ in 0..<9 {
      statistics = try await analytics.statistics()
      let lane = try #require(statistics.lanes.first { $0.tracker == "revoked" })
      #expect(lane.hits == [.ready: 30])
      let wait = try #require(lane.restsUntil) - fixture.clock.wallMilliseconds
      parked.append(wait / 60_000)
      fixture.clock.advance(by: .milliseconds(wait))
      analytics.dispatch()
      await analytics.whenIdle()
    }
    #expect(parked == [15, 30, 60, 120, 240, 480, 960, 1_440, 1_440])
    fixture.clock.advance(by: .seconds(10 * 86_400))
    analytics.dispatch()
    await analytics.whenIdle()
    statistics = try await analytics.statistics()
    #expect(statistics.counters[.dropped(.expired)] == 30)
    #expect(statistics.hits == 0)
    #expect(statistics.isConserved)
    await analytics.close()
  }

  @Test(
    "HQ-1106, HQ-434: 429 and 503 with Retry-After hold the host for that long; nonsense is a back-off",
    arguments: [429, 503], ["7", "date", "nonsense", "-7"])
  func retryAfter(status: Int, value: String) async throws {
    let headers: HTTPHeaders =
      value == "date"
      ? ["Date": "Sun, 06 Nov 2044 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 2044 08:49:44 GMT"]
      : ["Retry-After": value]
    let fixture = try QueueFixture(
      transport: ScriptedTransport([.response(HTTPResponse(status: status, headers: headers))]))
    let analytics = try await fixture.open(events: 2)
    let other = try analytics.tracker(
      name: "other", property: "UA-2-1", destination: .measurementProtocol("https://collect.example/below"))
    #expect(await analytics.dispatchNext().result == .error)
    await other.send(.screenView("held back with its host"))
    let isHeld = ["7", "date"].contains(value)
    let next = await analytics.dispatchNext()
    // A call does not wait for a back-off; the other lane is not even in one.
    #expect(next.result == (isHeld ? .noData : .good))
    #expect(next.nextEligible == (isHeld ? .seconds(7) : nil))
    guard isHeld else { return }
    fixture.clock.advance(by: .milliseconds(6_999))
    #expect(await analytics.dispatchNext().reason == .waiting)
    fixture.clock.advance(by: .milliseconds(1))
    let report = await analytics.drain()
    #expect(report.accepted == 3)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-1107, HQ-428: 413 at 20, at 10 and at 1: 20, 10, 5 and so on; a single hit that is too large is put aside")
  func tooLarge() async throws {
    let fixture = try QueueFixture(
      transport: ScriptedTransport { request in
        let numbers = QueueFixture.numbers(request)
        return numbers.count > 7 || numbers == [3] || (numbers.contains(3) && numbers.count > 1)
          ? .status(413) : .status(200)
      })
    let analytics = try await fixture.open(events: 20)
    let report = await analytics.drain()
    #expect(report.result == .noData)
    #expect(fixture.transport.requests.map { QueueFixture.numbers($0).count }.prefix(6) == [20, 10, 5, 2, 2, 1])
    let aside = try await analytics.inspect(HitQuery(state: .quarantined))
    #expect(aside.map { $0.fields["ea"] } == ["3"])
    #expect(aside.map(\.reason) == ["tooLarge"])
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.delivered] == 19)
    #expect(statistics.isConserved)
  }

  @Test("HQ-428: after 415 on a compressed body the same goes out plain, once and for all; 415 on that is a bad hit")
  func plain() async throws {
    let fixture = try QueueFixture(
      transport: ScriptedTransport { request in
        if request.gzip { return .status(415) }
        let lines = request.body.split(separator: UInt8(ascii: "\n")).count
        let acknowledgement = Acknowledgement(
          received: lines, accepted: lines, duplicate: [], rejected: [], deferred: [])
        let body = (try? JSONEncoder().encode(acknowledgement)) ?? Data()
        return .response(
          HTTPResponse(status: 200, headers: ["Content-Type": Acknowledgement.mediaType], body: [UInt8](body)))
      })
    let analytics = try fixture.open()
    analytics.dispatchInterval = 0
    let tracker = try analytics.tracker(
      name: "c", property: "shop", destination: .collector("https://collect.example", key: "k"))
    await tracker.send(.screenView("1"))
    let report = await analytics.drain()
    #expect(report.accepted == 1)
    await tracker.send(.screenView("2"))
    #expect(await analytics.drain().accepted == 1)
    #expect(fixture.transport.requests.map(\.gzip) == [true, false, false])
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-428: redirects are followed within the host, three at most, never away from https, and otherwise park")
  func redirects() async throws {
    let fixture = try QueueFixture(
      transport: ScriptedTransport([
        .failure(TransportError(phase: .uncertain, code: .redirectRefused, message: "to another host")), .status(302),
      ]))
    let analytics = try await fixture.open(events: 1)
    #expect(await analytics.dispatchNext().result == .error)
    let rule = try #require(fixture.transport.requests.first?.redirects)
    #expect(rule == RedirectRule(limit: 3, schemes: ["https"], hosts: ["collect.example"]))
    for _ in 0..<2 {
      let lane = try #require(try await analytics.statistics().lanes.first)
      #expect(lane.restCause == "redirect")
      #expect(lane.hits == [.ready: 1])
      fixture.clock.advance(by: .milliseconds(try #require(lane.restsUntil) - fixture.clock.wallMilliseconds))
      _ = await analytics.dispatchNext()
    }
    #expect(try await analytics.statistics().counters[.delivered] == 1)
  }
}
