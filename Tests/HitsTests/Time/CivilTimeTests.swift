import Foundation
import Hits
import Testing

@Suite("Civil time")
struct CivilTimeTests {
  @Test(
    "Moments have their date and clock",
    arguments: [
      (0, "1970-01-01T00:00:00.000"), (-1, "1969-12-31T23:59:59.999"), (951_782_400_000, "2000-02-29T00:00:00.000"),
      (4_107_542_399_999, "2100-02-28T23:59:59.999"), (4_107_542_400_000, "2100-03-01T00:00:00.000"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000"), (253_402_300_799_999, "9999-12-31T23:59:59.999"),
      (784_111_777_042, "1994-11-06T08:49:37.042"),
    ])
  func moments(milliseconds: Int64, text: String) {
    #expect(CivilTime(millisecondsSince1970: milliseconds).textWithMilliseconds == text)
  }

  @Test("Every day of 800 years is the calendar's day")
  func days() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "GMT"))
    // 1600 to 2400: before 1582 Foundation's calendar is the Julian one.
    for day in stride(from: Int64(-135_140), to: 157_055, by: 1) {
      let civil = CivilTime(millisecondsSince1970: day * 86_400_000)
      let date = Date(timeIntervalSince1970: Double(day) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      guard civil.year != parts.year || civil.month != parts.month || civil.day != parts.day else { continue }
      Issue.record("\(civil.text) is \(parts)")
      return
    }
  }
}
