import Hits

/// What a rule comes to.
package enum Verdict: Sendable, Hashable {
  case passes
  case fails
  /// A predicate failed in `standard` semantics: nothing is added, but what the rule blocks is blocked (TM-703).
  case uncertain
}

extension EvaluationPass {
  /// Decides a rule; the first predicate that decides ends it (TM-700).
  package mutating func verdict(ofRule index: Int) -> Verdict {
    // Only the rules that choose macros are asked for more than once.
    let isShared = plan.container.rules[index].touchesMacros
    if isShared, let known = verdicts[index] { return known }
    let (verdict, outcome) = decide(rule: index)
    if isShared { verdicts[index] = verdict }
    if let outcome { ruleOutcomes.append(outcome) }
    return verdict
  }

  /// Decides a rule and tells how, at any detail but `off` (TM-1111).
  mutating func decide(rule index: Int) -> (Verdict, RuleOutcome?) {
    let rule = plan.container.rules[index]
    var looked: [PredicateOutcome] = []
    let verdict: Verdict
    switch plan.semantics {
    case .legacy:
      verdict =
        decide(rule.negative, negated: true, &looked) ?? decide(rule.positive, negated: false, &looked) ?? .passes
    case .standard:
      verdict =
        decide(rule.positive, negated: false, &looked) ?? decide(rule.negative, negated: true, &looked) ?? .passes
    }
    guard detail != .off else { return (verdict, nil) }
    let outcome = RuleOutcome(
      index: index, id: rule.id, name: rule.name, passed: verdict == .passes, predicates: looked)
    return (verdict, outcome)
  }

  /// The verdict of predicates that keep a rule from passing; nil when none does.
  private mutating func decide(_ predicates: RuleIndexes, negated: Bool, _ looked: inout [PredicateOutcome]) -> Verdict?
  {
    for predicate in predicates {
      let answer = answer(ofPredicate: predicate)
      let isTrue = answer.result.verdict == .isTrue
      if detail != .off {
        looked.append(
          PredicateOutcome(
            index: predicate, function: plan.predicates[predicate].function.rawValue, negated: negated,
            result: isTrue, reason: answer.result.reason, arguments: answer.arguments))
      }
      if answer.result.verdict == .failed, plan.semantics == .standard { return .uncertain }
      if isTrue == negated { return .fails }
    }
    return nil
  }

  /// Asks a predicate (TM-702, TM-703, TM-706).
  package mutating func answer(ofPredicate index: Int) -> PredicateAnswer {
    if let known = predicateAnswers[index] { return known }
    let predicate = plan.predicates[index]
    let answer = nested(.predicate(index)) { failure in
      PredicateAnswer(.failed(failure))
    } _: { pass in
      pass.answer(of: predicate)
    }
    if isUnderWay(.predicate(index)) { return answer }
    predicateAnswers[index] = answer
    if let code = answer.result.diagnostic { remarks.append(.predicate(index, code)) }
    return answer
  }
}

/// What an event causes in a container, before anything is done.
package struct FiringDecision: Sendable {
  /// A tag and the passing rules that added it.
  package struct Addition: Sendable, Hashable {
    package var tag: Int
    package var rules: [Int]
  }

  /// The tags to fire, in firing order (TM-800, TM-801).
  package var fires: [Addition] = []
  /// The tags that were added and removed, each with the first rule that removed it, in the same order.
  package var blocked: [(addition: Addition, by: Int)] = []
}

extension EvaluationPass {
  /// Evaluates the rules that an event of this name has to look at, and decides which tags fire.
  package mutating func decide(event: String) -> FiringDecision { decide(by: plan.tagRules.rules(for: event)) }

  /// Evaluates rules, and decides which tags fire.
  package mutating func decide(by rules: RuleIndex.Merged) -> FiringDecision {
    var rulesOfTag: [(tag: Int, rule: Int)] = []
    var removers: [Int: Int] = [:]
    for index in rules {
      let verdict = verdict(ofRule: index)
      guard verdict != .fails else { continue }
      let rule = plan.container.rules[index]
      if verdict == .passes { rulesOfTag += rule.addedTags.map { ($0, index) } }
      for tag in rule.removedTags where removers[tag] == nil { removers[tag] = index }
    }
    guard !rulesOfTag.isEmpty else { return FiringDecision() }
    let tags = plan.tags
    rulesOfTag.sort { (tags[$0.tag].rank, $0.rule) < (tags[$1.tag].rank, $1.rule) }
    var decision = FiringDecision()
    var next = 0
    while next < rulesOfTag.count {
      var addition = FiringDecision.Addition(tag: rulesOfTag[next].tag, rules: [])
      while next < rulesOfTag.count, rulesOfTag[next].tag == addition.tag {
        if addition.rules.last != rulesOfTag[next].rule { addition.rules.append(rulesOfTag[next].rule) }
        next += 1
      }
      if let remover = removers[addition.tag] {
        decision.blocked.append((addition, remover))
      } else {
        decision.fires.append(addition)
      }
    }
    return decision
  }

  /// The rules that were looked at, in file order.
  package func sortedRuleOutcomes() -> [RuleOutcome] {
    zip(ruleOutcomes, ruleOutcomes.dropFirst()).allSatisfy { $0.index < $1.index }
      ? ruleOutcomes : ruleOutcomes.sorted { $0.index < $1.index }
  }

  /// The parameters of a tag about to fire (TM-807).
  mutating func parameters(ofTag tag: Int) throws(EvaluationFailure) -> [String: Value] {
    spent = .zero
    return try arguments(plan.tags[tag].parameters)
  }
}
