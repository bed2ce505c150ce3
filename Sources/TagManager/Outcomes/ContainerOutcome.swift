/// What one event did in one container (TM-1110).
public struct ContainerOutcome: Sendable, Hashable, Codable {
  /// The container's id.
  public var id: String
  /// The version that was in force.
  public var version: String
  /// Which installed content that was, counted from 1.
  public var generation: Int
  /// Where the content came from.
  public var origin: ContainerOrigin
  /// Whether it was a draft under preview.
  public var isPreview: Bool
  /// Whether the event was held until the container was ready.
  public var replayed: Bool
  /// The rules that were looked at, in file order; none at detail `off`.
  public var rules: [RuleOutcome]
  /// How many rules wait for another event's name and were not looked at (TM-720).
  public var rulesSkippedByEvent: Int
  /// The tags that passing rules added and the tags these ran, in firing order; then the blocked ones.
  public var tags: [TagOutcome]
  /// The macros that were asked for, in the order of their first use; none at detail `off`.
  public var macros: [MacroOutcome]

  /// Makes an outcome.
  public init(
    id: String, version: String, generation: Int, origin: ContainerOrigin, isPreview: Bool = false,
    replayed: Bool = false, rules: [RuleOutcome] = [], rulesSkippedByEvent: Int = 0, tags: [TagOutcome] = [],
    macros: [MacroOutcome] = []
  ) {
    self.id = id
    self.version = version
    self.generation = generation
    self.origin = origin
    self.isPreview = isPreview
    self.replayed = replayed
    self.rules = rules
    self.rulesSkippedByEvent = rulesSkippedByEvent
    self.tags = tags
    self.macros = macros
  }
}

/// Where a container's content comes from (TM-101).
public enum ContainerOrigin: String, Sendable, Hashable, Codable {
  /// Nothing was found: a container without content.
  case empty
  /// Shipped with the app.
  case `default`
  /// Kept on disk from an earlier fetch.
  case saved
  /// Fetched.
  case network
  /// A draft under preview.
  case preview
}
