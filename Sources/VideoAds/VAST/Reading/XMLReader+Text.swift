/// Characters, CDATA sections, comments and instructions.
extension XMLReader {
  /// Whether the byte begins markup rather than being text (VA-320 xml.lessThan, xml.cdata).
  func isMarkup(at offset: Int) -> Bool {
    guard bytes[offset] == UInt8(ascii: "<"), offset + 1 < bytes.count else { return false }
    let byte = bytes[offset + 1]
    if Self.beginsName(byte) { return true }
    return byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
      || matches("<[CDATA[", at: offset)
  }

  mutating func readMarkup() -> Token? {
    switch bytes[position + 1] {
    case UInt8(ascii: "/"): return readEndTag()
    case UInt8(ascii: "?"):
      report("xml.prolog", .repair, "A processing instruction is skipped.")
      skip(past: "?>", from: position + 2)
      return nil
    case UInt8(ascii: "!"):
      if matches("<![CDATA[", at: position) { return readSection(from: position + 9) }
      if matches("<!--", at: position) { skipComment() } else { skipDeclaration() }
      return nil
    case UInt8(ascii: "[") where matches("<[CDATA[", at: position): return readMendedSection(from: position + 8)
    case UInt8(ascii: "C") where matches("<CDATA[", at: position): return readMendedSection(from: position + 7)
    default: return readStartTag()
    }
  }

  mutating func readCharacters() -> XMLText {
    let start = position
    let end = bytes.count
    var at = start
    var isPlain = true
    while at < end {
      let byte = bytes[at]
      if byte > 0x3C {
        at += 1
      } else if byte == UInt8(ascii: "<") {
        if isMarkup(at: at) { break }
        report("xml.lessThan", .repair, "A < that begins no tag is text.", at: at)
        at += 1
      } else if byte == UInt8(ascii: "&") {
        isPlain = false
        at = checkReference(at: at)
      } else {
        if byte < 0x20, byte != 0x0A, byte != 0x09 {
          isPlain = false
          checkControl(byte, at: at)
        }
        at += 1
      }
    }
    return finishText(start..<at, .characters, isPlain: isPlain, continuingAt: at)
  }

  private mutating func readMendedSection(from start: Int) -> Token? {
    report("xml.cdata", .repair, "A CDATA section lacks a part of <![CDATA[.")
    return readSection(from: start)
  }

  /// Reads a CDATA section whose text begins at an offset.
  private mutating func readSection(from start: Int) -> Token? {
    var at = start
    var isPlain = true
    while at < bytes.count {
      let byte = bytes[at]
      if byte == UInt8(ascii: "]") {
        if matches("]]>", at: at) {
          let text = finishText(start..<at, .section, isPlain: isPlain, continuingAt: at + 3)
          return isDelivering ? .text(text) : nil
        }
      } else if byte < 0x20, byte != 0x0A, byte != 0x09 {
        isPlain = false
        checkControl(byte, at: at)
      }
      at += 1
    }
    position = bytes.count
    return nil
  }

  private mutating func finishText(
    _ range: Range<Int>, _ kind: XMLText.Kind, isPlain: Bool, continuingAt next: Int
  ) -> XMLText {
    position = next
    if range.count > limits.textBytes {
      fail(.malformed, "vast.cap", "A text is longer than \(limits.textBytes) bytes.", at: range.lowerBound)
    }
    return XMLText(range: range, kind: kind, isPlain: isPlain)
  }

  /// Checks what follows an ampersand and gives the offset to go on at.
  mutating func checkReference(at offset: Int) -> Int {
    guard let reference = XMLReference(at: offset, before: bytes.count, in: bytes) else {
      report("xml.ampersand", .repair, "An & that begins no reference is text.", at: offset)
      return offset + 1
    }
    if reference.isControl {
      report("xml.control", .repair, "A reference to a control character is removed.", at: offset)
    }
    return reference.end
  }

  mutating func checkControl(_ byte: UInt8, at offset: Int) {
    if byte != 0x0D { report("xml.control", .repair, "A control character is removed.", at: offset) }
  }

  mutating func skipComment() {
    var at = position + 4
    var hasDashes = false
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "-"), matches("--", at: at) {
        if at + 2 < bytes.count, bytes[at + 2] == UInt8(ascii: ">") {
          if hasDashes { report("xml.prolog", .repair, "A comment contains --.") }
          position = at + 3
          return
        }
        hasDashes = true
      }
      at += 1
    }
    position = bytes.count
  }

  /// Skips a document type declaration with what is inside its brackets, unread (VA-216, VA-1400), or any other `<!`.
  mutating func skipDeclaration() {
    let isDoctype = matches("<!DOCTYPE", at: position)
    report(isDoctype ? "xml.doctype" : "xml.prolog", .repair, "A declaration is skipped.")
    var brackets = 0
    var quote: UInt8?
    var at = position + 2
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if isDoctype, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if isDoctype, byte == UInt8(ascii: "[") {
        brackets += 1
      } else if byte == UInt8(ascii: "]") {
        brackets -= 1
      } else if byte == UInt8(ascii: ">"), brackets <= 0 {
        break
      }
    }
    position = at
  }

  mutating func skip(past ending: StaticString, from start: Int) {
    var at = start
    while at < bytes.count, !matches(ending, at: at) { at += 1 }
    position = min(bytes.count, at + ending.utf8CodeUnitCount)
  }

  /// Whether the bytes at an offset are a text of ASCII.
  func matches(_ text: StaticString, at offset: Int) -> Bool {
    guard offset + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { expected in
      var at = offset
      for byte in expected {
        if bytes[at] != byte { return false }
        at += 1
      }
      return true
    }
  }
}
