/// A count with what is counted, as a sentence says it: `1 hit`, `2 hits`.
package enum CountText {
  /// The count and the noun in its number.
  ///
  /// - Parameters:
  ///   - one: the noun for one.
  ///   - many: the noun for none and for several; the one with an `s` without this.
  package static func text(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
  }
}
