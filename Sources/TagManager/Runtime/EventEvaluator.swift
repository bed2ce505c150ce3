import Hits

/// Evaluates events in the open containers, one event at a time, and tells what came of each.
///
/// All but `publish` runs on the evaluating thread, between two events (TM-522).
final class EventEvaluator: Sendable {
  private let environment: Environment
  private let registry: ContainerRegistry
  /// Every push's outcome, for whoever listens (TM-1113).
  let outcomes = Broadcast<PushOutcome>()
  /// nil where early events are lost (TM-560).
  private let held: Locked<HeldEvents>?
  private let alarm = Locked<Task<Void, Never>?>(nil)

  init(environment: Environment, registry: ContainerRegistry) {
    self.environment = environment
    self.registry = registry
    held =
      switch environment.configuration.earlyEvents {
      case .discard: nil
      case .buffer(let limit, let maximumAge):
        Locked(HeldEvents(limit: limit, maximumAge: maximumAge.wholeMilliseconds))
      }
  }

  deinit { alarm.withLock { $0?.cancel() } }

  /// Evaluates an event in every container that is ready, and holds it for the others.
  ///
  /// - Parameter receipt: what its pusher waits by; nil when the pusher evaluates it.
  @discardableResult
  func evaluate(_ event: PushedEvent, for receipt: PushReceipt? = nil, in dataLayer: DataLayer) -> PushReceipt {
    let detail = environment.settings.evaluationDetail
    var watch = Stopwatch(environment.ports.clock)
    var parts: [HeldEvents.Part] = []
    var awaited: [HeldEvents.Opening] = []
    for container in registry.open {
      switch container.turn(of: event, isHeldUntilReady: held != nil) {
      case .closed: break
      case .held: awaited.append(container.opening)
      case .now(let content):
        let record = container.evaluate(event, with: content, detail: detail, &watch)
        parts.append(HeldEvents.Part(opening: container.opening, record: record))
      }
    }
    guard let held else { return settle(event, receipt, parts, watch.total, detail) }
    if awaited.isEmpty, !parts.isEmpty {
      tell(held.withLock { $0.keep(event) })
      return settle(event, receipt, parts, watch.total, detail)
    }
    let receipt = receipt ?? PushReceipt(sequence: event.sequence)
    receipt.hold()
    let settlements = held.withLock { held in
      held.hold(event, for: receipt, parts: parts, duration: watch.total, awaitedBy: awaited)
    }
    tell(settlements)
    setAlarm(dataLayer)
    return receipt
  }

  /// Takes a step between two events.
  func perform(_ step: EvaluationWork.Step, in dataLayer: DataLayer) {
    switch step {
    case .opened(let container): held?.withLock { $0.opened(container.opening) }
    case .ready(let container): release(container, dataLayer)
    case .closed(let container): tell(held?.withLock { $0.closed(container.opening) } ?? [])
    case .expire:
      let now = now
      tell(held?.withLock { $0.expire(at: now) } ?? [])
      setAlarm(dataLayer)
    }
  }

  /// Passes on what is final of a push.
  func publish(_ record: PushRecord, of update: [String: Value]) {
    outcomes.yield(record.outcome)
    environment.traces.record(record, of: update)
  }

  /// Evaluates what was held for a container, in order, each event once (TM-562, TM-563).
  private func release(_ container: Container, _ dataLayer: DataLayer) {
    container.becomeReady()
    guard let held else { return }
    while let event = next(for: container, in: held) {
      guard case .now(let content) = container.turn(of: event, isHeldUntilReady: true) else { return }
      dataLayer.resumeChain(of: event)
      var watch = Stopwatch(environment.ports.clock)
      var record = container.evaluate(event, with: content, detail: environment.settings.evaluationDetail, &watch)
      record.isReplayed = true
      let part = HeldEvents.Part(opening: container.opening, record: record)
      if let settlement = held.withLock({ $0.record(part, duration: watch.total, of: event) }) { tell([settlement]) }
    }
    let (late, losses) = held.withLock { $0.released(container.opening) }
    tell(late)
    guard losses != HeldEvents.Losses() else { return }
    environment.log(
      .warning,
      "\(container.id) was ready too late for \(losses.full + losses.expired) events: \(losses.full) were over the limit"
        + " of held events, \(losses.expired) too old.")
  }

  private func next(for container: Container, in held: Locked<HeldEvents>) -> PushedEvent? {
    let now = now
    return held.withLock { $0.next(after: container.lastSequence, at: now) }
  }

  private var now: Int64 { environment.ports.clock.wallMilliseconds }

  private func settle(
    _ event: PushedEvent, _ receipt: PushReceipt?, _ parts: [HeldEvents.Part], _ duration: Int64, _ detail: TraceDetail
  ) -> PushReceipt {
    let record = PushRecord(
      sequence: event.sequence, time: event.time, event: event.name,
      disposition: parts.isEmpty ? .dropped(.noContainer) : .evaluated, containers: parts.map(\.record),
      duration: duration, traceDetail: detail)
    publish(record, of: event.update)
    receipt?.settle(record)
    return receipt ?? PushReceipt(record)
  }

  private func tell(_ settlements: [HeldEvents.Settlement]) {
    for settlement in settlements {
      let event = settlement.event
      let record = PushRecord(
        sequence: event.sequence, time: event.time, event: event.name, disposition: settlement.disposition,
        containers: settlement.containers, duration: settlement.duration,
        traceDetail: environment.settings.evaluationDetail)
      publish(record, of: event.update)
      settlement.receipt?.settle(record)
    }
  }

  /// Sees to it that no receipt waits longer than events are held.
  private func setAlarm(_ dataLayer: DataLayer) {
    guard let held, let due = held.withLock({ $0.nextExpiry }) else { return }
    let rest = Duration.milliseconds(min(max(1, due - now), held.withLock { $0.maximumAge }))
    alarm.withLock { alarm in
      guard alarm == nil else { return }
      alarm = Task { [weak self, weak dataLayer, clock = environment.ports.clock] in
        // Cancelled: the manager is gone, and with it who could wait.
        guard (try? await clock.sleep(for: rest)) != nil else { return }
        self?.alarm.withLock { $0 = nil }
        dataLayer?.perform(.expire)
      }
    }
  }
}
