import Foundation
import Hits

/// The moments from which hits are late, day by day (HQ-510 to HQ-513).
///
/// Days follow the calendar of the zone: where 04:00 does not exist the first instant after it counts, where it exists
/// twice the first. What was worked out for a day is kept, for hits in a row were mostly made on the same.
struct LatenessCalendar {
  private struct Day {
    var zone: String
    /// Wall milliseconds.
    var span: Range<Int64>
    var deadline: Int64
  }

  private let rule: LatenessRule
  private let reportZone: String?
  private var day: Day?

  init(_ terms: DeliveryTerms) {
    rule = terms.lateness
    reportZone = terms.reportZone
  }

  /// No day is so short that what was made in the last hour can be late by it.
  private static let neverLate: Int64 = 3_600_000
  /// The bound of the four-hour rule in milliseconds.
  static let fourHours: Int64 = 14_400_000

  /// Whether a hit is late; one whose age nobody knows is not.
  mutating func isLate(_ hit: QueuedHit, at now: HitTime) -> Bool {
    guard rule != .none, hit.isAgeKnown(at: now) else { return false }
    let age = hit.created.age(at: now)
    switch rule {
    case .none: return false
    case .fourHours: return age > Self.fourHours
    case .maxAge(let longest): return age / 1_000 > longest.components.seconds
    case .nextDay4AM:
      guard age >= Self.neverLate else { return false }
      let (occurred, overflow) = now.wallMilliseconds.subtractingReportingOverflow(age)
      guard !overflow, let deadline = deadline(occurred: occurred, zone: hit.created.zone) else { return false }
      return now.wallMilliseconds >= deadline
    }
  }

  /// How long a hit of a certain age has until it is late, in milliseconds; nil when it never is, or is already.
  mutating func timeLeft(age: Int64, zone: String, at wall: Int64) -> Int64? {
    let left: Int64?
    switch rule {
    case .none: left = nil
    case .fourHours: left = Self.fourHours - age
    case .maxAge(let longest):
      left = max(0, longest.wholeMilliseconds) - age
    case .nextDay4AM:
      let (occurred, overflow) = wall.subtractingReportingOverflow(age)
      left = overflow ? nil : deadline(occurred: occurred, zone: zone).map { $0 - wall }
    }
    return left.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The first late moment of what occurred at a wall time, in milliseconds; nil for times that no calendar has.
  mutating func deadline(occurred: Int64, zone name: String) -> Int64? {
    guard 0...253_402_300_799_999 ~= occurred else { return nil }
    let zone = reportZone ?? name
    if let day, day.zone == zone, day.span.contains(occurred) { return day.deadline }
    day = Self.day(of: occurred, zone: zone)
    return day?.deadline
  }

  private static func day(of occurred: Int64, zone name: String) -> Day? {
    var calendar = Calendar(identifier: .gregorian)
    // A zone that the system does not know is read as the world's.
    calendar.timeZone = TimeZone(identifier: name) ?? .gmt
    let moment = Date(timeIntervalSince1970: Double(occurred) / 1_000)
    var noon = calendar.dateComponents([.year, .month, .day], from: moment)
    // Noon exists on every day, once.
    noon.hour = 12
    noon.day = (noon.day ?? 1) + 1
    guard let span = calendar.dateInterval(of: .day, for: moment), let tomorrow = calendar.date(from: noon),
      let deadline = calendar.date(
        bySettingHour: 4, minute: 0, second: 0, of: tomorrow, matchingPolicy: .nextTime, repeatedTimePolicy: .first)
    else { return nil }
    let start = milliseconds(span.start)
    return Day(zone: name, span: start..<max(start + 1, milliseconds(span.end)), deadline: milliseconds(deadline))
  }

  private static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000).rounded()) }
}
