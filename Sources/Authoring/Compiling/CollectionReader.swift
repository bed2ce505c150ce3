import Hits

/// Reads the text of a value collection: an object as authors write it in JavaScript.
///
///     object = "{" [member ("," member)* [","]] "}"      member = (text | word) ":" value
///     array  = "[" [value ("," value)* [","]] "]"
///     value  = object | array | text | number | "true" | "false" | "null"
///     text   = "'" … "'" | '"' … '"', with the escapes of JavaScript
///
/// Of a key that is given twice the last value counts. Compounds nest at most 32 deep.
struct CollectionReader {
  /// Where the text stops being an object.
  struct Fault: Error, Equatable {
    /// The byte, from 0.
    var offset: Int
  }

  private static let depth = 32
  private let bytes: [UInt8]
  private var position = 0

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// The names and values of a collection.
  static func read(_ text: String) throws(Fault) -> [String: Value] {
    var reader = CollectionReader(text)
    guard case .map(let entries) = try reader.value(depth: depth) else { throw Fault(offset: 0) }
    guard reader.peek() == 0, reader.position == reader.bytes.count else { throw reader.fault }
    return entries
  }

  private var fault: Fault { Fault(offset: position) }

  /// The next byte that is no blank; 0 at the end.
  private mutating func peek() -> UInt8 {
    while position < bytes.count, bytes[position] == 0x20 || 0x09...0x0D ~= bytes[position] { position += 1 }
    return position < bytes.count ? bytes[position] : 0
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character), position < bytes.count else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Fault) -> Value {
    switch peek() {
    case UInt8(ascii: "{"):
      guard depth > 0 else { throw fault }
      return .map(try object(depth: depth - 1))
    case UInt8(ascii: "["):
      guard depth > 0 else { throw fault }
      return .list(try array(depth: depth - 1))
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try text())
    default: return try scalar()
    }
  }

  private mutating func object(depth: Int) throws(Fault) -> [String: Value] {
    var entries: [String: Value] = [:]
    position += 1
    while !skip("}") {
      let key = [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(peek()) ? try text() : try word()
      guard skip(":") else { throw fault }
      entries[key] = try value(depth: depth)
      if !skip(","), peek() != UInt8(ascii: "}") { throw fault }
    }
    return entries
  }

  private mutating func array(depth: Int) throws(Fault) -> [Value] {
    var items: [Value] = []
    position += 1
    while !skip("]") {
      items.append(try value(depth: depth))
      if !skip(","), peek() != UInt8(ascii: "]") { throw fault }
    }
    return items
  }

  /// Letters, digits and what numbers have, up to the next other character.
  private mutating func word() throws(Fault) -> String {
    _ = peek()
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "."), 0x80...:
        position += 1
      default:
        guard position > start else { throw fault }
        return String(decoding: bytes[start..<position], as: UTF8.self)
      }
    }
    throw fault
  }

  private mutating func scalar() throws(Fault) -> Value {
    let start = position
    switch try word() {
    case "true": return true
    case "false": return false
    case "null", "undefined": return .null
    case let number:
      guard let value = try? Value(json: number) else { throw Fault(offset: start) }
      return value
    }
  }

  private mutating func text() throws(Fault) -> String {
    let quote = bytes[position]
    position += 1
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case quote: return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &content)
      case UInt8(ascii: "\n"): throw fault
      default: content.append(byte)
      }
    }
    throw fault
  }

  private mutating func escape(into content: inout [UInt8]) throws(Fault) {
    guard position < bytes.count else { throw fault }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "v"): content.append(0x0B)
    case UInt8(ascii: "0"): content.append(0)
    case UInt8(ascii: "\n"): break  // a line that goes on
    case UInt8(ascii: "x"): content += String(try scalar(digits: 2)).utf8
    case UInt8(ascii: "u"):
      let lead = try codeUnit(digits: 4)
      guard UTF16.isLeadSurrogate(UInt16(lead)),
        bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
      else {
        content += String(Unicode.Scalar(lead) ?? "\u{FFFD}").utf8
        return
      }
      position += 2
      let trail = try codeUnit(digits: 4)
      let isPair = UTF16.isTrailSurrogate(UInt16(trail))
      content +=
        String(isPair ? Unicode.Scalar(0x10000 + (lead & 0x3FF) << 10 + trail & 0x3FF) ?? "\u{FFFD}" : "\u{FFFD}").utf8
    default: content.append(byte)
    }
  }

  private mutating func scalar(digits: Int) throws(Fault) -> Unicode.Scalar {
    Unicode.Scalar(try codeUnit(digits: digits)) ?? "\u{FFFD}"
  }

  private mutating func codeUnit(digits: Int) throws(Fault) -> UInt32 {
    guard position + digits <= bytes.count,
      let unit = UInt32(String(decoding: bytes[position..<position + digits], as: UTF8.self), radix: 16)
    else { throw fault }
    position += digits
    return unit
  }
}
