/// Reads JSON text (RFC 8259) onto a tape of nodes: one pass, no recursion, no text copied.
///
///     value  = null | false | true | number | text | array | object
///     number = -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
///     text   = " (byte from 0x20 but " and \ | \ escape)* "
///
/// White space between the parts is blank, tab, line feed and carriage return. Texts must be UTF-8. A byte order mark
/// is not JSON; who may skip one gives the place after it as `start`.
struct JSONReader {
  private let input: UnsafeBufferPointer<UInt8>
  private let limits: JSONLimits
  private var position: Int
  private var open: [Int] = []
  private(set) var nodes: [JSONNode] = []

  init(_ input: UnsafeBufferPointer<UInt8>, from start: Int, limits: JSONLimits) {
    self.input = input
    self.limits = limits
    position = start
    // Room for a small document at once; a large one grows as it is read.
    nodes.reserveCapacity(min(input.count / 8, 64))
  }

  mutating func read() throws(JSONError) {
    guard input.count <= limits.bytes else {
      throw JSONError(.tooLarge, at: limits.bytes, "The JSON text is larger than \(limits.bytes) bytes.")
    }
    while true {
      skipWhiteSpace()
      switch byte {
      case UInt8(ascii: "\""): try readText()
      case UInt8(ascii: "{"):
        try begin(.object)
        skipWhiteSpace()
        guard byte == UInt8(ascii: "}") else {
          try readKey()
          continue
        }
        end()
      case UInt8(ascii: "["):
        try begin(.array)
        skipWhiteSpace()
        guard byte == UInt8(ascii: "]") else { continue }
        end()
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
      case UInt8(ascii: "t"): try readWord("true", .true)
      case UInt8(ascii: "f"): try readWord("false", .false)
      case UInt8(ascii: "n"): try readWord("null", .null)
      default: throw unexpected("A value is expected here.")
      }
      if try isAtEnd() { return }
    }
  }

  /// Goes on after a value: ends what it completes and stands before the next value, or finds the end of the input.
  private mutating func isAtEnd() throws(JSONError) -> Bool {
    while true {
      skipWhiteSpace()
      guard let parent = open.last else {
        guard position == input.count else {
          throw JSONError(.trailingContent, at: position, "Something follows the end of the JSON value.")
        }
        return true
      }
      let isObject = nodes[parent].kind == .object
      switch byte {
      case UInt8(ascii: ","):
        position += 1
        if isObject {
          skipWhiteSpace()
          try readKey()
        }
        return false
      case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject: end()
      default: throw unexpected(isObject ? "A comma or } is expected here." : "A comma or ] is expected here.")
      }
    }
  }

  /// The byte to read next; 0, which is legal nowhere, after the last one.
  private var byte: UInt8 { position < input.count ? input[position] : 0 }

  private mutating func skipWhiteSpace() {
    while true {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
      default: return
      }
    }
  }

  private mutating func append(_ kind: JSONNode.Kind, offset: Int, extent: Int = 0) throws(JSONError) {
    guard nodes.count < limits.nodes else {
      throw JSONError(.tooMany, at: offset, "There are more than \(limits.nodes) values.")
    }
    nodes.append(JSONNode(kind, offset: offset, extent: extent))
  }

  private mutating func begin(_ kind: JSONNode.Kind) throws(JSONError) {
    guard open.count < limits.depth else {
      throw JSONError(.tooDeep, at: position, "Arrays and objects nest deeper than \(limits.depth).")
    }
    open.append(nodes.count)
    try append(kind, offset: position)
    position += 1
  }

  private mutating func end() {
    position += 1
    guard let index = open.popLast() else { return }
    nodes[index] = JSONNode(nodes[index].kind, offset: nodes[index].offset, extent: nodes.count)
  }

  private mutating func readKey() throws(JSONError) {
    guard byte == UInt8(ascii: "\"") else { throw unexpected("A key in quotes is expected here.") }
    try readText()
    skipWhiteSpace()
    guard byte == UInt8(ascii: ":") else { throw unexpected("A colon is expected here.") }
    position += 1
  }

  private mutating func readText() throws(JSONError) {
    position += 1
    let start = position
    var hasEscape = false
    while true {
      skipPlainText()
      switch byte {
      case UInt8(ascii: "\""):
        try checkTextSize(from: start)
        try append(hasEscape ? .escapedText : .text, offset: start, extent: position - start)
        position += 1
        return
      case UInt8(ascii: "\\"):
        hasEscape = true
        try readEscape()
      case 0x80...:
        guard let length = UTF8Sequence.length(in: input, at: position) else {
          throw JSONError(.invalidUTF8, at: position, "The text is not UTF-8.")
        }
        position += length
      default: throw unexpected("A text ends with a quote; control characters in it are written as escapes.")
      }
    }
  }

  private func checkTextSize(from start: Int) throws(JSONError) {
    guard position - start <= limits.textBytes else {
      throw JSONError(.textTooLarge, at: start, "A text is larger than \(limits.textBytes) bytes.")
    }
  }

  /// Skips bytes from 0x20 to 0x7F but the quote and the backslash, eight at a time while there are eight.
  private mutating func skipPlainText() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops = ones << 7
    let raw = UnsafeRawBufferPointer(input)
    while position + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let quote = word ^ ones &* UInt64(UInt8(ascii: "\""))
      let backslash = word ^ ones &* UInt64(UInt8(ascii: "\\"))
      let control = word &- ones &* 0x20
      let zeros = (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
      guard (zeros | control | word) & tops == 0 else { break }
      position += 8
    }
    while position < input.count {
      switch input[position] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), ..<0x20, 0x80...: return
      default: position += 1
      }
    }
  }

  private mutating func readEscape() throws(JSONError) {
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard HexDigits.value(of: byte) != nil else { throw unexpected("\\u takes four hexadecimal digits.") }
        position += 1
      }
    default: throw unexpected("There is no such escape.")
    }
  }

  private mutating func readNumber() throws(JSONError) {
    let start = position
    if byte == UInt8(ascii: "-") { position += 1 }
    if byte == UInt8(ascii: "0") { position += 1 } else { try skipDigits() }
    if byte == UInt8(ascii: ".") {
      position += 1
      try skipDigits()
    }
    let mantissaEnd = position
    if byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
    try checkTextSize(from: start)
    // Only an exponent or more than 308 digits can leave the range of a double.
    if position > mantissaEnd || position - start > 308 {
      let digits = UnsafeBufferPointer(rebasing: input[start..<position])
      guard Double(String(decoding: digits, as: UTF8.self))?.isFinite == true else {
        throw JSONError(.numberOutOfRange, at: start, "The number is beyond what a double can hold.")
      }
    }
    try append(.number, offset: start, extent: position - start)
  }

  private mutating func skipDigits() throws(JSONError) {
    let start = position
    while UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
    guard position > start else { throw unexpected("A digit is expected here.") }
  }

  private mutating func readWord(_ word: StaticString, _ kind: JSONNode.Kind) throws(JSONError) {
    let start = position
    for expected in UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) {
      guard byte == expected else { throw unexpected("A value is expected here.") }
      position += 1
    }
    try append(kind, offset: start)
  }

  private func unexpected(_ message: String) -> JSONError {
    position < input.count
      ? JSONError(.syntax, at: position, message)
      : JSONError(.unexpectedEnd, at: position, "The JSON text ends inside a value.")
  }
}
