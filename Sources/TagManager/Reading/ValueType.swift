import Hits

/// The types that typed reading converts to (TM-503).
public enum ValueType: Sendable, Hashable, CaseIterable {
  case string
  case int
  case double
  case bool
}

extension Value {
  /// The value as one of the types; nil where it is none of that type and does not read as one.
  func converted(to type: ValueType, _ semantics: CompiledContainer.Semantics) -> Value? {
    switch type {
    case .string: .string(text(semantics))
    case .int: int64(semantics).map(Value.int)
    case .double: double(semantics).map(Value.double)
    case .bool: bool(semantics).map(Value.bool)
    }
  }
}
