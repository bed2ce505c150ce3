/// An amount of money in millionths of its currency, free of binary rounding (HQ-130).
///
/// Its text has a `.` and at most six decimals, no exponent, no trailing zeros: `15.47`, `3`, `0` (HQ-133).
public struct Amount: Sendable, Hashable, Comparable {
  /// Millionths of the currency.
  public var micros: Int64

  /// Makes an amount of millionths.
  public init(micros: Int64) { self.micros = micros }

  /// Orders amounts by size.
  public static func < (left: Amount, right: Amount) -> Bool { left.micros < right.micros }
}

extension Amount: LosslessStringConvertible {
  /// Reads a decimal such as `15.470`; more than six decimals are rounded half to even.
  ///
  /// Nil for anything else, and for what does not fit in 64 bits of millionths.
  public init?(_ text: String) {
    guard let micros = DecimalText(text[...].utf8)?.micros else { return nil }
    self.init(micros: micros)
  }

  /// The shortest plain decimal.
  public var description: String {
    let magnitude = micros.magnitude
    var text = (micros < 0 ? "-" : "") + String(magnitude / 1_000_000)
    var fraction = String(magnitude % 1_000_000)
    guard fraction != "0" else { return text }
    fraction = String(repeating: "0", count: 6 - fraction.count) + fraction
    while fraction.hasSuffix("0") { fraction.removeLast() }
    text += "." + fraction
    return text
  }
}

extension Amount: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// Makes an amount from a literal such as `15.47`, rounded half to even.
  ///
  /// What does not fit becomes the nearest amount that does; NaN becomes 0.
  public init(floatLiteral value: Double) {
    let micros = (value * 1_000_000).rounded(.toNearestOrEven)
    self.init(micros: Int64(exactly: micros) ?? (micros > 0 ? .max : micros < 0 ? .min : 0))
  }

  /// Makes a whole amount; what does not fit becomes the nearest amount that does.
  public init(integerLiteral value: Int64) {
    let (micros, overflow) = value.multipliedReportingOverflow(by: 1_000_000)
    self.init(micros: overflow ? (value > 0 ? .max : .min) : micros)
  }
}

extension Amount: Codable {
  /// Reads an amount's text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let amount = Amount(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an amount")
    }
    self = amount
  }

  /// Writes the amount as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
