public import Hits

extension Container {
  /// Tells why a tag fires, or would not, for an update: the answer to "why did this tag not fire?" (TM-1112).
  ///
  /// Every rule that names the tag is evaluated against the present data layer with the update merged over it. Nothing
  /// fires, nothing is stored, and what macros would push is not pushed.
  public func explain(tag name: String, event update: [String: Value]) -> Explanation {
    guard let content = openContent else { return Explanation(tag: name, isKnown: false, fires: false, rules: []) }
    let plan = content.plan
    let tags = Set(plan.container.tags.indices.filter { plan.container.tags[$0].name == name })
    var pass = EvaluationPass(
      plan, context: context(of: content, seeing: update), cache: content.cache, detail: .full)
    var added: Set<Int> = []
    var removed: Set<Int> = []
    var rules: [RuleExplanation] = []
    for (index, rule) in plan.container.rules.enumerated() {
      let adds = tags.intersection(rule.addedTags)
      let removes = tags.intersection(rule.removedTags)
      guard !adds.isEmpty || !removes.isEmpty else { continue }
      let verdict = pass.verdict(ofRule: index)
      let outcome = pass.answers.outcome(ofRule: index, verdict)
      if verdict == .passes { added.formUnion(adds) }
      if verdict != .fails { removed.formUnion(removes) }
      let decidedBy = verdict == .passes ? nil : outcome.predicates.last
      if !adds.isEmpty { rules.append(RuleExplanation(effect: .adds, rule: outcome, decidedBy: decidedBy)) }
      if !removes.isEmpty { rules.append(RuleExplanation(effect: .removes, rule: outcome, decidedBy: decidedBy)) }
    }
    let fires = pass.context.event != nil && !added.subtracting(removed).isEmpty
    return Explanation(tag: name, isKnown: !tags.isEmpty, fires: fires, rules: rules)
  }

  private func context(of content: ContainerContent, seeing update: [String: Value]) -> MacroContext {
    var model = dataLayer.model
    do throws(PushRejection) {
      try model.push(update)
    } catch {
      // A push would apply nothing of it either, so the rules see the data layer as it is (TM-516).
      environment.log(.error, "\(id) An update to explain was refused: \(error.rawValue).")
    }
    return content.context(
      model: model, event: DataLayerModel.eventName(of: update), update: update,
      time: environment.ports.clock.wallMilliseconds)
  }
}
