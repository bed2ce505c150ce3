public import Hits

/// What became of one rule (TM-1110).
public struct RuleOutcome: Sendable, Hashable, Codable {
  /// Its index among the container's rules.
  public var index: Int
  /// Its id.
  public var id: String
  /// Its name; may be empty.
  public var name: String
  /// Whether it passed.
  public var passed: Bool
  /// The predicates that were looked at, in order; the last one decided when the rule did not pass.
  public var predicates: [PredicateOutcome]

  /// Makes an outcome.
  public init(index: Int, id: String, name: String, passed: Bool, predicates: [PredicateOutcome]) {
    self.index = index
    self.id = id
    self.name = name
    self.passed = passed
    self.predicates = predicates
  }
}

/// What one predicate said (TM-1110).
public struct PredicateOutcome: Sendable, Hashable, Codable {
  /// Its index among the container's predicates.
  public var index: Int
  /// Its function's name.
  public var function: String
  /// Whether the rule wants it not true.
  public var negated: Bool
  /// Whether it is true, before negation.
  public var result: Bool
  /// Why.
  public var reason: Reason
  /// Its arguments by key, at detail `full` only.
  public var arguments: [String: Value]?

  /// Makes an outcome.
  public init(
    index: Int, function: String, negated: Bool, result: Bool, reason: Reason, arguments: [String: Value]? = nil
  ) {
    self.index = index
    self.function = function
    self.negated = negated
    self.result = result
    self.reason = reason
    self.arguments = arguments
  }

  /// Why a predicate says what it says.
  public enum Reason: Sendable, Hashable {
    /// Both arguments were there.
    case compared
    /// An argument has no value, so nothing is true of it (TM-702).
    case missing(String)
    /// It could not be evaluated (TM-703).
    case failed(EvaluationFailure)
  }
}

extension PredicateOutcome.Reason: BracketedText {
  /// Reads a text such as `missing(arg0)`.
  public init?(_ text: String) {
    let parts = BracketedParts(text)
    switch (parts.name, parts.argument) {
    case ("compared", nil): self = .compared
    case ("missing", let argument?): self = .missing(argument)
    case ("failed", let argument?):
      guard let failure = EvaluationFailure(argument) else { return nil }
      self = .failed(failure)
    default: return nil
    }
  }

  /// The name, with its argument in brackets.
  public var description: String {
    switch self {
    case .compared: "compared"
    case .missing(let argument): "missing(\(argument))"
    case .failed(let failure): "failed(\(failure))"
    }
  }
}
