/// A function with parameters: a macro, a tag or a predicate (TM-150).
package struct Call: Sendable, Hashable {
  /// The function's canonical name, or the raw id when it is unknown.
  package var function: FunctionName
  /// `instance_name`; empty for none.
  package var name: String = ""
  /// `instance_label`: what an author called a value collection.
  package var label: String?
  /// The parameters by key; of a key given twice the last counts.
  package var parameters: [String: ValueIndex] = [:]

  // Structural keys of macros.

  /// Never chosen as the default of its name (TM-641).
  package var isNotDefault = false
  /// What is pushed after the macro gave its value: a map or a list of maps (TM-650).
  package var pushAfterEvaluate: ValueIndex?

  // Structural keys of tags.

  /// A stable id for traces.
  package var tagID: String?
  /// Higher fires first (TM-801).
  package var priority: Int64 = 0
  /// At most once from open to close (TM-803).
  package var isOncePerLoad = false
  /// Not fired in preview (TM-806).
  package var isLiveOnly = false
  /// Tags run right before this one (TM-804).
  package var setupTags: [TagReference] = []
  /// Tags run right after this one (TM-804).
  package var teardownTags: [TagReference] = []
  /// Fires only from this wall time on, in milliseconds.
  package var scheduleStart: Int64?
  /// Fires only before this wall time, in milliseconds.
  package var scheduleEnd: Int64?
  /// The consent types that must be granted.
  package var consentRequired: [String] = []

  package init(_ function: FunctionName) { self.function = function }
}

/// A tag named by another tag, with the flag of TM-804.
package struct TagReference: Sendable, Hashable {
  /// The index among the container's tags.
  package var tag: Int
  /// What a failure stops: 1 on a setup, the main tag; 2 on a teardown, the teardown when the main tag failed.
  package var flag: Int
}
