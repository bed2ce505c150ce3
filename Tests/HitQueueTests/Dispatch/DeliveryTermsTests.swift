import HitQueue
import Hits
import TestSupport
import Testing

/// What a destination says about late and uncertain hits.
@Suite struct DeliveryTermsTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  private func tracker(_ analytics: Analytics, _ change: (inout Destination) -> Void) throws -> Tracker {
    var destination = Destination.measurementProtocol("https://collect.example")
    change(&destination)
    return try analytics.tracker(name: "t", property: "UA-1-1", destination: destination)
  }

  @Test("HQ-530, HQ-532: late hits are sent and counted, with one line in the log")
  func lateSent() async throws {
    let logger = RecordingHitLogger()
    let analytics = try fixture.open(logger: logger)
    analytics.dispatchInterval = 0
    let tracker = try tracker(analytics) { $0.lateness = .fourHours }
    for number in 1...25 { await tracker.send(.screenView("\(number)")) }
    fixture.clock.advance(by: .seconds(14_401))
    await tracker.send(.screenView("fresh"))
    analytics.dispatch()
    await analytics.whenIdle()
    let counters = try await analytics.counters
    #expect(counters[.delivered] == 26)
    #expect(counters[.sentLate] == 25)
    #expect(logger.texts(.warning).filter { $0.contains("late hits") }.count == 1)
    #expect(logger.texts(.warning).contains { $0.hasPrefix("25 late hits, the oldest made 240 minutes") })
  }

  @Test("HQ-530: late hits are dropped where the destination says so")
  func lateDropped() async throws {
    let analytics = try fixture.open()
    analytics.dispatchInterval = 0
    let tracker = try tracker(analytics) {
      $0.lateness = .maxAge(.seconds(60))
      $0.latePolicy = .drop
    }
    await tracker.send(.screenView("old"))
    fixture.clock.advance(by: .seconds(61))
    await tracker.send(.screenView("new"))
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["cd"] } == ["new"])
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.dropped(.late)] == 1)
    #expect(statistics.isConserved)
  }

  @Test("HQ-423: hits whose answer was lost are sent again, or dropped where the destination says so")
  func uncertain() async throws {
    for policy in [UncertainPolicy.resend, .drop] {
      let lost = TransportError(phase: .uncertain, code: .timeout, message: "no answer")
      let fixture = try QueueFixture(transport: ScriptedTransport { _ in .failure(lost) })
      let analytics = try fixture.open()
      analytics.dispatchInterval = 0
      var destination = Destination.matomo("https://matomo.example")
      destination.onUncertain = policy
      let tracker = try analytics.tracker(name: "m", property: "1", destination: destination)
      await tracker.send(.screenView("a"))
      #expect(await analytics.dispatchNext().result == .error)
      let statistics = try await analytics.statistics()
      #expect(statistics.counters[.maybeDuplicate] == (policy == .resend ? 1 : 0))
      #expect(statistics.counters[.dropped(.uncertain)] == (policy == .drop ? 1 : 0))
      #expect(statistics.isConserved)
    }
  }

  @Test("HQ-433: refused hits are kept for seven days, then dropped and counted")
  func quarantine() async throws {
    let fixture = try QueueFixture(
      transport: ScriptedTransport { $0.url.contains("refusing") ? .status(400) : .status(200) })
    let analytics = try fixture.open()
    analytics.dispatchInterval = 0
    let refusing = try analytics.tracker(
      name: "r", property: "UA-2-1", destination: .measurementProtocol("https://refusing.example"))
    await refusing.send(.screenView("refused"))
    _ = await analytics.drain()
    #expect(try await analytics.statistics().lanes.first { $0.tracker == "r" }?.hits == [.quarantined: 1])
    fixture.clock.advance(by: .seconds(7 * 86_400 - 60))
    analytics.dispatch()
    await analytics.whenIdle()
    #expect(try await analytics.counters[.dropped(.rejected)] == 0)
    fixture.clock.advance(by: .seconds(3_600))
    analytics.dispatch()
    await analytics.whenIdle()
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.dropped(.rejected)] == 1)
    #expect(statistics.isConserved)
  }

  @Test("HQ-333: hourly, hits that are too old go from lanes that nobody can serve, too")
  func hourlyExpiry() async throws {
    var analytics = try fixture.open { $0.maxAge = .seconds(1_000) }
    analytics.dispatchInterval = 0
    let tracker = try analytics.tracker(
      name: "m", property: "1", destination: .matomo("https://matomo.example", token: "secret"))
    await tracker.send(.screenView("a"))
    await analytics.close()
    fixture.clock.advance(by: .seconds(3_601))
    // Without its tracker, nobody knows the lane's secret.
    analytics = try fixture.open { $0.maxAge = .seconds(1_000) }
    analytics.dispatch()
    await analytics.whenIdle()
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.dropped(.expired)] == 1)
    #expect(statistics.isConserved)
  }
}
