package import Foundation

/// A date of HTTP's fields.
package enum HTTPDate {
  /// Reads a date in any of the three forms of RFC 9110 (5.6.7), and in the form with a full year and dashes that
  /// cookies have; nil when it is none.
  package static func read(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    // A year of two letters reads four digits as well, but not the other way round.
    for format in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"] {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}
