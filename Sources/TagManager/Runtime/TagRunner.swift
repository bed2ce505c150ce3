import Hits

/// Fires the tags of one event in one container, in order, and tells what became of each (TM-800 to TM-809).
///
/// The pass evaluates, the sequence orders, the tags say what they want done; here it is done.
struct TagRunner {
  let container: Container
  let content: ContainerContent
  let event: PushedEvent
  private(set) var watch: Stopwatch
  private var pass: EvaluationPass
  private var filtersBlockedBy: String?

  init(
    container: Container, content: ContainerContent, event: PushedEvent, detail: TraceDetail, _ watch: Stopwatch
  ) {
    self.container = container
    self.content = content
    self.event = event
    self.watch = watch
    let context = content.context(model: event.model, event: event.name, update: event.update, time: event.time)
    pass = EvaluationPass(content.plan, context: context, cache: content.cache, detail: detail)
  }

  /// What the pass has asked so far.
  var answers: PassAnswers { pass.answers }

  /// Evaluates the rules that the event has to look at, and fires what they decide; blocked tags come last.
  mutating func run(_ rules: RuleIndex.Merged) -> [TagOutcome] {
    let decision = pass.decide(by: rules)
    settlePass()
    _ = watch.lap()
    guard !decision.fires.isEmpty || !decision.blocked.isEmpty else { return [] }
    var rulesOfTag = IndexMemo<[Int]>()
    for addition in decision.fires { rulesOfTag.add(addition.rules, for: addition.tag) }
    var outcomes: [TagOutcome] = []
    outcomes.reserveCapacity(decision.fires.count + decision.blocked.count)
    var sequence = FiringSequence(decision.fires.lazy.map(\.tag), tags: tags)
    while let step = sequence.next() {
      switch step {
      case .admit(let tag):
        if let gate = closedGate(of: tag) {
          outcomes.append(outcome(of: tag, rulesOfTag[tag] ?? [], status: .notFired(gate)))
          sequence.settled(tag, failed: false)
        } else {
          sequence.admitted(tag)
        }
      case .skip(let tag):
        outcomes.append(outcome(of: tag, rulesOfTag[tag] ?? [], status: .setupFailed))
        sequence.settled(tag, failed: true)
      case .fire(let tag):
        let outcome = fire(tag, rulesOfTag[tag] ?? [])
        sequence.settled(tag, failed: outcome.status.isFailure)
        outcomes.append(outcome)
      }
    }
    for (addition, remover) in decision.blocked {
      let rule = content.plan.container.rules[remover].id
      outcomes.append(outcome(of: addition.tag, addition.rules, status: .blocked(by: rule)))
    }
    return outcomes
  }

  private var tags: [Call] { content.plan.container.tags }

  private func outcome(of tag: Int, _ rules: [Int], status: TagOutcome.Status) -> TagOutcome {
    let call = tags[tag]
    return TagOutcome(
      index: tag, id: call.tagID, name: call.name, function: call.function.rawValue, status: status,
      rules: pass.detail == .off ? [] : rules)
  }

  /// The first gate that keeps a tag from firing (TM-803, TM-806).
  private func closedGate(of tag: Int) -> TagOutcome.Gate? {
    guard let call = tags[tag].ownStructuralKeys else { return nil }
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
    if tags[tag].isOncePerLoad { container.spend(.init(tags[tag], index: tag)) }
    var outcome = outcome(of: tag, rules, status: .fired)
    var handler: String?
    do throws(TagFailure) {
      let parameters: [String: Value]
      do throws(EvaluationFailure) {
        parameters = try pass.parameters(ofTag: tag)
      } catch {
        throw .evaluation(error)
      }
      settlePass()
      // The app's macros take their own time, which a slow handler of the tag is not to be blamed for (TM-822).
      if content.plan.tags[tag].parameters.constant == nil { outcome.duration = watch.lap() }
      if pass.detail == .full { outcome.parameters = parameters }
      let call = TagCall(
        name: tags[tag].name, function: tags[tag].function, parameters: parameters, event: event.name,
        update: event.update, semantics: content.plan.semantics)
      if let blocker = filtersBlockedBy, call.isFilter {
        outcome.status = .blocked(by: blocker)
      } else {
        handler = try perform(tag, call, &outcome)
      }
    } catch {
      settlePass()
      outcome.status = .failed(error)
    }
    let time = watch.lap()
    outcome.duration += time
    if let handler, time > Self.slowHandlerMicroseconds { tellSlow(handler, time) }
    return outcome
  }

  /// Fires a tag; gives the name of the app's handler that did the work, if one did.
  private mutating func perform(
    _ tag: Int, _ call: TagCall, _ outcome: inout TagOutcome
  ) throws(TagFailure) -> String? {
    if let implementation = content.plan.tags[tag].implementation {
      var performer = EffectPerformer(container: container, content: content)
      for effect in try implementation.effects(of: call, in: container.tagContext(of: event)) {
        if case .blockFilters = effect { filtersBlockedBy = call.name } else { performer.perform(effect) }
      }
      outcome.hitIDs = performer.hitIDs
      outcome.status = performer.status
      return performer.calledHandler
    }
    guard let function = container.environment.tagFunctions[call.function] else {
      throw .evaluation(.unknownFunction)
    }
    do {
      if try function.fire(call) == .started { outcome.status = .started }
    } catch let failure as TagFailure {
      throw failure
    } catch {
      container.environment.log(.error, "\(container.id) Tag '\(call.name)' failed: \(error)")
      throw .handler
    }
    return nil
  }

  private static let slowHandlerMicroseconds = 100_000

  private func tellSlow(_ handler: String, _ microseconds: Int64) {
    guard container.environment.once.isFirst(.slowHandler(handler)) else { return }
    container.environment.log(
      .warning,
      "\(container.id) The handler of '\(handler)' took \(microseconds / 1_000) ms; events wait for it meanwhile.")
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
