/// A rule: when it passes, its tags and macros are added, others removed (TM-151).
///
/// All indexes stand in file order.
package struct Rule: Sendable, Hashable {
  /// The first id that annotates the rule, else `r<index>`.
  package var id: String
  /// The first name that annotates the rule; empty for none.
  package var name: String = ""
  /// Predicates that must be true.
  package var positive: [Int] = []
  /// Predicates that must not be true.
  package var negative: [Int] = []
  /// Tags that fire unless another passing rule removes them.
  package var addedTags: [Int] = []
  /// Tags that do not fire, whoever adds them (TM-800).
  package var removedTags: [Int] = []
  /// Macros that become candidates for their name (TM-640).
  package var addedMacros: [Int] = []
  /// Macros that are no candidates for their name.
  package var removedMacros: [Int] = []

  package init(id: String) { self.id = id }
}
