/// The size of an image, read from its first bytes: what is too large is never decoded.
///
///     PNG    8 bytes signature, length, "IHDR", width, height (32 bits, big-endian)
///     GIF    "GIF8", 2 bytes, width, height (16 bits, little-endian)
///     JPEG   FF D8, segments FF marker length …; the first of C0…CF but C4, C8, CC has height and width
struct ImageSize: Sendable, Hashable {
  var width: Int
  var height: Int

  /// The most pixels along a side.
  static let limit = 4_096

  /// Whether it may be decoded.
  var isAcceptable: Bool { 1...Self.limit ~= width && 1...Self.limit ~= height }

  /// Nil for what is none of the three formats.
  init?(of bytes: [UInt8]) {
    guard let size = Self.png(bytes) ?? Self.gif(bytes) ?? Self.jpeg(bytes) else { return nil }
    (width, height) = size
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    return (number(bytes[16..<20]), number(bytes[20..<24]))
  }

  private static func gif(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 10, bytes.starts(with: "GIF8".utf8) else { return nil }
    return (Int(bytes[7]) << 8 | Int(bytes[6]), Int(bytes[9]) << 8 | Int(bytes[8]))
  }

  private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var place = 2
    while place + 9 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      if 0xC0...0xCF ~= marker, ![0xC4, 0xC8, 0xCC].contains(marker) {
        return (number(bytes[(place + 7)..<(place + 9)]), number(bytes[(place + 5)..<(place + 7)]))
      }
      // A length counts itself.
      let length = number(bytes[(place + 2)..<(place + 4)])
      guard length >= 2 else { return nil }
      place += 2 + length
    }
    return nil
  }
}
