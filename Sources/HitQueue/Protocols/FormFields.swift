import Hits

/// Fields read from form-encoded bytes, whatever these are (HQ-136, HQ-611, HQ-702).
///
/// `%XX` counts in either case of its digits and `+` is a blank; a `%` without two digits stands for itself. Bytes that
/// are not UTF-8 become U+FFFD, a missing `=` gives an empty value, empty pieces are skipped, and of a name that comes
/// twice the first counts.
package struct FormFields: Sendable, Hashable {
  /// One field.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String
  }

  /// The fields in the order of the bytes, each name once.
  package let fields: [Field]

  /// Reads a query, a form body, or one line of a batch.
  package init(_ bytes: some Collection<UInt8>) {
    var fields: [Field] = []
    var names: Set<String> = []
    for piece in bytes.split(separator: UInt8(ascii: "&")) {
      let equals = piece.firstIndex(of: UInt8(ascii: "="))
      let name = Self.decode(piece[..<(equals ?? piece.endIndex)])
      guard !name.isEmpty, names.insert(name).inserted else { continue }
      let value = equals.map { Self.decode(piece[piece.index(after: $0)...]) } ?? ""
      fields.append(Field(name: name, value: value))
    }
    self.fields = fields
  }

  /// The lines of a batch: between LF or CR LF, empty ones left out.
  package static func lines(of body: [UInt8]) -> [ArraySlice<UInt8>] {
    body.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return line.isEmpty ? nil : line
    }
  }

  /// The value of a name; nil when it is not there.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The fields as a dictionary.
  package var dictionary: [String: String] {
    Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private static func decode(_ bytes: some Collection<UInt8>) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at < bytes.endIndex {
      let byte = bytes[at]
      bytes.formIndex(after: &at)
      switch byte {
      case UInt8(ascii: "+"):
        decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let second = at < bytes.endIndex ? bytes.index(after: at) : at
        if second < bytes.endIndex, let high = HexDigits.value(of: bytes[at]),
          let low = HexDigits.value(of: bytes[second])
        {
          decoded.append(high << 4 | low)
          at = bytes.index(after: second)
        } else {
          decoded.append(byte)
        }
      default:
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }
}
