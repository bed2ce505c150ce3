/// A date of a property list as ISO 8601 text in UTC, to the second (TM-131).
enum PropertyListDate {
  /// The text of seconds since 2001-01-01 UTC; nil outside the years 0001 to 9999.
  static func text(secondsSince2001 seconds: Double) -> String? {
    guard seconds.isFinite, -63_113_904_000..<252_423_993_600 ~= seconds else { return nil }
    let whole = Int(seconds.rounded(.down))
    let (days, second) = whole.quotientAndRemainder(dividingBy: 86_400)
    let (day, time) = second < 0 ? (days - 1, second + 86_400) : (days, second)
    let (year, month, dayOfMonth) = civil(daysSince1970: day + 11_323)
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(dayOfMonth, 2))"
      + "T\(digits(time / 3_600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))Z"
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  /// The date of a day number in the Gregorian calendar, counted in cycles of 400 years from 0000-03-01.
  private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfCycle = shifted - cycle * 146_097
    let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
