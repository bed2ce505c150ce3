/// Start tags with their attributes, and end tags.
extension XMLReader {
  static func beginsName(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte >= 0x80
  }

  /// Whether the byte goes on a name: whatever does not end one in a tag.
  private static func continuesName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      false
    default: true
    }
  }

  /// Whether the byte may stand in a value without quotes (VA-320 xml.attribute).
  private static func continuesBareValue(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || "._%:/#+-".utf8.contains(byte)
  }

  private func endOfName(from start: Int) -> Int {
    var at = start
    while at < bytes.count, Self.continuesName(bytes[at]) { at += 1 }
    return at
  }

  private func skippingBlanks(from start: Int) -> Int {
    var at = start
    while at < bytes.count, ASCII.isBlank(bytes[at]) { at += 1 }
    return at
  }

  /// The part of a qualified name behind its prefix.
  func localName(_ name: Range<Int>) -> Range<Int> {
    for at in name where bytes[at] == UInt8(ascii: ":") { return at + 1..<name.upperBound }
    return name
  }

  mutating func readStartTag() -> Token? {
    let start = position
    let name = start + 1..<endOfName(from: start + 1)
    let local = localName(name)
    let known = DocumentName.find(local, in: bytes)
    if let known, known.isBoundary, let index = openBoundary(known) {
      report("xml.missingEnd", .error, "A new \(known.rawValue) begins inside an open one.")
      closeWithoutEndTags(downTo: index, lostFrom: index)
      return nil
    }
    let outer = prefixes.count
    position = name.upperBound
    guard let isEmpty = readAttributes() else { return nil }
    guard open.count < limits.depth else {
      fail(.malformed, "vast.cap", "Elements are nested deeper than \(limits.depth).", at: start)
      return nil
    }
    checkPrefix(of: name, local: local)
    elementCount += 1
    if elementCount == limits.elements + 1 {
      reportCap("Elements", limits.elements, at: start)
    }
    let isDelivered = isDelivering && elementCount <= limits.elements
    push(name: name, local: local, known: known, isDelivered: isDelivered, outerPrefixes: outer)
    if isEmpty { closing = open.count - 1 }
    return isDelivered ? .start(known) : nil
  }

  /// Reads attributes to the tag's end; tells whether the element is empty, or nil when the input ended or failed.
  private mutating func readAttributes() -> Bool? {
    attributes.removeAll(keepingCapacity: true)
    while true {
      position = skippingBlanks(from: position)
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") {
        position += 1
        return false
      }
      if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: ">") {
        position += 2
        return true
      }
      if byte == UInt8(ascii: "<") {
        report("xml.attribute", .repair, "A tag lacks its >.")
        return false
      }
      if Self.beginsName(byte) {
        guard readAttribute() else { return nil }
      } else {
        report("xml.attribute", .repair, "A part of a tag is no attribute and is skipped.")
        position = max(position + 1, endOfName(from: position))
      }
    }
  }

  /// Reads one attribute; false when the input ended or the document failed inside it.
  private mutating func readAttribute() -> Bool {
    let name = position..<endOfName(from: position)
    let equals = skippingBlanks(from: name.upperBound)
    guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else {
      report("xml.attribute", .repair, "An attribute without a value is skipped.")
      position = name.upperBound
      return true
    }
    let start = skippingBlanks(from: equals + 1)
    guard start < bytes.count else {
      position = bytes.count
      return false
    }
    let value: XMLText
    let quote = bytes[start]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      guard let quoted = readQuoted(quote, from: start + 1) else { return false }
      value = quoted
    } else if matches("\\\"", at: start) || matches("\\'", at: start) {
      fail(.malformed, "xml.attribute", "The markup is escaped with backslashes.", at: start)
      return false
    } else {
      value = readBareValue(from: start)
    }
    add(name, value)
    return failure == nil
  }

  private mutating func readQuoted(_ quote: UInt8, from start: Int) -> XMLText? {
    var at = start
    var isPlain = true
    while at < bytes.count, bytes[at] != quote {
      let byte = bytes[at]
      if byte == UInt8(ascii: "&") {
        isPlain = false
        at = checkReference(at: at)
        continue
      }
      if byte < 0x20 {
        isPlain = false
        if byte != 0x09, byte != 0x0A { checkControl(byte, at: at) }
      } else if byte == UInt8(ascii: "<") {
        report("xml.lessThan", .repair, "A < in an attribute is text.", at: at)
      }
      at += 1
    }
    guard at < bytes.count else {
      position = bytes.count
      return nil
    }
    position = at + 1
    if at - start > limits.textBytes {
      fail(.malformed, "vast.cap", "An attribute is longer than \(limits.textBytes) bytes.", at: start)
    }
    return XMLText(range: start..<at, kind: .attribute, isPlain: isPlain)
  }

  private mutating func readBareValue(from start: Int) -> XMLText {
    report("xml.attribute", .repair, "An attribute's value lacks its quotes.", at: start)
    var at = start
    while at < bytes.count, Self.continuesBareValue(bytes[at]), !matches("/>", at: at) { at += 1 }
    position = at
    return XMLText(range: start..<at, kind: .attribute, isPlain: true)
  }

  private mutating func add(_ name: Range<Int>, _ value: XMLText) {
    guard attributes.count < limits.attributes else {
      reportCap("Attributes", limits.attributes, of: " of an element")
      return
    }
    for other in attributes where isEqual(other.name, name) {
      report("xml.duplicateAttribute", .repair, "An attribute occurs twice; the first counts.", at: name.lowerBound)
      return
    }
    let local = localName(name)
    if local.lowerBound != name.lowerBound {
      if matches("xmlns:", at: name.lowerBound) { prefixes.append(local) }
      attributes.append(XMLAttribute(name: name, known: nil, value: value))
    } else {
      attributes.append(XMLAttribute(name: name, known: DocumentName.find(local, in: bytes), value: value))
    }
  }

  /// Reports a prefix that no open element declares, once (VA-320 xml.prefix).
  private mutating func checkPrefix(of name: Range<Int>, local: Range<Int>) {
    if local != name { checkPrefix(name.lowerBound..<local.lowerBound - 1) }
    for attribute in attributes where attribute.known == nil {
      let local = localName(attribute.name)
      if local != attribute.name { checkPrefix(attribute.name.lowerBound..<local.lowerBound - 1) }
    }
  }

  private mutating func checkPrefix(_ prefix: Range<Int>) {
    if log.isClosed || prefixes.count > limits.attributes { return }
    if prefix.count == 3, matches("xml", at: prefix.lowerBound) { return }
    if prefix.count == 5, matches("xmlns", at: prefix.lowerBound) { return }
    for known in prefixes where isEqual(known, prefix) { return }
    for known in strayPrefixes where isEqual(known, prefix) { return }
    report("xml.prefix", .repair, "A namespace prefix is not declared.", at: prefix.lowerBound)
    if strayPrefixes.count < DiagnosticLog.limit { strayPrefixes.append(prefix) }
  }

  func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    guard left.count == right.count else { return false }
    var at = right.lowerBound
    for index in left {
      if bytes[index] != bytes[at] { return false }
      at += 1
    }
    return true
  }

  mutating func readEndTag() -> Token? {
    let start = position
    let name = start + 2..<endOfName(from: start + 2)
    var at = name.upperBound
    while at < bytes.count, bytes[at] != UInt8(ascii: ">"), bytes[at] != UInt8(ascii: "<") { at += 1 }
    guard at < bytes.count else {
      position = bytes.count
      return nil
    }
    position = bytes[at] == UInt8(ascii: ">") ? at + 1 : at
    if let top = open.last, isEqual(top.name, name) { return pop() ? .end : nil }
    close(name, at: start)
    return nil
  }
}
