import Hits
import VideoAds

/// A record as one line of JSON (VA-1502).
enum PlayJSON {
  static func tree(of record: PlayRecord) -> JSONTree {
    .object([
      ("t", .seconds(milliseconds: record.time)), ("content", .seconds(milliseconds: record.content)),
      ("ad", .seconds(milliseconds: record.ad)), ("type", .text(record.kind.rawValue)), ("name", .text(record.name)),
      ("break", .number(record.breakIndex)), ("adIndex", .number(record.adIndex)),
      ("url", .text(record.url.map(PrintedURL.text))),
      ("code", .number(record.code)),
    ])
  }
}

/// A record as one line of a table.
enum PlayText {
  static let head =
    "      time   content        ad  break  ad  what"

  static func line(of record: PlayRecord) -> String {
    let place =
      padded(record.breakIndex.map { String($0) } ?? "-", 5) + "  "
      + padded(record.adIndex.map { String($0) } ?? "-", 2)
    let code = record.code.map { " \($0)" } ?? ""
    let detail = record.detail.map { ": \($0)" } ?? ""
    let url = record.url.map { "  \(PrintedURL.shortText($0))" } ?? ""
    return VisibleText.text(
      [time(record.time), time(record.content), time(record.ad), place].joined(separator: "")
        + "  \(mark(of: record.kind))\(record.name)\(code)\(detail)\(url)")
  }

  private static func mark(of kind: PlayRecord.Kind) -> String {
    switch kind {
    case .event: ""
    case .content: "CONTENT "
    case .beacon: "→ "
    case .overlay: "overlay: "
    case .error: "ERROR "
    case .state: "state: "
    }
  }

  /// Seconds to the millisecond, in ten columns.
  private static func time(_ milliseconds: Int64?) -> String {
    guard let milliseconds else { return padded("-", 10) }
    return padded("\(milliseconds / 1_000).\((milliseconds % 1_000).padded(to: 3))", 10)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
