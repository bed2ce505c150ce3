import Foundation

/// Comparisons by Unicode scalars (TM-701): "é" and "e" with a combining accent differ, unlike in Swift's own.
///
/// UTF-8 keeps scalars apart, so comparing bytes is comparing scalars.
extension String {
  /// Whether both are the same scalars.
  package func hasSameScalars(as other: String) -> Bool {
    withBytes(and: other) { $0.count == $1.count && $0.hasBytes(of: $1, at: 0) }
  }

  /// Whether the other text's scalars stand somewhere in this one; an empty text always does.
  package func containsScalars(of other: String) -> Bool {
    withBytes(and: other) { $0.contains(bytesOf: $1) }
  }

  /// Whether this text begins with the other's scalars.
  package func startsWithScalars(of other: String) -> Bool {
    withBytes(and: other) { $0.hasBytes(of: $1, at: 0) }
  }

  /// Whether this text ends with the other's scalars.
  package func endsWithScalars(of other: String) -> Bool {
    withBytes(and: other) { $0.hasBytes(of: $1, at: $0.count - $1.count) }
  }

  private func withBytes<Result>(
    and other: String, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var text = self
    var other = other
    return text.withUTF8 { bytes in other.withUTF8 { body(bytes, $0) } }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the other bytes stand at an offset of these.
  func hasBytes(of other: Self, at offset: Int) -> Bool {
    guard offset >= 0, offset + other.count <= count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return other.isEmpty }
    return memcmp(start + offset, otherStart, other.count) == 0
  }

  /// Whether the other bytes stand somewhere in these.
  func contains(bytesOf other: Self) -> Bool {
    guard let first = other.first else { return true }
    guard other.count <= Self.shortSearch else { return containsByTable(bytesOf: other) }
    var offset = 0
    while offset + other.count <= count, let start = baseAddress {
      guard let found = memchr(start + offset, Int32(first), count - other.count - offset + 1) else { return false }
      offset = UnsafeRawPointer(found) - UnsafeRawPointer(start)
      if hasBytes(of: other, at: offset) { return true }
      offset += 1
    }
    return false
  }

  /// Up to this length trying every place costs little even where the texts are made to mislead.
  private static var shortSearch: Int { 64 }

  /// The search of Knuth, Morris and Pratt, whose time is linear whatever the texts.
  private func containsByTable(bytesOf other: Self) -> Bool {
    guard other.count <= count else { return false }
    var table = [Int](repeating: 0, count: other.count)
    var matched = 0
    for index in other.indices.dropFirst() {
      while matched > 0, other[index] != other[matched] { matched = table[matched - 1] }
      if other[index] == other[matched] { matched += 1 }
      table[index] = matched
    }
    matched = 0
    for byte in self {
      while matched > 0, byte != other[matched] { matched = table[matched - 1] }
      if byte == other[matched] { matched += 1 }
      if matched == other.count { return true }
    }
    return false
  }
}
