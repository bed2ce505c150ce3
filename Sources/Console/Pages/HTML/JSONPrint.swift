import Hits

/// JSON in lines for people, keys in byte order.
enum JSONPrint {
  static func text(_ value: Value) -> String {
    var text = ""
    write(value, "", into: &text)
    return text
  }

  /// An import bounds how deep a value nests.
  private static func write(_ value: Value, _ indent: String, into text: inout String) {
    let inner = indent + "  "
    switch value {
    case .list(let items) where !items.isEmpty:
      text += "["
      for (index, item) in items.enumerated() {
        text += (index == 0 ? "\n" : ",\n") + inner
        write(item, inner, into: &text)
      }
      text += "\n\(indent)]"
    case .map(let entries) where !entries.isEmpty:
      text += "{"
      for (index, entry) in entries.sorted(by: { $0.key.precedesInBytes($1.key) }).enumerated() {
        text += (index == 0 ? "\n" : ",\n") + inner + Value.string(entry.key).jsonText + ": "
        write(entry.value, inner, into: &text)
      }
      text += "\n\(indent)}"
    default: text += value.jsonText
    }
  }
}
