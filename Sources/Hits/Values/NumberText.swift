/// Numbers as ECMAScript prints them (TM-502).
///
/// The shortest digits that read back as the same number; plain for 1e-6 ≤ |x| < 1e21, else with an exponent of at
/// least one digit and its sign: `1e-7`, `1.5e+21`. Whole numbers have no fraction, and minus zero is `0`.
package enum NumberText {
  /// The text of a number.
  package static func text(_ number: Double) -> String {
    guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity" }
    if number == number.rounded(.towardZero), number.magnitude < 1e15 { return String(Int64(number)) }
    let (digits, exponent) = decimal(number.magnitude)
    return (number < 0 ? "-" : "") + layout(digits, exponent: exponent)
  }

  /// The shortest digits and the exponent for which the number is `0.digits × 10^exponent`.
  private static func decimal(_ number: Double) -> (digits: [UInt8], exponent: Int) {
    var digits: [UInt8] = []
    var point: Int?
    var exponent = 0
    let text = number.description.utf8
    scan: for (offset, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "."): point = digits.count
      case UInt8(ascii: "e"):
        exponent =
          Int(text.dropFirst(offset + 1).reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }) ?? 0
        break scan
      default: digits.append(byte)
      }
    }
    exponent += point ?? digits.count
    let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(zeros)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return (digits, exponent - zeros)
  }

  private static func layout(_ digits: [UInt8], exponent: Int) -> String {
    func text(_ part: some Sequence<UInt8>) -> String { String(decoding: Array(part), as: UTF8.self) }
    switch exponent {
    case digits.count...21: return text(digits) + String(repeating: "0", count: exponent - digits.count)
    case 1...21: return text(digits.prefix(exponent)) + "." + text(digits.dropFirst(exponent))
    case -5...0: return "0." + String(repeating: "0", count: -exponent) + text(digits)
    default:
      let fraction = digits.count > 1 ? "." + text(digits.dropFirst()) : ""
      return text(digits.prefix(1)) + fraction + "e" + (exponent > 0 ? "+" : "-") + String((exponent - 1).magnitude)
    }
  }
}
