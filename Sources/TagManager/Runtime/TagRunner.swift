import Hits

/// Fires the tags of one event in one container, in order, and tells what became of each (TM-800 to TM-809).
///
/// The pass evaluates, the sequence orders, the tags say what they want done; here it is done.
struct TagRunner {
  let container: Container
  let content: ContainerContent
  let event: PushedEvent
  private var pass: EvaluationPass
  private var filtersBlockedBy: String?
  private var outcomes: [TagOutcome] = []

  init(container: Container, content: ContainerContent, event: PushedEvent, detail: TraceDetail) {
    self.container = container
    self.content = content
    self.event = event
    let context = content.context(model: event.model, event: event.name, update: event.update, time: event.time)
    pass = EvaluationPass(content.plan, context: context, cache: content.cache, detail: detail)
  }

  /// Evaluates the rules that the event has to look at, fires what they decide, and tells all of it.
  mutating func run(_ rules: RuleIndex.Merged, _ outcome: inout ContainerOutcome) {
    outcome.tags = fire(pass.decide(by: rules))
    guard pass.detail != .off else { return }
    outcome.rules = pass.sortedRuleOutcomes()
    outcome.macros = pass.macroOutcomes()
  }

  /// Fires what was decided; blocked tags come last.
  private mutating func fire(_ decision: FiringDecision) -> [TagOutcome] {
    settlePass()
    guard !decision.fires.isEmpty || !decision.blocked.isEmpty else { return [] }
    let rules = Dictionary(uniqueKeysWithValues: decision.fires.map { ($0.tag, $0.rules) })
    outcomes.reserveCapacity(decision.fires.count + decision.blocked.count)
    var sequence = FiringSequence(decision.fires.map(\.tag), tags: tags)
    while let step = sequence.next() {
      switch step {
      case .admit(let tag):
        if let gate = closedGate(of: tag) {
          add(tag, rules[tag], status: .notFired(gate))
          sequence.settled(tag, failed: false)
        } else {
          sequence.admitted(tag)
        }
      case .skip(let tag):
        add(tag, rules[tag], status: .setupFailed)
        sequence.settled(tag, failed: true)
      case .fire(let tag):
        let outcome = fire(tag, rules[tag] ?? [])
        outcomes.append(outcome)
        sequence.settled(tag, failed: outcome.status.isFailure)
      }
    }
    for (addition, remover) in decision.blocked {
      add(addition.tag, addition.rules, status: .blocked(by: content.plan.container.rules[remover].id))
    }
    return outcomes
  }

  private var tags: [Call] { content.plan.container.tags }

  private mutating func add(_ tag: Int, _ rules: [Int]?, status: TagOutcome.Status) {
    outcomes.append(outcome(of: tag, rules ?? [], status: status))
  }

  private func outcome(of tag: Int, _ rules: [Int], status: TagOutcome.Status) -> TagOutcome {
    let call = tags[tag]
    return TagOutcome(
      index: tag, id: call.tagID, name: call.name, function: call.function.rawValue, status: status,
      rules: pass.detail == .off ? [] : rules)
  }

  /// The first gate that keeps a tag from firing (TM-803, TM-806).
  private func closedGate(of tag: Int) -> TagOutcome.Gate? {
    let call = tags[tag].structuralKeys
    if call.isOncePerLoad, container.isSpent(.init(tags[tag], index: tag)) { return .oncePerLoad }
    if !call.consentRequired.isEmpty {
      let consent = container.environment.settings.consent
      guard call.consentRequired.allSatisfy(consent.allows) else { return .consent }
    }
    if let start = call.scheduleStart, event.time < start { return .schedule }
    if let end = call.scheduleEnd, event.time >= end { return .schedule }
    if call.isLiveOnly, content.origin == .preview { return .liveOnly }
    return nil
  }

  private mutating func fire(_ tag: Int, _ rules: [Int]) -> TagOutcome {
    let clock = container.environment.ports.clock
    let start = clock.ageClock
    let call = tags[tag]
    if call.isOncePerLoad { container.spend(.init(call, index: tag)) }
    var outcome = outcome(of: tag, rules, status: .fired)
    do throws(TagFailure) {
      let parameters: [String: Value]
      do throws(EvaluationFailure) {
        parameters = try pass.parameters(ofTag: tag)
      } catch {
        throw .evaluation(error)
      }
      settlePass()
      if pass.detail == .full { outcome.parameters = parameters }
      let tagCall = TagCall(
        name: call.name, function: call.function, parameters: parameters, event: event.name, update: event.update,
        semantics: content.plan.semantics)
      if let blocker = filtersBlockedBy, tagCall.isFilter {
        outcome.status = .blocked(by: blocker)
      } else {
        try perform(tagCall, &outcome)
      }
    } catch {
      settlePass()
      outcome.status = .failed(error)
    }
    outcome.duration = clock.microseconds(since: start)
    return outcome
  }

  private mutating func perform(_ call: TagCall, _ outcome: inout TagOutcome) throws(TagFailure) {
    if let tag = BuiltInTags[call.function] {
      var performer = EffectPerformer(container: container, content: content)
      for effect in try tag.effects(of: call, in: container.tagContext(of: event)) {
        if case .blockFilters = effect { filtersBlockedBy = call.name } else { performer.perform(effect) }
      }
      outcome.hitIDs = performer.hitIDs
      outcome.status = performer.status
    } else if let function = container.environment.tagFunctions[call.function] {
      do {
        try function.fire(call)
      } catch let failure as TagFailure {
        throw failure
      } catch {
        container.environment.log(.error, "\(container.id) Tag '\(call.name)' failed: \(error)")
        throw .handler
      }
    } else {
      throw .evaluation(.unknownFunction)
    }
  }

  /// Does what the pass has asked for on its way: nested pushes, and words to the author.
  private mutating func settlePass() {
    for update in pass.takePushes() { container.dataLayer.push(update) }
    content.tell(pass.takeRemarks())
  }
}

extension TagOutcome.Status {
  /// Whether a tag that needs this one must not fire (TM-804).
  fileprivate var isFailure: Bool {
    switch self {
    case .failed, .setupFailed: true
    case .fired, .started, .blocked, .notFired: false
    }
  }
}

extension TagCall {
  /// Whether a measurement tag that blocks keeps this one from firing (TM-845).
  fileprivate var isFilter: Bool { function == .measurementEvent && parameters["action"] == "filter" }
}
