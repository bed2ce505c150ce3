/// What stands between a text's quotes, and what a number's characters mean.
enum JSONText {
  /// The text with its escapes resolved; the reader has seen that they are well formed.
  ///
  /// Half of a surrogate pair is no character and becomes U+FFFD: scripts cut texts in the middle of an emoji.
  static func unescaped(_ content: ArraySlice<UInt8>) -> String {
    String(unsafeUninitializedCapacity: content.count) { text in
      var count = 0
      var rest = content
      func put(_ byte: UInt8) {
        guard count < text.count else { return }
        text[count] = byte
        count += 1
      }
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
          put(byte)
          continue
        }
        switch escape {
        case UInt8(ascii: "b"): put(0x08)
        case UInt8(ascii: "f"): put(0x0C)
        case UInt8(ascii: "n"): put(0x0A)
        case UInt8(ascii: "r"): put(0x0D)
        case UInt8(ascii: "t"): put(0x09)
        case UInt8(ascii: "u"): UTF8.encode(scalar(&rest), into: put)
        default: put(escape)
        }
      }
      return count
    }
  }

  private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
    let unit = codeUnit(rest.prefix(4))
    rest = rest.dropFirst(4)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let pair = rest.prefix(6)
    guard UTF16.isLeadSurrogate(UInt16(unit)), pair.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
      return "\u{FFFD}"
    }
    let trail = codeUnit(pair.dropFirst(2))
    guard UTF16.isTrailSurrogate(UInt16(trail)) else { return "\u{FFFD}" }
    rest = rest.dropFirst(6)
    return Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + trail & 0x3FF) ?? "\u{FFFD}"
  }

  /// The value of four hexadecimal digits.
  private static func codeUnit(_ digits: ArraySlice<UInt8>) -> UInt32 {
    digits.reduce(0) { $0 << 4 | UInt32(HexDigits.value(of: $1) ?? 0) } & 0xFFFF
  }

  /// A number of RFC 8259: `int` when its value is whole and inside `Int64`, else `double`.
  static func number(_ digits: ArraySlice<UInt8>) -> Value {
    if let whole = wholeNumber(digits) { return .int(whole) }
    guard let double = Double(String(decoding: digits, as: UTF8.self)) else { return .null }
    return Int64(exactly: double).map(Value.int) ?? .double(double)
  }

  private static func wholeNumber(_ digits: ArraySlice<UInt8>) -> Int64? {
    let isNegative = digits.first == UInt8(ascii: "-")
    var number: Int64 = 0
    for byte in isNegative ? digits.dropFirst() : digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      let (tens, hasOverflow) = number.multipliedReportingOverflow(by: 10)
      let digit = Int64(byte - UInt8(ascii: "0"))
      let (sum, hasSumOverflow) = tens.addingReportingOverflow(isNegative ? -digit : digit)
      guard !hasOverflow, !hasSumOverflow else { return nil }
      number = sum
    }
    return number
  }
}

extension UTF8 {
  fileprivate static func encode(_ scalar: Unicode.Scalar, into put: (UInt8) -> Void) {
    for byte in String(scalar).utf8 { put(byte) }
  }
}
