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
    let bytes = UnsafeRawBufferPointer(start: known.utf8Start, count: name.count)
    var place = 0
    while place + 4 <= name.count {
      let word = name.loadUnaligned(fromByteOffset: place, as: UInt32.self) | 0x2020_2020
      if word != bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self) { return false }
      place += 4
    }
    while place < name.count {
      if name[place] | 0x20 != bytes[place] { return false }
      place += 1
    }
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

  /// Letters, digits and ``!#$%&'*+-.^_`|~``, a bit for each byte from 0 and from 64.
  private static let tokens: (UInt64, UInt64) = (0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)

  @inline(__always)
  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    let half = byte < 64 ? tokens.0 : tokens.1
    return byte < 128 && half >> UInt64(byte & 63) & 1 == 1
  }
}
