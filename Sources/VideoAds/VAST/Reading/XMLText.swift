/// A run of text in a document, as a part of its bytes: turned into a string only when somebody asks.
struct XMLText: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case characters
    case section
    case attribute
  }

  let range: Range<Int>
  let kind: Kind
  /// Whether the bytes are the text: no references, line ends or control characters to translate.
  let isPlain: Bool

  /// Whether it was a CDATA section.
  var isSection: Bool { kind == .section }

  /// The text.
  func string(in bytes: [UInt8]) -> String {
    isPlain ? String(decoding: bytes[range], as: UTF8.self) : decoded(in: bytes)
  }

  /// The text without white space at its ends.
  func trimmed(in bytes: [UInt8]) -> String {
    if isPlain { return String(decoding: bytes[ASCII.trimmed(range, in: bytes)], as: UTF8.self) }
    let decoded = Array(decoded(in: bytes).utf8)
    return String(decoding: decoded[ASCII.trimmed(decoded.indices, in: decoded)], as: UTF8.self)
  }

  /// Whether the text is white space only.
  func isBlank(in bytes: [UInt8]) -> Bool {
    isPlain ? ASCII.trimmed(range, in: bytes).isEmpty : trimmed(in: bytes).isEmpty
  }

  private func decoded(in bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "&"), kind != .section,
        let reference = XMLReference(at: position - 1, before: range.upperBound, in: bytes)
      {
        if !reference.isControl { text.append(contentsOf: Character(reference.scalar).utf8) }
        position = reference.end
      } else if byte == 0x0D {
        if position < range.upperBound, bytes[position] == 0x0A { position += 1 }
        text.append(kind == .attribute ? 0x20 : 0x0A)
      } else if byte == 0x09 || byte == 0x0A {
        text.append(kind == .attribute ? 0x20 : byte)
      } else if byte >= 0x20 {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// One attribute of a start tag.
struct XMLAttribute: Sendable {
  /// The name with its prefix.
  let name: Range<Int>
  /// What the name means here.
  let known: DocumentName?
  let value: XMLText
}

/// A character or entity reference that XML itself defines; others stay as they are written.
struct XMLReference {
  let scalar: Unicode.Scalar
  /// The offset behind its semicolon.
  let end: Int

  /// Whether XML forbids the character.
  var isControl: Bool { scalar.value < 0x20 && ![0x09, 0x0A, 0x0D].contains(scalar.value) }

  /// Reads the reference at an ampersand; nil when there is none.
  init?(at ampersand: Int, before limit: Int, in bytes: [UInt8]) {
    let start = ampersand + 1
    var position = start
    while position < limit, position - start <= 10, Self.mayContain(bytes[position]) { position += 1 }
    guard position < limit, bytes[position] == UInt8(ascii: ";") else { return nil }
    end = position + 1
    let name = bytes[start..<position]
    if name.first == UInt8(ascii: "#") {
      let isHex = name.dropFirst().first == UInt8(ascii: "x")
      let digits = name.dropFirst(isHex ? 2 : 1)
      guard let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10),
        let scalar = Unicode.Scalar(value)
      else { return nil }
      self.scalar = scalar
    } else {
      switch String(decoding: name, as: UTF8.self) {
      case "amp": scalar = "&"
      case "lt": scalar = "<"
      case "gt": scalar = ">"
      case "quot": scalar = "\""
      case "apos": scalar = "'"
      default: return nil
      }
    }
  }

  private static func mayContain(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "#")
  }
}

/// The runs of one element's text; most elements have one, and only several are joined.
struct XMLTextPieces {
  private var first: XMLText?
  private var joined: String?
  private(set) var isBlank = true

  mutating func add(_ piece: XMLText, in bytes: [UInt8]) {
    isBlank = isBlank && piece.isBlank(in: bytes)
    if joined != nil {
      // In place: an element may be cut into as many runs as it has bytes.
      joined?.append(piece.string(in: bytes))
    } else if let first {
      joined = first.string(in: bytes) + piece.string(in: bytes)
    } else {
      first = piece
    }
  }

  /// The runs as one text, trimmed.
  func string(in bytes: [UInt8]) -> String {
    if isBlank { return "" }
    guard let joined else { return first?.trimmed(in: bytes) ?? "" }
    let whole = Array(joined.utf8)
    return String(decoding: whole[ASCII.trimmed(whole.indices, in: whole)], as: UTF8.self)
  }
}
