import Hits
import Testing

@testable import HitQueue

@Suite struct HitSessionTests {
  private let halfHour: Int64 = 1_800_000

  private func time(_ seconds: Int64, wall: Int64? = nil, boot: String = "b") -> HitTime {
    HitTime(
      wallMilliseconds: (wall ?? 1_800_000_000 + seconds) * 1_000, ageClock: UInt64(seconds) * 1_000_000_000,
      boot: BootID(boot))
  }

  private func next(
    _ session: HitSession?, _ now: HitTime, timeout: Int64 = 1_800_000, startsAnew: Bool = false
  ) -> HitSession {
    HitSession.following(session, at: now, timeout: timeout, startsAnew: startsAnew)
  }

  @Test("HQ-213: a session is called by the wall seconds of its first hit, and ends with 30 minutes without hits")
  func pause() {
    let first = next(nil, time(0))
    #expect(first.id == 1_800_000_000)
    let second = next(first, time(1_799))
    #expect(second.id == first.id)
    #expect(second.count == 2)
    // The pause is counted from the last hit, not from the first.
    let third = next(second, time(1_799 + 1_799))
    #expect(third.id == first.id)
    #expect(next(third, time(1_799 + 1_799 + 1_800)).id == 1_800_005_398)
  }

  @Test("HQ-213: a hit can start a session")
  func anew() {
    let started = next(next(nil, time(0)), time(5), startsAnew: true)
    #expect(started.id == 1_800_000_005)
    #expect(started.count == 1)
  }

  @Test("HQ-213: pauses follow the age clock, and across a start of the device the wall clock")
  func clocks() {
    let first = next(nil, time(0))
    #expect(next(first, time(10, wall: 1_900_000_000)).id == first.id)
    #expect(next(first, time(3_000, wall: 1_800_000_001)).id == 1_800_000_001)
    #expect(next(first, time(0, wall: 1_800_000_100, boot: "c")).id == first.id)
    #expect(next(first, time(0, wall: 1_800_001_800, boot: "c")).id == 1_800_001_800)
  }

  @Test(
    "HQ-213: the time-out is at least a minute and at most four hours",
    arguments: [(0, 59, true), (0, 60, false), (90_000, 89, true), (.max, 14_399, true), (.max, 14_400, false)]
      as [(Int64, Int64, Bool)])
  func timeouts(timeout: Int64, pause: Int64, isSame: Bool) {
    let first = next(nil, time(0))
    #expect((next(first, time(pause), timeout: timeout).id == first.id) == isSame)
  }
}
