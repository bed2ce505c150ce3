import Foundation
import Hits
import Testing

@testable import HitQueue

@Suite struct LatenessCalendarTests {
  private static let boot = BootID("6b1f0c2e-0000-4000-8000-000000000001")

  /// The hit of a wall time, and the moment some milliseconds later.
  private func isLate(_ terms: DeliveryTerms, occurred: Int64, zone: String, at wall: Int64) -> Bool {
    let created = HitTime(wallMilliseconds: occurred, ageClock: 0, boot: Self.boot, zone: zone)
    let now = HitTime(
      wallMilliseconds: wall, ageClock: UInt64(wall - occurred) * 1_000_000, boot: Self.boot, zone: "Pacific/Auckland")
    var calendar = LatenessCalendar(terms)
    return calendar.isLate(QueuedHit(id: HitID(), sequence: 1, created: created, body: []), at: now)
  }

  static let table: [(zone: String, occurred: Int64, deadline: String)] = [
    ("Asia/Ho_Chi_Minh", 1_768_496_340_000, "2026-01-15T21:00:00Z"),
    ("Asia/Ho_Chi_Minh", 1_768_496_400_000, "2026-01-16T21:00:00Z"),
    ("America/New_York", 1_772_945_940_000, "2026-03-08T08:00:00Z"),
    ("America/New_York", 1_772_946_000_000, "2026-03-09T08:00:00Z"),
    ("America/New_York", 1_793_505_540_000, "2026-11-01T09:00:00Z"),
    ("America/New_York", 1_793_505_600_000, "2026-11-02T09:00:00Z"),
    ("America/New_York", 1_793_511_000_000, "2026-11-02T09:00:00Z"),
    ("America/New_York", 1_793_514_600_000, "2026-11-02T09:00:00Z"),
    ("Europe/Berlin", 1_774_738_740_000, "2026-03-29T02:00:00Z"),
    ("Europe/Berlin", 1_792_879_200_000, "2026-10-26T03:00:00Z"),
    ("America/Santiago", 1_788_667_200_000, "2026-09-07T07:00:00Z"),
    ("Asia/Kolkata", 1_798_741_799_000, "2026-12-31T22:30:00Z"),
  ]

  @Test("HQ-510, HQ-513, HQ-1211: late from 04:00 of the next day on, by the zone's calendar", arguments: table)
  func nextMorning(zone: String, occurred: Int64, deadline: String) throws {
    let instant = try Int64(Date(deadline, strategy: .iso8601).timeIntervalSince1970) * 1_000
    let terms = DeliveryTerms(lateness: .nextDay4AM, latePolicy: .send)
    #expect(!isLate(terms, occurred: occurred, zone: zone, at: instant - 1))
    #expect(isLate(terms, occurred: occurred, zone: zone, at: instant))
    var calendar = LatenessCalendar(terms)
    let left = calendar.timeLeft(age: 1_000, zone: zone, at: occurred + 1_000)
    #expect(left == instant - occurred - 1_000)
    let none = calendar.timeLeft(age: instant - occurred, zone: zone, at: instant)
    #expect(none == nil)
  }

  @Test("HQ-803: any lateness that a protocol names can be counted with", arguments: [Int64.max, .min])
  func anyLateness(seconds: Int64) {
    var calendar = LatenessCalendar(DeliveryTerms(lateness: .maxAge(.seconds(seconds)), latePolicy: .send))
    let left = calendar.timeLeft(age: 1_000, zone: "UTC", at: 1_800_000_000_000)
    let expected: Int64? = seconds > 0 ? .max - 1_000 : nil
    #expect(left == expected)
    calendar = LatenessCalendar(DeliveryTerms(lateness: .nextDay4AM, latePolicy: .send))
    let none = calendar.timeLeft(age: .max, zone: "UTC", at: -2)
    #expect(none == nil)
  }

  @Test("HQ-512: the report's zone counts where there is one, else that of the hit, and never the device's of now")
  func reportZone() {
    // 23:59 in Ho Chi Minh City is 17:59 in Berlin: ten hours more.
    let berlin = DeliveryTerms(lateness: .nextDay4AM, latePolicy: .send, reportZone: "Europe/Berlin")
    var calendar = LatenessCalendar(berlin)
    let deadline = calendar.deadline(occurred: 1_768_496_340_000, zone: "Asia/Ho_Chi_Minh")
    #expect(deadline == 1_768_532_400_000)
  }

  @Test("HQ-511: more than four hours are late, whatever the day")
  func fourHours() {
    let terms = DeliveryTerms(lateness: .fourHours, latePolicy: .send)
    #expect(!isLate(terms, occurred: 1_768_496_340_000, zone: "UTC", at: 1_768_496_340_000 + 14_400_000))
    #expect(isLate(terms, occurred: 1_768_496_340_000, zone: "UTC", at: 1_768_496_340_000 + 14_400_001))
  }

  @Test("HQ-500, HQ-545: a wall clock that steps makes nothing late; an age that nobody knows is not late")
  func steps() {
    let created = HitTime(wallMilliseconds: 1_768_496_340_000, ageClock: 5, boot: Self.boot, zone: "UTC")
    let later = HitTime(wallMilliseconds: 1_768_496_340_000 + 30 * 86_400_000, ageClock: 6, boot: Self.boot)
    let other = HitTime(wallMilliseconds: 1_768_496_340_000 + 30 * 86_400_000, ageClock: 6, boot: BootID("other"))
    let hit = QueuedHit(id: HitID(), sequence: 1, created: created, body: [])
    let suspect = QueuedHit(id: HitID(), sequence: 1, created: created, isClockSuspect: true, body: [])
    for rule in [LatenessRule.fourHours, .nextDay4AM, .maxAge(.seconds(60))] {
      var calendar = LatenessCalendar(DeliveryTerms(lateness: rule, latePolicy: .send))
      let late = [
        calendar.isLate(hit, at: later), calendar.isLate(hit, at: other), calendar.isLate(suspect, at: other),
      ]
      #expect(late == [false, true, false])
    }
  }
}
