import Dispatch
public import Hits

/// The app's data layer: what tags and macros see, fed by pushes (TM-510 to TM-525).
///
///     tagManager.dataLayer.push(["event": "openScreen", "screenName": "Home Screen"])
///
/// Pushes from any thread have one order. When `push` returns, the data is merged and `get` sees it everywhere. An event
/// is evaluated against the data as of its own push: on the caller's thread, or by the thread that is evaluating already.
public final class DataLayer: Sendable {
  private let state = Locked(DataLayerState())
  private let listeners = Broadcast<DataLayerUpdate>()
  private let environment: Environment
  private let evaluator: EventEvaluator
  private let writer: RowWriter
  /// Held while the kept rows are on their way.
  private let loading = DispatchGroup()

  init(environment: Environment, evaluator: EventEvaluator) {
    self.environment = environment
    self.evaluator = evaluator
    writer = RowWriter(storage: environment.ports.dataLayerStorage, settings: environment.settings)
    loading.enter()
    writer.load { [state, loading, environment] rows in
      let now = environment.ports.clock.wallMilliseconds
      let isLate = state.withLock { $0.load(rows, now: now) }
      loading.leave()
      if isLate {
        environment.log(.warning, "Kept data-layer values came late and were laid under what had been pushed.")
      }
    }
  }

  /// Merges an update; when it holds a top-level `event`, the event is evaluated.
  ///
  /// Keys with dots are paths. Maps merge into maps and lists into lists, anything else replaces (TM-511, TM-512). An
  /// update beyond the bounds of TM-516 is refused as a whole, which the outcome tells.
  @discardableResult
  public func push(_ update: [String: Value], scope: PushScope = .model) -> PushReceipt {
    let push = Push(
      update, scope: scope, time: environment.ports.clock.wallMilliseconds, by: ThreadIdentity.current)
    let admission = withState { $0.push(push) }
    let disposition: PushOutcome.Disposition
    switch admission.result {
    case .rejected(let rejection):
      environment.log(.error, "A push was refused: \(rejection.rawValue). Nothing of it was applied.")
      disposition = .rejected(rejection)
    case .merged:
      announce(push, admission)
      disposition = .merged
    case .runs(let event):
      announce(push, admission)
      let receipt = evaluator.evaluate(event, in: self)
      evaluateWaiting()
      return receipt
    case .waits(let receipt):
      announce(push, admission)
      return receipt
    case .isLost(let event, let isFirst):
      announce(push, admission)
      if isFirst { tellLoop(event) }
      disposition = .dropped(.pushLoop)
    }
    let record = PushRecord(
      sequence: admission.sequence, time: push.time, event: push.event, disposition: disposition,
      traceDetail: environment.settings.traceDetail)
    evaluator.publish(record, of: update)
    return PushReceipt(record)
  }

  /// Merges one key.
  @discardableResult
  public func push(_ key: String, _ value: Value) -> PushReceipt { push([key: value]) }

  /// The value at a key or dotted path; nil when there is none (TM-513).
  public func get(_ key: String) -> Value? { model.value(at: key) }

  /// The whole content.
  public var snapshot: [String: Value] { model.root }

  /// Deletes a key and what is below it (TM-515).
  public func remove(_ key: String) { withState { $0.remove(key) } }

  /// Every update from now on, as it was pushed; of those a listener does not take in time, the newest 256 are kept.
  public var updates: AsyncStream<DataLayerUpdate> { listeners.stream() }

  /// How many updates some listener did not take in time (TM-525).
  public var lostUpdates: Int { listeners.lost }

  /// The content as a value.
  var model: DataLayerModel { withState { $0.model } }

  /// Sets a prefix to null and forgets what was kept of it (TM-545).
  func clear(prefix: String) {
    if let rows = withState({ $0.clear(prefix: prefix) }) { writer.store(rows) }
  }

  /// Takes a step between two events, at once or when those before it are evaluated.
  func perform(_ step: EvaluationWork.Step) {
    let thread = ThreadIdentity.current
    if state.withLock({ $0.enqueue(step, by: thread) }) { evaluateWaiting() }
  }

  /// What is pushed from now on, inside the step under way, came out of an event that is evaluated once more.
  func resumeChain(of event: PushedEvent) { state.withLock { $0.resumeChain(of: event) } }

  /// Waits until values with a lifetime, and what is kept for the life of the install, are handed to their storages.
  package func flush() {
    writer.flush()
    environment.facts.flush()
  }
}

extension DataLayer {
  /// Works on the state; the first call waits for the kept rows, at most 250 ms (TM-542).
  private func withState<Result>(_ body: (inout DataLayerState) -> Result) -> Result {
    let result = state.withLock { $0.isReady ? body(&$0) : nil }
    if let result { return result }
    // When the time is over the rows are laid under what is pushed meanwhile, which `load` sees by itself.
    _ = loading.wait(timeout: .now() + .milliseconds(250))
    return state.withLock { state in
      state.beReady()
      return body(&state)
    }
  }

  /// Does what waits, one thing at a time, in the order of the pushes.
  private func evaluateWaiting() {
    while let work = state.withLock({ $0.nextWork() }) {
      switch work {
      case .event(let waiting): evaluator.evaluate(waiting.event, for: waiting.receipt, in: self)
      case .step(let step): evaluator.perform(step, in: self)
      }
    }
  }

  /// Passes on what a merged update means outside the lock.
  private func announce(_ push: Push, _ admission: DataLayerState.Admission) {
    listeners.yield(DataLayerUpdate(sequence: admission.sequence, update: push.update))
    if let rows = admission.rows { writer.store(rows) }
    guard case .success(let check) = push.check else { return }
    if check.hasOwnKeys { environment.facts.record(push.update) }
    if let key = check.literalKey, environment.once.isFirst(.literalKey(key)) {
      environment.log(.warning, "Key '\(key)' has an empty segment, so it is stored as one key, dots and all.")
    }
    if check.hasNonFiniteNumbers, environment.once.isFirst(.nonFiniteNumber) {
      environment.log(.warning, "A pushed number is not finite; null is stored in its place.")
    }
    if push.lifetime == .invalid {
      environment.log(
        .warning, "gtm.lifetime of a push is no time such as 30s, 12h or 547d up to ten years; the push is not kept.")
    }
  }

  private func tellLoop(_ event: PushedEvent) {
    environment.log(
      .error,
      "Event '\(event.name)' was dropped: more than \(EventQueue<EvaluationWork>.chainLimit) events came out of one."
        + " Look for a tag or handler that pushes the event it fires on.")
  }
}

/// How long a pushed update is kept (TM-515).
public enum PushScope: Sendable, Hashable {
  /// In the data layer, for every later event.
  case model
  /// For the pushed event only; nothing is stored.
  case event
}

/// One update as it was pushed (TM-525).
public struct DataLayerUpdate: Sendable, Hashable {
  /// The push's place in the total order.
  public var sequence: UInt64
  /// The update, unmerged.
  public var update: [String: Value]

  /// Makes an update.
  public init(sequence: UInt64, update: [String: Value]) {
    self.sequence = sequence
    self.update = update
  }
}
