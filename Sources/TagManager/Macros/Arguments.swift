package import Hits

/// The evaluated parameters of one call; a missing parameter is not there, or `absent` inside a list or map (TM-611).
package struct Arguments: Sendable, Hashable {
  package var values: [String: Value]
  /// The text forms differ between the two families (TM-502).
  package var semantics: CompiledContainer.Semantics

  package init(_ values: [String: Value], semantics: CompiledContainer.Semantics = .standard) {
    self.values = values
    self.semantics = semantics
  }

  /// The value of a key; nil when it is missing.
  package subscript(key: String) -> Value? {
    guard let value = values[key], !value.isAbsent else { return nil }
    return value
  }

  /// The text form of a key's value; nil when it is missing.
  package func text(_ key: String) -> String? { self[key]?.text(semantics) }

  /// Whether a key's value is true.
  package func isTrue(_ key: String) -> Bool { self[key]?.bool(semantics) == true }

  /// The whole number of a key's value; nil when it is missing or none.
  package func int64(_ key: String) -> Int64? { self[key]?.int64(semantics) }

  /// The value that an author set for when there is no other: `defaultValue`, also `default_value`, unless
  /// `setDefaultValue` is false.
  package var defaultValue: Evaluated {
    if self["setDefaultValue"]?.bool(semantics) == false { return .missing(.noValue) }
    return Evaluated(self["defaultValue"] ?? self["default_value"])
  }
}
