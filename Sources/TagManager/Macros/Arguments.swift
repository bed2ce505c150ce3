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
}
