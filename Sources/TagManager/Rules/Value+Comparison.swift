import Hits

/// Values as predicates and lookup tables compare them: in standard semantics null is the word, and the number 0
/// (TM-706).
extension Value {
  /// The text to compare.
  func comparisonText(_ semantics: CompiledContainer.Semantics) -> String {
    if case .null = self, semantics == .standard { "null" } else { text(semantics) }
  }

  /// The number to compare; nil when the value is none.
  func comparisonNumber(_ semantics: CompiledContainer.Semantics) -> DecimalNumber? {
    if case .null = self, semantics == .standard { .whole(0) } else { number(semantics) }
  }
}
