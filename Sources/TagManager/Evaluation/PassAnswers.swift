import Hits

/// What one pass has asked, and the answers.
///
/// The pass looks here before it asks again (TM-615). Rules, predicates and macros of an outcome are told from it when
/// somebody wants to know: most outcomes are never read, and then cost no lists and no texts.
package struct PassAnswers: Sendable {
  private let plan: EvaluationPlan
  private let detail: TraceDetail
  var names = IndexMemo<NameResult>()
  var predicates = IndexMemo<PredicateAnswer>()
  var rules = IndexMemo<Verdict>()

  init(_ plan: EvaluationPlan, detail: TraceDetail) {
    self.plan = plan
    self.detail = detail
  }

  /// The rules that were looked at, in file order; none at detail `off`.
  package func ruleOutcomes() -> [RuleOutcome] {
    guard detail != .off else { return [] }
    var answers = self
    return rules.entries.sorted { $0.index < $1.index }.map { answers.outcome(ofRule: $0.index, $0.answer) }
  }

  /// What became of a rule that was decided.
  mutating func outcome(ofRule index: Int, _ verdict: Verdict) -> RuleOutcome {
    let rule = plan.container.rules[index]
    var looked: [PredicateOutcome] = []
    for condition in rule.conditions(plan.semantics) {
      guard let answer = predicates[condition.predicate] else { break }
      looked.append(
        PredicateOutcome(
          index: condition.predicate, function: plan.predicates[condition.predicate].function.rawValue,
          negated: condition.isNegated, result: answer.result.verdict == .isTrue, reason: answer.result.reason,
          arguments: answer.arguments))
      if Verdict(answer.result, isNegated: condition.isNegated, plan.semantics) != nil { break }
    }
    return RuleOutcome(
      index: index, id: rule.id, name: rule.name, passed: verdict == .passes, predicates: looked)
  }

  /// What was asked for by name, in the order of first asking; nothing at detail `off`.
  package func macroOutcomes() -> [MacroOutcome] {
    guard detail != .off else { return [] }
    return names.entries.map { index, result in
      var value: Value?
      if detail == .full, case .value(let found) = result.evaluated { value = found }
      return MacroOutcome(
        name: plan.names[index].name, chosen: result.chosen, reason: result.reason, cached: result.isCached,
        ambiguous: result.isAmbiguous, value: value)
    }
  }
}

extension Rule {
  /// A predicate and whether the rule wants it not true.
  struct Condition {
    let predicate: Int
    let isNegated: Bool
  }

  /// The rule's predicates in the order they are asked (TM-700).
  func conditions(_ semantics: CompiledContainer.Semantics) -> [Condition] {
    let positive = positive.map { Condition(predicate: $0, isNegated: false) }
    let negative = negative.map { Condition(predicate: $0, isNegated: true) }
    return semantics == .legacy ? negative + positive : positive + negative
  }
}
