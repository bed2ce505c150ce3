import Hits

/// A JSON document whose keys keep the order they are written in.
indirect enum JSONTree: Sendable {
  case object([(key: String, value: JSONTree)])
  case list([JSONTree])
  case value(Value)

  static let null = JSONTree.value(.null)

  static func text(_ text: String?) -> JSONTree { .value(text.map { .string($0) } ?? .null) }

  static func number(_ number: Int?) -> JSONTree { .value(number.map { .int(Int64($0)) } ?? .null) }

  /// Seconds, to the millisecond.
  static func seconds(_ seconds: Double?) -> JSONTree {
    .value(seconds.map { .double(($0 * 1_000).rounded() / 1_000) } ?? .null)
  }

  /// Milliseconds as seconds.
  static func seconds(milliseconds: Int64?) -> JSONTree { seconds(milliseconds.map { Double($0) / 1_000 }) }

  static func flag(_ flag: Bool) -> JSONTree { .value(.bool(flag)) }

  static func texts(_ texts: [String]) -> JSONTree { .list(texts.map { text($0) }) }

  /// The document in one line, safe to print.
  var line: String {
    switch self {
    case .value(let value): VisibleText.json(value.jsonText)
    case .list(let items): "[" + items.map(\.line).joined(separator: ",") + "]"
    case .object(let entries):
      "{" + entries.map { Value.string($0.key).jsonText + ":" + $0.value.line }.joined(separator: ",") + "}"
    }
  }
}
