import DurableStore
import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

/// Clocks that step, sleep and start anew (the clock table of HQ-500 to HQ-545; HQ-1108).
@Suite struct ClockTests {
  private static let hour: Int64 = 3_600_000
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  private func open(clock: ManualClock? = nil) throws -> Analytics {
    let analytics = try fixture.open(clock: clock)
    analytics.dispatchInterval = 0
    return analytics
  }

  @Test("HQ-1108, HQ-500: the wall clock steps back an hour between send and dispatch: the age is true, not negative")
  func stepBack() async throws {
    let analytics = try open()
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    fixture.clock.advance(by: .seconds(90))
    fixture.clock.setWall(milliseconds: fixture.clock.wallMilliseconds - Self.hour)
    #expect(await analytics.drain().accepted == 1)
    #expect(fixture.sent[0]["qt"] == "90000")
    #expect(fixture.sent[0]["ht"] == "1800000000000")
  }

  @Test("HQ-1108, HQ-500: the wall clock steps 30 days ahead: the age is true, nothing expires, nothing is late by it")
  func stepAhead() async throws {
    let logger = RecordingHitLogger()
    let analytics = try fixture.open(logger: logger)
    analytics.dispatchInterval = 0
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    fixture.clock.advance(by: .seconds(60))
    fixture.clock.setWall(milliseconds: fixture.clock.wallMilliseconds + 30 * 24 * Self.hour)
    #expect(await analytics.drain().accepted == 1)
    #expect(fixture.sent[0]["qt"] == "60000")
    let counters = try await analytics.counters
    #expect(counters[.dropped(.expired)] == 0)
    #expect(counters[.sentLate] == 0)
  }

  @Test("HQ-1108, HQ-102: two hours of sleep are part of the age")
  func sleep() async throws {
    let analytics = try open()
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    // Both clocks go on while the device sleeps; nobody wakes.
    fixture.clock.advance(by: .seconds(7_200))
    #expect(await analytics.drain().accepted == 1)
    #expect(fixture.sent[0]["qt"] == "7200000")
  }

  @Test("HQ-1108, HQ-500: after a start of the device with the wall clock before the hit, its age is 0")
  func reboot() async throws {
    let analytics = try open()
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    await analytics.close()
    let next = try open(
      clock: ManualClock(wallMilliseconds: fixture.clock.wallMilliseconds - 600_000, boot: "boot-2"))
    #expect(await next.drain().accepted == 1)
    #expect(fixture.sent[0]["qt"] == "0")
  }

  @Test("HQ-1108, HQ-500: after a start of the device the age is that of the wall clock")
  func rebootLater() async throws {
    let analytics = try open()
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    await analytics.close()
    let next = try open(
      clock: ManualClock(wallMilliseconds: fixture.clock.wallMilliseconds + 600_000, boot: "boot-2"))
    #expect(await next.drain().accepted == 1)
    #expect(fixture.sent[0]["qt"] == "600000")
  }

  @Test("HQ-545, HQ-105: a hit of 1970 whose clock is right by now has its age in the same boot, none after another")
  func suspectClock() async throws {
    let clock = ManualClock(wallMilliseconds: 1_000)
    let analytics = try open(clock: clock)
    _ = analytics.send(.screenView("same boot"), tracker: "UA-1-1")
    clock.setWall(milliseconds: 1_800_000_000_000)
    clock.advance(by: .seconds(5))
    #expect(await analytics.drain().accepted == 1)
    #expect(fixture.sent[0]["qt"] == "5000")
    clock.setWall(milliseconds: 2_000)
    _ = analytics.send(.screenView("other boot"), tracker: "UA-1-1")
    await analytics.close()
    let next = try open(clock: ManualClock(boot: "boot-2"))
    #expect(await next.drain().accepted == 1)
    #expect(fixture.sent[1]["qt"] == "0")
    #expect(fixture.sent[1]["ht"] == nil)
    #expect(try await next.counters[.clockUnknown] == 1)
  }

  @Test(
    "HQ-102, HQ-502: a hit keeps the wall time, age clock, boot and zone of its making; the wire has the stored time")
  func moment() async throws {
    let analytics = try open()
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    let made = fixture.clock.now()
    let connection = try Connection(readingFrom: fixture.directory + "/hits.sqlite3")
    let statement = try connection.prepare(
      "SELECT created, age_clock, boot.uuid, zone.name FROM hit JOIN boot ON boot.id = hit.boot JOIN zone ON zone.id = hit.zone"
    )
    #expect(try statement.step())
    #expect(statement.integer(at: 0) == made.wallMilliseconds)
    #expect(statement.integer(at: 1) == Int64(made.ageClock))
    #expect(statement.blob(at: 2) == Array("boot-1".utf8))
    #expect(statement.text(at: 3) == "UTC")
    statement.reset()
    fixture.clock.setWall(milliseconds: fixture.clock.wallMilliseconds + 5 * Self.hour)
    #expect(await analytics.drain().accepted == 1)
    #expect(fixture.sent[0]["ht"] == "1800000000000")
  }

  @Test("HQ-102: the system's clock tells the device's boot and zone, and an age clock that only goes forward")
  func systemClock() {
    let clock = SystemHitClock()
    let (first, second) = (clock.now(), clock.now())
    #expect(first.boot == second.boot)
    #expect(first.boot.text.utf8.count == 36)
    #expect(first.ageClock <= second.ageClock)
    #expect(first.zone == TimeZone.current.identifier)
    #expect(first.utcOffset == TimeZone.current.secondsFromGMT())
    #expect(!first.isSuspect)
  }
}
