import Hits

/// How much a container may hold; every bound is checked before anything of that size is allocated (§100.6, TM-161).
public struct DecodeLimits: Sendable, Hashable {
  /// The encoded container, in bytes.
  public var bytes = 16 << 20
  /// How deep messages, JSON and values nest; never more than 512.
  public var depth = 64
  /// Property names of a binary container.
  public var keys = 65_536
  /// Key and value pairs of a binary container.
  public var properties = 1 << 20
  /// Values, shared ones counted once.
  public var values = 1 << 20
  /// Macros.
  public var macros = 50_000
  /// Tags.
  public var tags = 50_000
  /// Predicates.
  public var predicates = 50_000
  /// Rules.
  public var rules = 50_000
  /// Parameters of one call.
  public var parametersPerCall = 1_000
  /// Indexes of one rule, all its lists together.
  public var indexesPerRule = 50_000
  /// One text, in bytes.
  public var textBytes = 1 << 20
  /// Nodes of one value, were it fully expanded.
  public var expandedNodes = 1_000_000

  /// Makes the limits of the specification.
  public init() {}

  /// The limits of the specification.
  public static let standard = DecodeLimits()

  /// The limits as those of a JSON text.
  var json: JSONLimits { JSONLimits(bytes: bytes, depth: depth, textBytes: textBytes) }

  func maximum(of kind: FunctionKind) -> Int {
    switch kind {
    case .macro: macros
    case .tag: tags
    case .predicate: predicates
    }
  }
}
