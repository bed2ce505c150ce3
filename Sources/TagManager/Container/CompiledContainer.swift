package import Hits

/// A container, decoded: what every input form becomes, and all that evaluation ever sees (TM-102).
///
/// Macros, tags, predicates and rules stand in file order, which is significant (TM-640, TM-720, TM-801). Their
/// parameters are indexes into one pool, so that a pool which refers to itself many times cannot grow (TM-152).
public struct CompiledContainer: Sendable, Hashable {
  /// The id the file itself names; binary and flat forms name none.
  public var id: ContainerID?
  /// The version's text; may be empty.
  public var version: String
  /// The publisher's opaque digest of the content.
  public var fingerprint: String?
  /// How many publishes came before, counted by the server.
  public var sequence: Int64?
  /// When it was published, in milliseconds since 1970 UTC.
  public var publishedAt: Int64?
  /// The environment it was published to.
  public var environment: String
  /// What it was made for, such as `ios`; empty for anything.
  public var usageContext: [String]
  /// Which family of rules its evaluation follows.
  public var semantics: Semantics
  /// The macros in file order.
  package var macros: [Call]
  /// The tags in file order.
  package var tags: [Call]
  /// The predicates in file order.
  package var predicates: [Call]
  /// The rules in file order.
  package var rules: [Rule]
  /// The values that parameters refer to.
  package var pool: ValuePool
  /// What is pushed once after the container is in force (TM-126).
  package var supplementals: [Supplemental]

  /// Which family of rules evaluation follows; they part in templates, rule order and failed predicates.
  public enum Semantics: String, Sendable, Hashable {
    /// Binary and flat input, as the mobile SDKs evaluated it.
    case legacy
    /// Compiled JSON, as the web engine evaluates it.
    case standard
  }

  package init(
    id: ContainerID? = nil, version: String = "", fingerprint: String? = nil, sequence: Int64? = nil,
    publishedAt: Int64? = nil, environment: String = "live", usageContext: [String] = [],
    semantics: Semantics = .standard, macros: [Call] = [], tags: [Call] = [], predicates: [Call] = [],
    rules: [Rule] = [], pool: ValuePool = ValuePool(), supplementals: [Supplemental] = []
  ) {
    self.id = id
    self.version = version
    self.fingerprint = fingerprint
    self.sequence = sequence
    self.publishedAt = publishedAt
    self.environment = environment
    self.usageContext = usageContext
    self.semantics = semantics
    self.macros = macros
    self.tags = tags
    self.predicates = predicates
    self.rules = rules
    self.pool = pool
    self.supplementals = supplementals
  }

  /// A container without content, in force until one is loaded (TM-203).
  public static let empty = CompiledContainer()
}

/// One group of values that a server adds for an experiment (TM-124, TM-126).
package struct Supplemental: Sendable, Hashable {
  package var name: String
  package var valuesToPush: [Value] = []
  package var keysToClear: [String] = []
  package var randoms: [ExperimentRandom] = []

  package init(name: String) { self.name = name }
}

/// A number that a server asks the app to draw and keep.
package struct ExperimentRandom: Sendable, Hashable {
  package var key: String
  package var range: ClosedRange<Int64>
  package var keepsOriginal: Bool
  package var lifetimeMilliseconds: Int64

  package init(key: String, range: ClosedRange<Int64>, keepsOriginal: Bool, lifetimeMilliseconds: Int64) {
    self.key = key
    self.range = range
    self.keepsOriginal = keepsOriginal
    self.lifetimeMilliseconds = lifetimeMilliseconds
  }
}
