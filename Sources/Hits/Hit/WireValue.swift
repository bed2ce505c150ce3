/// Values of typed parameters, read from the texts that apps give and written as they go on the wire (HQ-130 to
/// HQ-133).
enum WireValue {
  /// What reading gave.
  enum Reading: Hashable {
    case value(String)
    /// Fine, and the same as not there.
    case nothing
    case invalid
  }

  /// Reads a text.
  static func read(_ text: String, as form: MeasurementParameter.Form) -> Reading {
    switch form {
    case .text: return .value(text)
    case .local: return .nothing
    case .boolean: return boolean(text).map { .value($0 ? "1" : "0") } ?? .invalid
    case .presence: return boolean(text).map { $0 ? .value("1") : .nothing } ?? .invalid
    case .oneOf(let words):
      let word = CleanText(text).text
      return words.contains(word) ? .value(word) : .invalid
    case .integer(let minimum):
      guard let number = integer(text), number >= minimum ?? .min else { return .invalid }
      return .value(String(number))
    case .number:
      if isPlain(text) { return .value(text) }
      return decimal(text).map { .value($0.wire) } ?? .invalid
    case .currency:
      if isPlain(text), text.utf8.count < 13 { return .value(text) }
      return decimal(text).flatMap(\.micros).map { .value(Amount(micros: $0).description) } ?? .invalid
    }
  }

  /// Whether a text is a whole number as it goes on the wire.
  private static func isPlain(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first, first != UInt8(ascii: "0") || bytes.count == 1 else { return false }
    return bytes.count < 19 && bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  private static func integer(_ text: String) -> Int64? {
    isPlain(text) ? Int64(text) : decimal(text)?.integer
  }

  private static func decimal(_ text: String) -> DecimalText? {
    let bytes = trimmed(text)
    if let number = DecimalText(bytes) { return number }
    return word(bytes).flatMap { DecimalText(($0 ? "1" : "0")[...].utf8) }
  }

  private static func boolean(_ text: String) -> Bool? {
    let bytes = trimmed(text)
    switch DecimalText(bytes)?.integer {
    case 1: return true
    case 0: return false
    default: return word(bytes)
    }
  }

  private static func word(_ bytes: Substring.UTF8View) -> Bool? {
    guard bytes.count <= 5 else { return nil }
    switch String(decoding: bytes.map { $0 | 0x20 }, as: UTF8.self) {
    case "true", "yes": return true
    case "false", "no": return false
    default: return nil
    }
  }

  private static func trimmed(_ text: String) -> Substring.UTF8View {
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || 9...13 ~= $0 }
    var bytes = text[...].utf8.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return bytes
  }
}
