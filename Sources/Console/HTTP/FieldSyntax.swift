/// What a head may be written in (RFC 9110, sections 5.5 and 5.6.2; RFC 9112, section 3.2).
///
///     name   = 1*token-character
///     value  = *( blank | tab | visible character | byte above 0x7F )
///     target = *( visible character | byte above 0x7F )
///
/// libmicrohttpd takes `Content-Length : 5` for a field of another name. A proxy that trims names sees a body there, where
/// this server would see the next request.
enum FieldSyntax {
  static func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
    for byte in bytes where !isTokenCharacter(byte) { return false }
    return !bytes.isEmpty
  }

  static func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    hasNone(below: 0x20, in: bytes) || bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
  }

  static func isVisible(_ bytes: UnsafeRawBufferPointer) -> Bool { hasNone(below: 0x21, in: bytes) }

  /// Whether a name, which is one, is a known one in lower case.
  static func isSame(_ name: UnsafeRawBufferPointer, _ known: StaticString) -> Bool {
    guard name.count == known.utf8CodeUnitCount else { return false }
    for (place, byte) in name.enumerated() where byte | 0x20 != known.utf8Start[place] { return false }
    return true
  }

  /// Whether no byte is below a bound, or 0x7F; eight are looked at together.
  private static func hasNone(below bound: UInt8, in bytes: UnsafeRawBufferPointer) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var place = 0
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let delete = word ^ ones &* 0x7F
      // The highest bit of a byte is left where it is below the bound, and where it is 0.
      let found = (word &- ones &* UInt64(bound)) & ~word | (delete &- ones) & ~delete
      if found & (ones &* 0x80) != 0 { return false }
      place += 8
    }
    while place < bytes.count {
      if bytes[place] < bound || bytes[place] == 0x7F { return false }
      place += 1
    }
    return true
  }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"),
      UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
