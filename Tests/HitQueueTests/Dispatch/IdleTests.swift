import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

/// An empty queue costs nothing (HQ-402, HQ-1009).
@Suite struct IdleTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  @Test("HQ-402, HQ-1009: with nothing to send nobody sleeps on the clock, and nothing is asked of the network")
  func empty() async throws {
    let analytics = try fixture.open()
    await analytics.whenIdle()
    let sleeps = fixture.clock.sleeps
    #expect(sleeps == 0)
    for _ in 0..<600 {
      fixture.clock.advance(by: .seconds(1))
      #expect(fixture.clock.sleepers == 0)
    }
    #expect(fixture.clock.sleeps == sleeps)
    #expect(fixture.transport.requests.isEmpty)
    await analytics.close()
  }

  @Test("HQ-402, HQ-1009: one timer for many hits, one pass, and none after the last hit has left")
  func drained() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    for number in 1...50 { await tracker.send(.screenView("\(number)")) }
    await fixture.clock.waitForSleepers()
    #expect(fixture.clock.sleeps == 1)
    fixture.clock.advance(by: .seconds(120))
    await fixture.transport.waitForRequests(3)
    await analytics.whenIdle()
    #expect(try await analytics.statistics().hits == 0)
    let sleeps = fixture.clock.sleeps
    for _ in 0..<600 { fixture.clock.advance(by: .seconds(1)) }
    #expect(fixture.clock.sleepers == 0)
    #expect(fixture.clock.sleeps == sleeps)
    #expect(fixture.transport.requests.count == 3)
    await analytics.close()
  }
}
