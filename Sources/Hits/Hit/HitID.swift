/// A hit's id for life: a UUID of version 7, text in lower case with hyphens (HQ-100).
///
/// It is the dedupe key everywhere and never changes on retry, split, salvage or export.
public struct HitID: Sendable, Hashable {
  /// Bytes 0 to 7, big-endian.
  package let high: UInt64
  /// Bytes 8 to 15, big-endian.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes the next id of this process; ids of one process increase (HQ-101).
  public init() {
    self = HitIDGenerator.process.withLock { generator in
      generator.next(wallMilliseconds: SystemHitClock.wallMilliseconds(), random: SystemRandomSource().next())
    }
  }

  /// Reads 16 bytes; nil when there are not 16.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for byte in bytes.prefix(8) { high = high << 8 | UInt64(byte) }
    for byte in bytes.dropFirst(8) { low = low << 8 | UInt64(byte) }
    self.init(high: high, low: low)
  }

  /// Reads 16 bytes in place; nil when there are not 16.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// Gives the 16 bytes in place.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
  }

  /// The 16 bytes.
  public var bytes: [UInt8] {
    [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
  }
}

extension HitID: CustomStringConvertible, LosslessStringConvertible {
  /// Reads a UUID's text of 36 characters, in either case; nil for anything else.
  public init?(_ text: String) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var position = 0
    for byte in text.utf8 {
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = HexDigits.value(of: byte) else { return nil }
        if position < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
      }
      position += 1
    }
    guard position == 36 else { return nil }
    self.init(high: high, low: low)
  }

  /// The id as 36 characters of lower-case hex and hyphens.
  public var description: String {
    String(unsafeUninitializedCapacity: 36) { text in
      var at = 0
      for (word, last) in [(high, 16), (low, 16)] {
        for digit in 0..<last {
          if at == 8 || at == 13 || at == 18 || at == 23 {
            text[at] = UInt8(ascii: "-")
            at += 1
          }
          text[at] = HexDigits.lower(UInt8(truncatingIfNeeded: word >> (60 - 4 * digit)) & 15)
          at += 1
        }
      }
      return at
    }
  }
}

extension HitID: Codable {
  /// Reads the id's text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = HitID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
    }
    self = id
  }

  /// Writes the id's text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The digits of base 16.
package enum HexDigits {
  /// The value of an ASCII digit in either case; nil for any other byte.
  package static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The lower-case ASCII digit of a value below 16.
  package static func lower(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Bytes as lower-case text, two digits each.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [lower($0 >> 4), lower($0 & 15)] }, as: UTF8.self)
  }

  /// The upper-case ASCII digit of a value below 16.
  package static func upper(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
