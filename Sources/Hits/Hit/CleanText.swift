/// Text as it may be stored: without control characters and without blanks around it, within a limit of bytes.
///
/// TAB, CR, LF and CR LF become one space; other C0, DEL and C1 are removed; then leading and trailing spaces are
/// removed (HQ-135). What is longer is cut to the longest prefix of whole Unicode scalars that fits (HQ-134).
package struct CleanText: Sendable, Hashable {
  package private(set) var text: String
  package private(set) var isTruncated = false

  /// Cleans a text; a clean one within the limit is taken as it is.
  package init(_ text: String, limit: Int? = nil) {
    self.text = text
    if !Self.isClean(text) { self.text = Self.cleaned(text) }
    guard let limit, self.text.utf8.count > limit else { return }
    isTruncated = true
    let bytes = self.text.utf8
    var end = bytes.index(bytes.startIndex, offsetBy: max(limit, 0))
    while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
    self.text = String(self.text[..<end])
  }

  /// Whether nothing has to be removed or replaced.
  package static func isClean(_ text: String) -> Bool {
    let bytes = text.utf8
    return bytes.withContiguousStorageIfAvailable { isClean(bytes: $0) } ?? isClean(bytes: Array(bytes))
  }

  private static func isClean(bytes: some RandomAccessCollection<UInt8>) -> Bool {
    let space = UInt8(ascii: " ")
    guard bytes.first != space, bytes.last != space else { return false }
    // C1 is U+0080 to U+009F: C2, then 80 to 9F.
    var last: UInt8 = 0
    for byte in bytes {
      if byte < space || byte == 0x7F || (last == 0xC2 && byte < 0xA0) { return false }
      last = byte
    }
    return true
  }

  private static func cleaned(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A where isAfterReturn: break
      case 0x09, 0x0A, 0x0D: result.append(" ")
      case 0x00...0x1F, 0x7F...0x9F: break
      default: result.append(scalar)
      }
      isAfterReturn = scalar.value == 0x0D
    }
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " }
    guard let first = result.firstIndex(where: { !isSpace($0) }), let last = result.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(result[first...last])
  }
}
