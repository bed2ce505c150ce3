/// A decimal number read from text without any binary rounding, and its form on the wire (HQ-133).
///
///     number   = [ "+" / "-" ] ( digits [ "." *DIGIT ] / "." digits ) [ ( "e" / "E" ) [ "+" / "-" ] digits ]
///
/// Its value is the digits times ten to the power of minus `scale`.
struct DecimalText {
  private var isNegative: Bool
  /// Values 0 to 9; the first is not 0.
  private var digits: [UInt8]
  private var scale: Int

  /// Reads a number with nothing around it; nil for anything else, and for what no finite `Double` can hold.
  init?(_ text: Substring.UTF8View) {
    guard text.count <= Self.longest else { return nil }
    var rest = text[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    digits = []
    scale = 0
    var count = 0
    var isFraction = false
    while let byte = rest.first {
      if let digit = Self.digit(byte) {
        count += 1
        if isFraction { scale += 1 }
        if digit > 0 || !digits.isEmpty { digits.append(digit) }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      rest.removeFirst()
    }
    guard count > 0 else { return nil }
    if !rest.isEmpty {
      guard let exponent = Self.exponent(rest) else { return nil }
      scale -= exponent
    }
    guard digits.count - scale <= 309 else { return nil }
  }

  private static let longest = 1_000

  private static func digit(_ byte: UInt8) -> UInt8? {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? byte - UInt8(ascii: "0") : nil
  }

  private static func exponent(_ text: Substring.UTF8View) -> Int? {
    var rest = text
    guard let mark = rest.popFirst(), mark | 0x20 == UInt8(ascii: "e") else { return nil }
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard !rest.isEmpty else { return nil }
    var value = 0
    for byte in rest {
      guard let digit = digit(byte) else { return nil }
      value = min(value * 10 + Int(digit), 100_000)
    }
    return isNegative ? -value : value
  }

  /// The number when it is whole and fits.
  var integer: Int64? {
    var digits = digits
    var scale = scale
    while scale > 0, digits.last == 0 {
      digits.removeLast()
      scale -= 1
    }
    guard !digits.isEmpty else { return 0 }
    guard scale <= 0 else { return nil }
    return Self.integer(digits, zeros: -scale, isNegative: isNegative)
  }

  /// The number in millionths, rounded half to even, when it fits.
  var micros: Int64? {
    let rounded = rounded()
    guard !rounded.digits.isEmpty else { return 0 }
    return Self.integer(rounded.digits, zeros: 6 - rounded.scale, isNegative: isNegative)
  }

  private static func integer(_ digits: [UInt8], zeros: Int, isNegative: Bool) -> Int64? {
    guard digits.count + zeros <= 19 else { return nil }
    var value: Int64 = 0
    for digit in digits + [UInt8](repeating: 0, count: zeros) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (next, carry) =
        isNegative
        ? product.subtractingReportingOverflow(Int64(digit)) : product.addingReportingOverflow(Int64(digit))
      guard !overflow, !carry else { return nil }
      value = next
    }
    return value
  }

  /// The shortest plain decimal with at most six decimals, half to even.
  var wire: String {
    var (digits, scale) = rounded()
    while scale > 0, digits.last == 0 {
      digits.removeLast()
      scale -= 1
    }
    guard !digits.isEmpty else { return "0" }
    if scale < 0 { digits += [UInt8](repeating: 0, count: -scale) }
    let decimals = max(scale, 0)
    if digits.count <= decimals {
      digits.insert(contentsOf: [UInt8](repeating: 0, count: decimals - digits.count + 1), at: 0)
    }
    var bytes = digits.map { $0 + UInt8(ascii: "0") }
    if decimals > 0 { bytes.insert(UInt8(ascii: "."), at: bytes.count - decimals) }
    return (isNegative ? "-" : "") + String(decoding: bytes, as: UTF8.self)
  }

  private func rounded() -> (digits: [UInt8], scale: Int) {
    guard scale > 6 else { return (digits, scale) }
    let dropped = scale - 6
    guard dropped <= digits.count else { return ([], 6) }
    var kept = Array(digits.dropLast(dropped))
    let rest = digits.suffix(dropped)
    let isHalf = rest.first == 5 && rest.dropFirst().allSatisfy { $0 == 0 }
    let roundsUp = isHalf ? (kept.last ?? 0) % 2 == 1 : (rest.first ?? 0) >= 5
    guard roundsUp else { return (kept, 6) }
    var at = kept.count - 1
    while at >= 0, kept[at] == 9 {
      kept[at] = 0
      at -= 1
    }
    if at >= 0 { kept[at] += 1 } else { kept.insert(1, at: 0) }
    return (kept, 6)
  }
}
