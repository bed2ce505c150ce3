import Hits

/// Text from outside as it may go to a terminal: what would move the cursor or turn the line around is spelled out.
enum VisibleText {
  /// The text with each such character as `\u{…}`.
  static func text(_ text: String) -> String {
    escaped(text) { "\\u{" + String($0.value, radix: 16) + "}" }
  }

  /// JSON that means the same, with each such character as `\uXXXX`; they stand in its texts alone.
  static func json(_ text: String) -> String {
    escaped(text) { "\\u" + $0.value.padded(to: 4, radix: 16) }
  }

  private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isHidden(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// Control characters of both sets, line and paragraph separators, and what sets the direction of text.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
