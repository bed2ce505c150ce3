import Hits

/// The tags and texts of an XML property list, one after another; only as much of XML as such lists use.
struct XMLScanner {
  /// A tag without its attributes, which have no meaning.
  struct Tag {
    enum Kind { case opening, closing, empty }

    var name: String
    var kind: Kind

    func isOpening(_ name: String) -> Bool { kind == .opening && self.name == name }
    func isClosing(_ name: String) -> Bool { kind == .closing && self.name == name }
  }

  private let bytes: [UInt8]
  private let limits: DecodeLimits
  private(set) var position: Int

  init(_ bytes: [UInt8], from start: Int, limits: DecodeLimits) {
    self.bytes = bytes
    self.limits = limits
    position = start
  }

  /// The next tag; between tags there may be blanks, comments, declarations and a document type.
  mutating func nextTag() throws(DecodingFault) -> Tag {
    while true {
      skipBlanks()
      guard byte == UInt8(ascii: "<") else { throw damaged("a tag is expected") }
      if skip("<?") {
        try skip(past: "?>")
      } else if skip("<!--") {
        try skip(past: "-->")
      } else if skip("<!DOCTYPE") {
        try skipDocumentType()
      } else {
        return try readTag()
      }
    }
  }

  /// The text up to the closing tag of an element, which is read too.
  mutating func readText(until name: String) throws(DecodingFault) -> String {
    var text: [UInt8] = []
    while true {
      let start = position
      while position < bytes.count, bytes[position] != UInt8(ascii: "<"), bytes[position] != UInt8(ascii: "&") {
        position += 1
      }
      text += bytes[start..<position]
      guard text.count <= limits.textBytes else { throw .textTooLarge(limit: limits.textBytes, at: "byte \(start)") }
      if byte == UInt8(ascii: "&") {
        text += String(try readReference()).utf8
      } else if skip("<!--") {
        try skip(past: "-->")
      } else if skip("<![CDATA[") {
        let content = position
        try skip(past: "]]>")
        text += bytes[content..<position - 3]
      } else {
        guard byte == UInt8(ascii: "<"), try readTag().isClosing(name) else { throw damaged("</\(name)> is missing") }
        return try string(text, at: start)
      }
    }
  }

  /// Makes sure that nothing but comments and blanks follows.
  mutating func finish() throws(DecodingFault) {
    skipBlanks()
    while skip("<!--") {
      try skip(past: "-->")
      skipBlanks()
    }
    guard position == bytes.count else { throw damaged("something follows its end") }
  }

  func damaged(_ what: String) -> DecodingFault {
    DecodingFault(
      .malformedPropertyList, "The property list is damaged: \(what); write it again.", at: "byte \(position)")
  }

  private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipBlanks() {
    while byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  private mutating func skip(_ word: StaticString) -> Bool {
    let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[position...].starts(with: word) else { return false }
    position += word.count
    return true
  }

  private mutating func skip(past word: StaticString) throws(DecodingFault) {
    while position < bytes.count {
      if skip(word) { return }
      position += 1
    }
    throw damaged("\(word) is missing")
  }

  /// Skips a document type with its internal declarations, unread.
  private mutating func skipDocumentType() throws(DecodingFault) {
    while position < bytes.count {
      if skip("[") {
        try skip(past: "]")
      } else if skip(">") {
        return
      } else {
        position += 1
      }
    }
    throw damaged("the document type has no end")
  }

  private mutating func readTag() throws(DecodingFault) -> Tag {
    position += 1
    let isClosing = byte == UInt8(ascii: "/")
    if isClosing { position += 1 }
    let start = position
    while UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20, position - start < 16 { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    guard !name.isEmpty else { throw damaged("a tag has no name") }
    while position < bytes.count, byte != UInt8(ascii: ">") { position += 1 }
    guard byte == UInt8(ascii: ">") else { throw damaged("a tag has no end") }
    let isEmpty = bytes[position - 1] == UInt8(ascii: "/")
    position += 1
    return Tag(name: name, kind: isClosing ? .closing : isEmpty ? .empty : .opening)
  }

  /// A reference to one of the five names, or to a character by number.
  private mutating func readReference() throws(DecodingFault) -> Unicode.Scalar {
    position += 1
    for (name, scalar) in Self.references where skip(name) { return scalar }
    guard skip("#") else { throw damaged("an entity is unknown") }
    let radix = byte == UInt8(ascii: "x") ? 16 : 10
    if radix == 16 { position += 1 }
    let start = position
    while byte != UInt8(ascii: ";"), byte != 0, position - start < 8 { position += 1 }
    let digits = String(decoding: bytes[start..<position], as: UTF8.self)
    guard byte == UInt8(ascii: ";"), let code = UInt32(digits, radix: radix), let scalar = Unicode.Scalar(code) else {
      throw damaged("a character reference is wrong")
    }
    position += 1
    return scalar
  }

  private static let references: [(StaticString, Unicode.Scalar)] = [
    ("lt;", "<"), ("gt;", ">"), ("amp;", "&"), ("quot;", "\""), ("apos;", "'"),
  ]

  private func string(_ text: [UInt8], at start: Int) throws(DecodingFault) -> String {
    guard UTF8Sequence.areValid(text) else {
      throw DecodingFault(.invalidUTF8, "A text is not UTF-8; write the file again.", at: "byte \(start)")
    }
    return String(decoding: text, as: UTF8.self)
  }
}
