/// The free parameters of a custom hit as they may be stored (HQ-115, HQ-131, HQ-135, HQ-137).
///
/// A parameter is a text, a number, a boolean, or a list of flat objects. What is missing or empty is left out; what is
/// of another shape, or a number that is not finite, is left out and counted.
package struct ParameterHygiene: Sendable, Hashable {
  /// The parameters that are left.
  package private(set) var parameters: [String: Value] = [:]
  /// How many values were left out because they are none (`values.refused`).
  package private(set) var refused = 0
  /// What the app should know, by parameter.
  package private(set) var warnings: [FieldWarning] = []

  /// Cleans the parameters of a custom hit.
  package init(_ parameters: [String: Value]) {
    for (name, value) in parameters {
      guard !name.isEmpty else {
        refuse(name, .invalidName)
        continue
      }
      if case .list(let items) = value {
        self.parameters[name] = .list(items.compactMap { cleanItem($0, of: name) })
      } else {
        self.parameters[name] = cleanScalar(value, of: name)
      }
    }
  }

  private mutating func cleanItem(_ item: Value, of name: String) -> Value? {
    guard case .map(let entries) = item else {
      refuse(name, .wrongType)
      return nil
    }
    var cleaned: [String: Value] = [:]
    for (key, value) in entries { cleaned[key] = cleanScalar(value, of: name) }
    return .map(cleaned)
  }

  private mutating func cleanScalar(_ value: Value, of name: String) -> Value? {
    switch value {
    case .string(let text):
      let clean = CleanText(text).text
      return clean.isEmpty ? nil : .string(clean)
    case .double(let number) where !number.isFinite:
      refuse(name, .wrongType)
      return nil
    case .int, .double, .bool: return value
    case .null, .absent: return nil
    case .list, .map:
      refuse(name, .wrongType)
      return nil
    }
  }

  private mutating func refuse(_ name: String, _ reason: FieldWarning.Reason) {
    refused += 1
    warnings.append(FieldWarning(field: name, reason: reason))
  }
}
