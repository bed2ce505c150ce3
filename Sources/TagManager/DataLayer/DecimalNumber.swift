/// A number as texts write them: `[+-]?digits`, or `[+-]?(digits[.digits*]|.digits)([eE][+-]?digits)?` (TM-504).
///
/// No blanks, no hexadecimal, no infinity, no NaN. Whole numbers inside `Int64` stay exact, and comparing never rounds:
/// 9007199254740993 is greater than 9007199254740992.0.
package enum DecimalNumber: Sendable, Hashable {
  case whole(Int64)
  /// Any other number; beyond the greatest double it is infinite.
  case real(Double)

  /// Reads a text; nil when it is no number.
  package init?(_ text: String) {
    guard let isWhole = Self.isWhole(text.utf8) else { return nil }
    if isWhole, let number = Int64(text) {
      self = .whole(number)
    } else if let number = Double(text) {
      self = .real(number)
    } else {
      return nil
    }
  }

  /// Whether the text is a number without fraction and exponent; nil when it is no number.
  private static func isWhole(_ text: String.UTF8View) -> Bool? {
    var rest = text[...]
    func takeDigits() -> Int {
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
      rest = rest.dropFirst(digits)
      return digits
    }
    func take(_ a: Character, _ b: Character) -> Bool {
      guard let byte = rest.first, byte == a.asciiValue || byte == b.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = take("+", "-")
    var digits = takeDigits()
    if digits > 0, rest.isEmpty { return true }
    if take(".", ".") { digits += takeDigits() }
    guard digits > 0 else { return nil }
    if take("e", "E") {
      _ = take("+", "-")
      guard takeDigits() > 0 else { return nil }
    }
    return rest.isEmpty ? false : nil
  }
}

extension DecimalNumber: Comparable {
  package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    switch (left, right) {
    case (.whole(let left), .whole(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.whole(let left), .real(let right)): compare(left, right) < 0
    case (.real(let left), .whole(let right)): compare(right, left) > 0
    }
  }

  package static func == (left: DecimalNumber, right: DecimalNumber) -> Bool {
    switch (left, right) {
    case (.whole(let left), .whole(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.whole(let left), .real(let right)), (.real(let right), .whole(let left)): compare(left, right) == 0
    }
  }

  package func hash(into hasher: inout Hasher) { double.hash(into: &hasher) }

  /// The nearest double.
  package var double: Double {
    switch self {
    case .whole(let number): Double(number)
    case .real(let number): number
    }
  }

  /// The whole part, when `Int64` can hold it.
  package var truncated: Int64? {
    switch self {
    case .whole(let number): number
    case .real(let number): Int64(exactly: number.rounded(.towardZero))
    }
  }

  /// The sign of `whole - real`, without rounding.
  private static func compare(_ whole: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let floor = real.rounded(.down)
    let wholeOfReal = Int64(floor)
    if whole != wholeOfReal { return whole < wholeOfReal ? -1 : 1 }
    return floor < real ? -1 : 0
  }
}
