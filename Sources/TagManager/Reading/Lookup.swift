public import Hits

/// What asking a container for a value gave, and why (TM-902).
public struct Lookup: Sendable, Hashable, Codable {
  /// The value; nil when there is none.
  public var value: Value?
  /// Why there is a value or none.
  public var reason: EvaluationReason
  /// Which macro answered, by its index in the container.
  public var macro: Int?
  /// The rule that added the macro, by its name or else its id; nil for a default.
  public var rule: String?
  /// Where the content in force comes from.
  public var origin: ContainerOrigin
  /// The version of the content in force.
  public var version: String

  /// Makes a result.
  public init(
    value: Value? = nil, reason: EvaluationReason, macro: Int? = nil, rule: String? = nil, origin: ContainerOrigin,
    version: String
  ) {
    self.value = value
    self.reason = reason
    self.macro = macro
    self.rule = rule
    self.origin = origin
    self.version = version
  }
}
