/// A moment's date and clock by the proleptic Gregorian calendar, without a zone of its own.
package struct CivilTime: Sendable, Equatable {
  package let year, month, day: Int
  package let hour, minute, second, millisecond: Int

  /// The date and clock of so many milliseconds since 1970-01-01 00:00.
  package init(millisecondsSince1970 milliseconds: Int64) {
    let (days, rest) = Self.divided(milliseconds, by: 86_400_000)
    (year, month, day) = Self.date(daysSince1970: days)
    (hour, minute) = (Int(rest / 3_600_000), Int(rest / 60_000 % 60))
    (second, millisecond) = (Int(rest / 1_000 % 60), Int(rest % 1_000))
  }

  /// Such as `2026-03-01T09:05:00`; years have four digits at the least.
  package var text: String {
    "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
      + "T\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))"
  }

  /// Such as `2026-03-01T09:05:00.120`.
  package var textWithMilliseconds: String { "\(text).\(millisecond.padded(to: 3))" }

  /// Howard Hinnant's `civil_from_days`: eras of 400 years that begin on 1 March, so that the leap day is a year's last.
  private static func date(daysSince1970 days: Int64) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = divided(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), Int(month), Int(day))
  }

  /// The quotient that is rounded down, and what is left.
  private static func divided(_ number: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
