/// A body's bytes as UTF-8, whatever they were sent in (VA-211).
///
/// The byte order mark decides, else the XML declaration, else the charset of the Content-Type, else it is UTF-8.
/// Invalid UTF-8 becomes U+FFFD.
struct CharacterDecoding {
  enum Encoding: Sendable, Hashable {
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
    case latin1
    case windows1252
  }

  /// The text in UTF-8; a byte order mark of UTF-8 is still there.
  let text: [UInt8]
  /// A name that stands for no encoding known here: the text was taken as UTF-8.
  let unknownName: String?

  init(_ bytes: [UInt8], charset: String? = nil) {
    let sniffed = Self.sniffed(bytes)
    let name = sniffed == nil ? Self.declaredName(in: bytes) ?? charset : nil
    let encoding = sniffed ?? (name == nil ? .utf8 : name.flatMap(Self.encoding))
    unknownName = encoding == nil ? name : nil
    switch encoding ?? .utf8 {
    case .utf8: text = Self.valid(bytes)
    case .utf16LittleEndian: text = Self.utf16(bytes, isBigEndian: false)
    case .utf16BigEndian: text = Self.utf16(bytes, isBigEndian: true)
    case .latin1: text = Self.mapped(bytes) { UInt16($0) }
    case .windows1252: text = Self.mapped(bytes) { 0x80..<0xA0 ~= $0 ? Self.windows[Int($0) - 0x80] : UInt16($0) }
    }
  }

  /// What the first bytes tell: a byte order mark, or `<` in two bytes.
  private static func sniffed(_ bytes: [UInt8]) -> Encoding? {
    guard bytes.count > 2 else { return nil }
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0xFF, 0xFE, _), (0x3C, 0x00, _): return .utf16LittleEndian
    case (0xFE, 0xFF, _), (0x00, 0x3C, _): return .utf16BigEndian
    case (0xEF, 0xBB, 0xBF): return .utf8
    default: return nil
    }
  }

  private static func encoding(_ name: String) -> Encoding? {
    switch name.lowercased() {
    // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
    case "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be": .utf8
    case "iso-8859-1", "latin1", "iso_8859-1": .latin1
    case "windows-1252", "cp1252": .windows1252
    default: nil
    }
  }

  /// The encoding named by an XML declaration in the first bytes.
  private static func declaredName(in bytes: [UInt8]) -> String? {
    guard let start = bytes.prefix(64).firstIndex(of: UInt8(ascii: "<")),
      bytes[start...].starts(with: "<?xml".utf8),
      let end = bytes[start...].prefix(512).firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    let key = Array("encoding".utf8)
    guard let found = bytes[start..<end].indices.first(where: { bytes[$0] == key[0] && bytes[$0...].starts(with: key) })
    else { return nil }
    let value = bytes[found..<end].dropFirst(key.count).drop { $0 == UInt8(ascii: "=") || ASCII.isBlank($0) }
    guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    return String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self)
  }

  private static func valid(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.reduce(0, |) < 0x80 || String(validating: bytes, as: UTF8.self) != nil { return bytes }
    return Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  private static func utf16(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for at in stride(from: 0, to: bytes.count - 1, by: 2) {
      let first = UInt16(bytes[at])
      let second = UInt16(bytes[at + 1])
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    if units.first == 0xFEFF { units.removeFirst() }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func mapped(_ bytes: [UInt8], _ unit: (UInt8) -> UInt16) -> [UInt8] {
    Array(String(decoding: bytes.map(unit), as: UTF16.self).utf8)
  }

  private static let windows: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]
}
