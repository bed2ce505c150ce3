/// Why a tag fires, or would not, for an update: the answer to "why did this tag not fire?" (TM-1112).
public struct Explanation: Sendable, Hashable, Codable {
  /// The tag's name as it was asked for.
  public var tag: String
  /// Whether the container has a tag of that name.
  public var isKnown: Bool
  /// Whether the tag would fire: some rule adds it and none removes it.
  public var fires: Bool
  /// Every rule that adds or removes the tag, in file order.
  public var rules: [RuleExplanation]

  /// Makes an explanation.
  public init(tag: String, isKnown: Bool, fires: Bool, rules: [RuleExplanation]) {
    self.tag = tag
    self.isKnown = isKnown
    self.fires = fires
    self.rules = rules
  }
}

/// What one rule says about a tag, and what would have to change.
public struct RuleExplanation: Sendable, Hashable, Codable {
  /// What the rule does with the tag when it passes.
  public enum Effect: String, Sendable, Hashable, Codable {
    case adds
    case removes
  }

  /// What the rule does with the tag when it passes.
  public var effect: Effect
  /// The rule's outcome, with the arguments of every predicate looked at.
  public var rule: RuleOutcome
  /// The predicate that kept the rule from passing; nil when it passed.
  public var decidedBy: PredicateOutcome?

  /// Makes an explanation.
  public init(effect: Effect, rule: RuleOutcome, decidedBy: PredicateOutcome?) {
    self.effect = effect
    self.rule = rule
    self.decidedBy = decidedBy
  }
}
