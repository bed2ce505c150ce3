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
    guard plan.container.rules[index].touchesMacros else {
      let verdict = decide(rule: index)
      answers.rules.add(verdict, for: index)
      return verdict
    }
    if let known = answers.rules[index] { return known }
    let verdict = decide(rule: index)
    answers.rules.set(verdict, for: index)
    return verdict
  }

  private mutating func decide(rule index: Int) -> Verdict {
    let rules = plan.container.rules
    return switch plan.semantics {
    case .legacy:
      decide(rules[index].negative, negated: true) ?? decide(rules[index].positive, negated: false) ?? .passes
    case .standard:
      decide(rules[index].positive, negated: false) ?? decide(rules[index].negative, negated: true) ?? .passes
    }
  }

  /// The verdict of predicates that keep a rule from passing; nil when none does.
  private mutating func decide(_ predicates: RuleIndexes, negated: Bool) -> Verdict? {
    for predicate in predicates {
      let result = answer(ofPredicate: predicate).result
      if let verdict = Verdict(result, isNegated: negated, plan.semantics) { return verdict }
    }
    return nil
  }

  /// Asks a predicate (TM-702, TM-703, TM-706).
  package mutating func answer(ofPredicate index: Int) -> PredicateAnswer {
    if plan.predicates[index].isShared, let known = answers.predicates[index] { return known }
    let answer = nested(.predicate(index)) { failure in
      PredicateAnswer(.failed(failure))
    } _: { pass in
      pass.newAnswer(ofPredicate: index)
    }
    if isUnderWay(.predicate(index)) { return answer }
    answers.predicates.add(answer, for: index)
    if let code = answer.result.diagnostic { remarks.append(.predicate(index, code)) }
    return answer
  }
}

extension Verdict {
  /// The verdict on a rule that a predicate keeps from passing; nil when it does not.
  init?(_ result: PredicateResult, isNegated: Bool, _ semantics: CompiledContainer.Semantics) {
    if result.verdict == .failed, semantics == .standard {
      self = .uncertain
    } else if (result.verdict == .isTrue) == isNegated {
      self = .fails
    } else {
      return nil
    }
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
      if verdict == .passes {
        for tag in plan.container.rules[index].addedTags { rulesOfTag.append((tag, index)) }
      }
      for tag in plan.container.rules[index].removedTags where removers[tag] == nil { removers[tag] = index }
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

  /// The parameters of a tag about to fire (TM-807).
  mutating func parameters(ofTag tag: Int) throws(EvaluationFailure) -> [String: Value] {
    spent = .zero
    return try arguments(plan.tags[tag].parameters)
  }
}
