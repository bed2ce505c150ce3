/// A function with parameters: a macro, a tag or a predicate (TM-150).
package struct Call: Sendable, Hashable {
  /// The function's canonical name, or the raw id when it is unknown.
  package var function: FunctionName
  /// `instance_name`; empty for none.
  package var name: String = ""
  /// The parameters by key; of a key given twice the last counts.
  package var parameters = Parameters()
  private var structure = Structure.none

  package init(_ function: FunctionName) { self.function = function }

  /// The structural keys apart from the name, in a box, for most calls have none of them.
  private indirect enum Structure: Sendable, Hashable {
    case none
    case keys(StructuralKeys)
  }

  /// The structural keys that the file sets, with the defaults of the others; nil when it sets none.
  package var ownStructuralKeys: StructuralKeys? {
    if case .keys(let keys) = structure { keys } else { nil }
  }

  /// The structural keys, all at their defaults unless the file sets them.
  package var structuralKeys: StructuralKeys {
    get { ownStructuralKeys ?? StructuralKeys() }
    set { structure = newValue == StructuralKeys() ? .none : .keys(newValue) }
  }
}

/// What a call says about itself besides its function, name and parameters (TM-150).
package struct StructuralKeys: Sendable, Hashable {
  /// `instance_label`: what an author called a value collection.
  package var label: String?

  // Keys of macros.

  /// Never chosen as the default of its name (TM-641).
  package var isNotDefault = false
  /// What is pushed after the macro gave its value: a map or a list of maps (TM-650).
  package var pushAfterEvaluate: ValueIndex?

  // Keys of tags.

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

  package init() {}
}

extension Call {
  package var label: String? {
    get { ownStructuralKeys?.label }
    set { structuralKeys.label = newValue }
  }
  package var isNotDefault: Bool {
    get { ownStructuralKeys?.isNotDefault ?? false }
    set { structuralKeys.isNotDefault = newValue }
  }
  package var pushAfterEvaluate: ValueIndex? {
    get { ownStructuralKeys?.pushAfterEvaluate }
    set { structuralKeys.pushAfterEvaluate = newValue }
  }
  package var tagID: String? {
    get { ownStructuralKeys?.tagID }
    set { structuralKeys.tagID = newValue }
  }
  package var priority: Int64 {
    get { ownStructuralKeys?.priority ?? 0 }
    set { structuralKeys.priority = newValue }
  }
  package var isOncePerLoad: Bool {
    get { ownStructuralKeys?.isOncePerLoad ?? false }
    set { structuralKeys.isOncePerLoad = newValue }
  }
  package var isLiveOnly: Bool {
    get { ownStructuralKeys?.isLiveOnly ?? false }
    set { structuralKeys.isLiveOnly = newValue }
  }
  package var setupTags: [TagReference] {
    get { ownStructuralKeys?.setupTags ?? [] }
    set { structuralKeys.setupTags = newValue }
  }
  package var teardownTags: [TagReference] {
    get { ownStructuralKeys?.teardownTags ?? [] }
    set { structuralKeys.teardownTags = newValue }
  }
  package var scheduleStart: Int64? {
    get { ownStructuralKeys?.scheduleStart }
    set { structuralKeys.scheduleStart = newValue }
  }
  package var scheduleEnd: Int64? {
    get { ownStructuralKeys?.scheduleEnd }
    set { structuralKeys.scheduleEnd = newValue }
  }
  package var consentRequired: [String] {
    get { ownStructuralKeys?.consentRequired ?? [] }
    set { structuralKeys.consentRequired = newValue }
  }
}

/// A tag named by another tag, with the flag of TM-804.
package struct TagReference: Sendable, Hashable {
  /// The index among the container's tags.
  package var tag: Int
  /// 1 on a setup: its failure stops the main tag; 2 on a teardown: not run when the main tag failed.
  package var flag: Int

  package init(tag: Int, flag: Int = 0) {
    self.tag = tag
    self.flag = flag
  }
}
