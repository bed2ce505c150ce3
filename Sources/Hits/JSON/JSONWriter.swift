/// Writes compact JSON whose bytes depend on nothing but the values.
///
/// For whole values there is `Value.jsonBytes`; a writer serves documents that are put together from parts.
package struct JSONWriter {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// A compound that is being written; the next item of the innermost one comes first.
  private enum Frame {
    case list(ArraySlice<Value>)
    case map(ArraySlice<(key: String, value: Value)>)
  }

  /// Writes a value of any depth.
  package mutating func write(_ value: Value) {
    var frames: [Frame] = []
    begin(value, &frames)
    while let frame = frames.popLast() {
      switch frame {
      case .list(var items):
        guard let item = items.popFirst() else {
          put("]")
          continue
        }
        if bytes.last != UInt8(ascii: "[") { put(",") }
        frames.append(.list(items))
        begin(item, &frames)
      case .map(var entries):
        guard let entry = entries.popFirst() else {
          put("}")
          continue
        }
        if bytes.last != UInt8(ascii: "{") { put(",") }
        frames.append(.map(entries))
        write(entry.key)
        put(":")
        begin(entry.value, &frames)
      }
    }
  }

  /// Writes a scalar, or the opening of a compound whose content is then still to be written.
  private mutating func begin(_ value: Value, _ frames: inout [Frame]) {
    switch value {
    case .string(let text): write(text)
    case .int(let number): put(String(number))
    case .double(let number): put(number.isFinite ? NumberText.text(number) : "null")
    case .bool(let flag): put(flag ? "true" : "false")
    case .null, .absent: put("null")
    case .list(let items):
      put("[")
      frames.append(.list(items.filter { !$0.isAbsent }[...]))
    case .map(let entries):
      put("{")
      let present = entries.filter { !$0.value.isAbsent }.map { (key: $0.key, value: $0.value) }
      frames.append(.map(present.sorted { $0.key.precedesInBytes($1.key) }[...]))
    }
  }

  /// Writes a text in quotes.
  package mutating func write(_ text: String) {
    put("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): put("\\\"")
      case UInt8(ascii: "\\"): put("\\\\")
      case 0x08: put("\\b")
      case 0x0C: put("\\f")
      case 0x0A: put("\\n")
      case 0x0D: put("\\r")
      case 0x09: put("\\t")
      case ..<0x20:
        put("\\u00")
        bytes.append(HexDigits.lower(byte >> 4))
        bytes.append(HexDigits.lower(byte & 15))
      default: bytes.append(byte)
      }
    }
    put("\"")
  }

  /// Writes characters as they are, such as a bracket.
  package mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes what is JSON already.
  package mutating func put(_ json: [UInt8]) { bytes += json }
}
