/// Values by names that compare without ASCII case, for lookups on the bytes of a document.
///
/// Open addressing over a hash of length, ends and middle: a document's names are few and known, so a lookup is one
/// probe and one comparison.
struct NameTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    let name: [UInt8]
    let value: Value
  }

  private let slots: [Entry?]
  private let mask: Int

  init(_ entries: some Collection<(String, Value)>) {
    var size = 64
    while size < entries.count * 4 { size *= 2 }
    let mask = size - 1
    var slots = [Entry?](repeating: nil, count: size)
    for (name, value) in entries {
      let bytes = name.utf8.map(ASCII.folded)
      var slot = Self.hash(bytes, bytes.indices) & mask
      while slots[slot] != nil { slot = (slot + 1) & mask }
      slots[slot] = Entry(name: bytes, value: value)
    }
    self.slots = slots
    self.mask = mask
  }

  /// The value of the name in a part of the bytes.
  func value(of range: Range<Int>, in bytes: [UInt8]) -> Value? {
    guard !range.isEmpty else { return nil }
    var slot = Self.hash(bytes, range) & mask
    while let entry = slots[slot] {
      if ASCII.isSame(bytes, range, entry.name) { return entry.value }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private static func hash(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    guard let last = range.last else { return 0 }
    let middle = range.lowerBound + range.count / 2
    let ends = Int(ASCII.folded(bytes[range.lowerBound])) &* 31 &+ Int(ASCII.folded(bytes[last])) &* 577
    return ends &+ Int(ASCII.folded(bytes[middle])) &* 7 &+ range.count &* 1_031
  }
}

/// Bytes as ASCII characters.
enum ASCII {
  /// The byte, a capital letter as its small one.
  @inline(__always)
  static func folded(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }

  /// Whether the byte is white space in XML.
  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  static func isLetter(_ byte: UInt8) -> Bool { folded(byte) &- 97 < 26 }

  /// Whether a part of the bytes is a name given in small letters.
  static func isSame(_ bytes: [UInt8], _ range: Range<Int>, _ folded: [UInt8]) -> Bool {
    guard range.count == folded.count else { return false }
    var position = range.lowerBound
    for byte in folded {
      if Self.folded(bytes[position]) != byte { return false }
      position += 1
    }
    return true
  }

  /// The range without white space at its ends.
  static func trimmed(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
    var lower = range.lowerBound
    var upper = range.upperBound
    while lower < upper, isBlank(bytes[lower]) { lower += 1 }
    while upper > lower, isBlank(bytes[upper - 1]) { upper -= 1 }
    return lower..<upper
  }
}
