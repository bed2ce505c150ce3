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
  /// Reads a plain decimal such as `15.470`; more than six decimals are rounded half to even.
  ///
  /// Nil for anything else, and for what does not fit in 64 bits of millionths.
  public init?(_ text: String) {
    var digits = text.utf8[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
    let whole = Array(digits[..<point])
    let decimals = Array(digits[point...].dropFirst())
    guard !whole.isEmpty || !decimals.isEmpty else { return nil }
    guard (whole + decimals).allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    var micros: Int64 = 0
    let kept = whole + decimals.prefix(6) + [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 6 - decimals.count))
    for digit in kept {
      let (product, overflow) = micros.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      guard !overflow, !carry else { return nil }
      micros = sum
    }
    if Self.roundsUp(rest: decimals.dropFirst(6), isOdd: micros % 2 == 1) {
      guard micros < .max else { return nil }
      micros += 1
    }
    self.init(micros: isNegative ? -micros : micros)
  }

  private static func roundsUp(rest: ArraySlice<UInt8>, isOdd: Bool) -> Bool {
    guard let first = rest.first else { return false }
    if first != UInt8(ascii: "5") { return first > UInt8(ascii: "5") }
    return isOdd || rest.dropFirst().contains { $0 != UInt8(ascii: "0") }
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
  public init(floatLiteral value: Double) {
    self.init(micros: Int64((value * 1_000_000).rounded(.toNearestOrEven)))
  }

  /// Makes a whole amount.
  public init(integerLiteral value: Int64) { self.init(micros: value * 1_000_000) }
}
