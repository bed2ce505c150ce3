import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

@Suite struct LimitTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  @Test("HQ-1228: with drop, 60 hits of a burst of 61 are taken in, one is refused and counted")
  func drop() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    tracker.rateLimit = .drop()
    var states: [SendReceipt.State] = []
    for _ in 0..<61 { states.append(await tracker.send(.screenView("x")).state) }
    #expect(states == Array(repeating: .durable, count: 60) + [.refused(.rateLimited)])
    #expect(await tracker.send(.transaction(id: "1")).state == .durable)
    #expect(try await analytics.counters[.refused("rateLimited")] == 1)
  }

  @Test("HQ-1228: with delay, 61 hits are stored, and the last is sent two seconds later")
  func delay() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    tracker.rateLimit = .delay()
    for number in 0..<61 { #expect(await tracker.send(.screenView("\(number)")).state == .durable) }
    #expect(await analytics.drain().remaining == 1)
    #expect(fixture.sent.count == 60)
    fixture.clock.advance(by: .milliseconds(1_999))
    let early = await analytics.dispatchNext()
    #expect(early.result == .noData)
    #expect(early.nextEligible == .milliseconds(1))
    fixture.clock.advance(by: .milliseconds(1))
    _ = await analytics.drain()
    #expect(fixture.sent.last?["cd"] == "60")
    #expect(try await analytics.counters[.delayed] == 1)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-261, HQ-402: hits that wait for their tokens are sent by a later pass, without any new hit")
  func periodic() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    tracker.rateLimit = .delay(capacity: 1, perSecond: 0.001)
    for number in 0..<2 { await tracker.send(.screenView("\(number)")) }
    for _ in 0..<12 {
      await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .seconds(100))
      await analytics.whenIdle()
    }
    await fixture.transport.waitForRequests(2)
    #expect(fixture.sent.map { $0["cd"] } == ["0", "1"])
  }

  @Test(
    "HQ-213: a hit tells its session where the protocol does, the next run goes on with it; HQ-214: 501 hits warn once")
  func session() async throws {
    let logger = RecordingHitLogger()
    func send(_ count: Int) async throws {
      let analytics = try fixture.open(logger: logger)
      let tracker = try analytics.tracker(
        name: "ga4", property: "G-1", destination: .ga4(app: "1:2:ios:3", secret: "s"))
      for _ in 0..<count { #expect(await tracker.send(.event(category: "a", action: "b")).state == .durable) }
      await analytics.close()
    }
    try await send(500)
    #expect(logger.texts(.warning).isEmpty)
    fixture.clock.advance(by: .seconds(1_799))
    try await send(2)
    #expect(logger.texts(.warning).count { $0.contains("500") } == 1)
    fixture.clock.advance(by: .seconds(1_800))
    try await send(1)
    let sessions = try fixture.reader().inspect(HitQuery(limit: 1_000)).map { $0.fields["_sid"] }
    #expect(sessions == Array(repeating: "1800000000", count: 502) + ["1800003599"])
  }

  @Test("HQ-803: budgets and time-outs of any length are taken")
  func longestBudget() async throws {
    let longest = Duration.seconds(Int64.max)
    let analytics = try fixture.open {
      $0.sendBudget = longest
      $0.sessionTimeout = longest
    }
    let tracker = try analytics.tracker(property: "UA-1-1")
    #expect(analytics.send(.screenView("x"), tracker: "UA-1-1").state == .durable)
    #expect(await tracker.send(.screenView("y")).state == .durable)
    await analytics.close()
  }

  @Test("HQ-215: a client outside the sample is refused, one inside says the rate; all is not said")
  func sample() async throws {
    try FileManager.default.createDirectory(atPath: fixture.directory, withIntermediateDirectories: true)
    // 36.6067 %.
    try #"{"clientID":"35009a79-1a05-49d7-b876-2b884d0f825b","sequence":0}"#.write(
      toFile: fixture.directory + "/identity.json", atomically: true, encoding: .utf8)
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    #expect(tracker.sampleRate == 100)
    tracker.sampleRate = 36
    #expect(await tracker.send(.screenView("out")).state == .refused(.sampledOut))
    tracker.sampleRate = 37
    #expect(await tracker.send(.screenView("in")).state == .durable)
    tracker.sampleRate = 100
    #expect(await tracker.send(.screenView("all")).state == .durable)
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["sf"] } == ["37", nil])
    #expect(try await analytics.counters[.refused("sampledOut")] == 1)
  }
}
