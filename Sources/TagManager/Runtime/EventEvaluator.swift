import Hits

/// Evaluates one event in every open container and tells what came of it.
struct EventEvaluator: Sendable {
  let environment: Environment
  let registry: ContainerRegistry
  /// Every push's outcome, for whoever listens (TM-1113).
  let outcomes = Broadcast<PushOutcome>()

  /// Evaluates an event; pushes that come out of it go to the data layer.
  func evaluate(_ event: PushedEvent) -> PushRecord {
    let detail = environment.settings.traceDetail
    var watch = Stopwatch(environment.ports.clock)
    let containers = registry.open.compactMap { $0.evaluate(event, detail: detail, &watch) }
    let record = PushRecord(
      sequence: event.sequence, time: event.time, event: event.name,
      disposition: containers.isEmpty ? .dropped(.noContainer) : .evaluated, containers: containers,
      duration: watch.total, traceDetail: detail)
    outcomes.yield(record.outcome)
    return record
  }
}
