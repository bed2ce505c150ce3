import Foundation

/// Times as people read and type them, in UTC.
enum TimeText {
  /// Such as `2027-01-31 12:00:05`.
  static func text(_ milliseconds: Int64) -> String {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    return date.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: "")
  }

  /// What an input for a date and a time has, such as `2027-01-31T12:00`.
  static func input(_ milliseconds: Int64) -> String {
    String(text(milliseconds).replacing(" ", with: "T").prefix(16))
  }

  /// Reads what somebody typed there; nil for anything else.
  static func milliseconds(ofInput text: String) -> Int64? {
    let whole = text.utf8.count == 16 ? text + ":00Z" : text + "Z"
    guard let date = try? Date(whole, strategy: .iso8601) else { return nil }
    return Int64((date.timeIntervalSince1970 * 1000).rounded())
  }

  /// An element that a script can show in the reader's own zone.
  static func html(_ milliseconds: Int64) -> HTML {
    let text = text(milliseconds)
    return element(
      "time", Attribute("datetime", text.replacing(" ", with: "T") + "Z"), Attribute("title", text + " UTC"),
      text: text + " UTC"
    )
  }
}
