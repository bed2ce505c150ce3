/// The well-formed byte sequences of UTF-8 (Unicode 15, table 3-7).
package enum UTF8Sequence {
  /// The length of the character that begins at a position; nil when no well-formed one does.
  package static func length(in bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
    guard position >= 0, position < bytes.count else { return nil }
    let first = bytes[position]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard bytes.count - position >= length, second ~= bytes[position + 1] else { return nil }
    for next in (position + 2)..<max(position + 2, position + length) where !(0x80...0xBF ~= bytes[next]) { return nil }
    return length
  }

  /// Whether all of the bytes are well-formed characters.
  package static func areValid(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.withContiguousStorageIfAvailable(areAllValid) ?? Array(bytes).withUnsafeBufferPointer(areAllValid)
  }

  private static func areAllValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var position = 0
    while position < bytes.count {
      // Most text is ASCII: eight bytes are looked at together.
      if position + 8 <= raw.count,
        raw.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        position += 8
        continue
      }
      guard let length = length(in: bytes, at: position) else { return false }
      position += length
    }
    return true
  }
}
