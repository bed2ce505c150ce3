package import Hits

/// What typed getters and numeric predicates make of a value; nil where the conversion fails (TM-503).
extension Value {
  /// The number that the value is, or that its text form reads as (TM-504).
  package func number(_ semantics: CompiledContainer.Semantics) -> DecimalNumber? {
    switch self {
    case .int(let number): .whole(number)
    case .double(let number): number.isNaN ? nil : .real(number)
    case .bool, .null, .absent, .map: nil
    case .string(let text): DecimalNumber(text)
    case .list: DecimalNumber(text(semantics))
    }
  }

  /// The whole number, cut toward zero.
  package func int64(_ semantics: CompiledContainer.Semantics) -> Int64? { number(semantics)?.truncated }

  /// The number; nil also where it is beyond the greatest double.
  package func double(_ semantics: CompiledContainer.Semantics) -> Double? {
    guard let number = number(semantics)?.double, number.isFinite else { return nil }
    return number
  }

  /// True or false, when the text form is one of these words in any case.
  package func bool(_ semantics: CompiledContainer.Semantics) -> Bool? {
    if case .bool(let flag) = self { return flag }
    return switch text(semantics).lowercased() {
    case "true": true
    case "false": false
    default: nil
    }
  }
}
