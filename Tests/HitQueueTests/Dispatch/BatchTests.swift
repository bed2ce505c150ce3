import DurableStore
import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

/// Which hits go in which request, and what is known of them meanwhile (HQ-420 to HQ-424).
@Suite struct BatchTests {
  @Test("HQ-420: a batch is the longest run of hits in order within all limits; a single one too large never blocks")
  func longestRun() async throws {
    let fixture = try QueueFixture()
    let analytics = try await fixture.open(events: 19)
    let tracker = try analytics.tracker(property: "UA-1-1")
    let large = HitBuilder.event(category: "c", action: "20").set(String(repeating: "x", count: 2_048), for: "x1")
      .set(String(repeating: "x", count: 2_048), for: "x2").set(String(repeating: "x", count: 2_048), for: "x3")
    for _ in 0..<3 { await tracker.send(large) }
    _ = await analytics.drain()
    // 19 small ones and two of 6 KiB are within 16 KiB and 20 hits; the third large one is the 22nd.
    #expect(fixture.transport.requests.map { QueueFixture.numbers($0).count } == [20, 2])
    #expect(fixture.transport.requests.allSatisfy { $0.body.count <= 16_384 })
  }

  @Test("HQ-421, HQ-424: a later batch waits for the answer to the earlier; of a long queue one batch is in a request")
  func oneAtATime() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport(otherwise: { _ in .hold }))
    let analytics = try await fixture.open(events: 1_000)
    analytics.dispatch()
    for round in 1...4 {
      await fixture.transport.waitForRequests(round)
      #expect(try await analytics.inspect(HitQuery(state: .inflight, limit: 1_000)).count == 20)
      #expect(fixture.transport.requests.count == round)
      fixture.transport.answerNext(.status(200))
    }
    await fixture.transport.waitForRequests(5)
    #expect(fixture.transport.requests.flatMap(QueueFixture.numbers) == Array(1...100))
    await analytics.close()
  }

  @Test("HQ-422: a claim names its hits in the lane's row; a settlement takes them out by sequence and clears it")
  func lease() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport(otherwise: { _ in .hold }))
    let analytics = try await fixture.open(events: 3)
    let connection = try Connection(path: fixture.directory + "/hits.sqlite3", durability: .processDeath)
    let claims = try connection.prepare("SELECT inflight FROM lane")
    func claim() throws -> [UInt8]? {
      try claims.query { row throws(StoreError) in try row.step() ? row.optionalBlob(at: 0) : nil }
    }
    #expect(try claim() == nil)
    let call = Task { await analytics.dispatchNext() }
    await fixture.transport.waitForRequests(1)
    let bytes = try #require(try claim())
    #expect(Array(bytes.dropFirst(16)) == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3])
    // A hit that somebody else deletes meanwhile takes no other one with it.
    try connection.execute("DELETE FROM hit WHERE seq = 2")
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.event(category: "c", action: "4"))
    fixture.transport.answerNext(.status(200))
    #expect(await call.value.result == .good)
    #expect(try claim() == nil)
    #expect(try await analytics.inspect(HitQuery()).map(\.sequence) == [4])
    #expect(try await analytics.counters[.delivered] == 2)
  }

  @Test("HQ-501: the age is that of the try, and is told anew at the next")
  func age() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport([.status(500)]))
    let analytics = try await fixture.open(events: 1)
    fixture.clock.advance(by: .milliseconds(1_234))
    _ = await analytics.dispatchNext()
    fixture.clock.advance(by: .seconds(10))
    _ = await analytics.dispatchNext()
    #expect(fixture.sent.map { $0["qt"] } == ["1234", "11234"])
  }

  @Test("HQ-401: with the interval off only a call sends, whatever happens")
  func manualOnly() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport([.status(503)]))
    let connectivity = SwitchedConnectivity(.wifi)
    let analytics = try fixture.open(connectivity: connectivity)
    analytics.dispatchInterval = 0.9
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("1"))
    #expect(await analytics.dispatchNext().result == .error)
    connectivity.state = .offline
    connectivity.state = .wifi
    for _ in 0..<48 { fixture.clock.advance(by: .seconds(1_800)) }
    await analytics.whenIdle()
    #expect(fixture.clock.sleepers == 0)
    #expect(fixture.transport.requests.count == 1)
    #expect(await analytics.dispatchNext().result == .good)
  }

  @Test("HQ-652: a hit that our collector does not know again any more is not sent, but dropped as expired")
  func dedupeDays() async throws {
    let fixture = try QueueFixture()
    let analytics = try fixture.open { $0.maxAge = .seconds(300 * 86_400) }
    analytics.dispatchInterval = 0
    let collector = try analytics.tracker(
      name: "c", property: "shop", destination: .collector("https://collect.example", key: "k"))
    await collector.send(.screenView("1"))
    fixture.clock.advance(by: .seconds(45 * 86_400 + 1))
    #expect(await analytics.drain().result == .noData)
    #expect(fixture.transport.requests.isEmpty)
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.dropped(.expired)] == 1)
    #expect(statistics.isConserved)
  }

  @Test("HQ-540: a hit of an unknown age counts from the start that found it")
  func unknownAge() async throws {
    let fixture = try QueueFixture()
    let first = try fixture.open({ $0.maxAge = .seconds(86_400) }, clock: ManualClock(wallMilliseconds: 1_000))
    // A lane that this process cannot serve later, so that only its age ends the hit.
    let tracker = try first.tracker(
      name: "g", property: "G-1", destination: .ga4(web: "G-1", secret: "s"))
    await tracker.send(.event(category: "c", action: "a"))
    await first.close()
    let clock = ManualClock(boot: "boot-2")
    let next = try fixture.open({ $0.maxAge = .seconds(86_400) }, clock: clock)
    next.dispatchInterval = 0
    func pass() async throws -> Int {
      next.dispatch()
      await next.whenIdle()
      return try await next.statistics().hits
    }
    clock.advance(by: .seconds(86_000))
    #expect(try await pass() == 1)
    clock.advance(by: .seconds(4_000))
    #expect(try await pass() == 0)
    #expect(try await next.counters[.dropped(.expired)] == 1)
    #expect(try await next.statistics().isConserved)
  }
}
