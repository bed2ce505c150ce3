import Foundation

/// The time a server asks to be left alone (HQ-434).
package enum RetryAfter {
  /// Reads `Retry-After`, in seconds or as a date against the answer's own `Date`, clamped to 1 s … 24 h; nil when it is
  /// missing or unreadable.
  package static func read(_ headers: HTTPHeaders) -> Duration? {
    guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
      // More digits than an integer has are more than a day.
      return clamp(Int64(text) ?? .max)
    }
    guard let until = HTTPDate.read(text), let sent = headers["Date"].flatMap(HTTPDate.read) else { return nil }
    return clamp(Int64(min(max(until.timeIntervalSince(sent), 0), 86_400)))
  }

  private static func clamp(_ seconds: Int64) -> Duration { .seconds(min(max(seconds, 1), 86_400)) }
}
