import Hits

/// A date of a property list as ISO 8601 text in UTC, to the second (TM-131).
enum PropertyListDate {
  /// The text of seconds since 2001-01-01 UTC; nil outside the years 0001 to 9999.
  static func text(secondsSince2001 seconds: Double) -> String? {
    guard seconds.isFinite, -63_113_904_000..<252_423_993_600 ~= seconds else { return nil }
    let whole = Int64(seconds.rounded(.down)) + 978_307_200
    return CivilTime(millisecondsSince1970: whole * 1_000).text + "Z"
  }
}
