package import Hits

/// An event's data as a page may get it, and its size (WT-404, WT-405).
enum EventData {
  /// How deep data nests.
  static let deepest = 64
  /// The most bytes of an event's data as JSON.
  static let longest = 256 << 10

  /// Cleans data: what JSON has no form for becomes text, `absent` is left out, `__proto__` is dropped at any depth.
  ///
  /// - Returns: nil when the data nests deeper than 64; otherwise the warnings are whole sentences.
  static func clean(_ data: JSONObject, _ warnings: inout [String]) -> JSONObject? {
    guard case .map(let clean)? = clean(.map(data), 0, &warnings) else { return nil }
    return clean
  }

  private static func clean(_ value: Value, _ depth: Int, _ warnings: inout [String]) -> Value? {
    guard depth <= deepest else { return nil }
    switch value {
    case .list(let items):
      var list: [Value] = []
      list.reserveCapacity(items.count)
      for item in items where !item.isAbsent {
        guard let item = clean(item, depth + 1, &warnings) else { return nil }
        list.append(item)
      }
      return .list(list)
    case .map(let entries):
      var map = [String: Value](minimumCapacity: entries.count)
      for (key, entry) in entries where !entry.isAbsent {
        if key == "__proto__" {
          warnings.append("the key __proto__ is left out")
          continue
        }
        guard let entry = clean(entry, depth + 1, &warnings) else { return nil }
        map[key] = entry
      }
      return .map(map)
    default: return value.forPage
    }
  }
}

/// JSON text for a page: U+2028 and U+2029, which older engines take for line ends, are escaped (WT-423).
package enum PageJSON {
  static func text(_ value: Value) -> String { text(value.jsonBytes) }

  static func text(_ json: [UInt8]) -> String {
    guard json.contains(0xE2) else { return String(decoding: json, as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(json.count + 16)
    var index = 0
    while index < json.count {
      if json[index] == 0xE2, index + 2 < json.count, json[index + 1] == 0x80, json[index + 2] & 0xFE == 0xA8 {
        text += Array((json[index + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8)
        index += 3
      } else {
        text.append(json[index])
        index += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// JSON that may stand inside a script element: `<`, `>` and `&` are escaped too (WT-205).
  package static func inScript(_ value: Value) -> String {
    var text = ""
    for scalar in self.text(value).unicodeScalars {
      switch scalar {
      case "<": text += "\\u003c"
      case ">": text += "\\u003e"
      case "&": text += "\\u0026"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
