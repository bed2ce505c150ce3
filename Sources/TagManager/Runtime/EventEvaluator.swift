import Hits

/// Evaluates one event in every open container and tells what came of it.
struct EventEvaluator: Sendable {
  let environment: Environment
  let registry: ContainerRegistry
  /// Every push's outcome, for whoever listens (TM-1113).
  let outcomes = Broadcast<PushOutcome>()

  /// Evaluates an event; pushes that come out of it go to the data layer.
  func evaluate(_ event: PushedEvent, in dataLayer: DataLayer) -> PushOutcome {
    let clock = environment.ports.clock
    let start = clock.ageClock
    let detail = environment.settings.traceDetail
    let containers = registry.open.compactMap { $0.evaluate(event, detail: detail, in: dataLayer) }
    let outcome = PushOutcome(
      sequence: event.sequence, time: event.time, event: event.name,
      disposition: containers.isEmpty ? .dropped(.noContainer) : .evaluated, containers: containers,
      duration: clock.microseconds(since: start), traceDetail: detail)
    outcomes.yield(outcome)
    return outcome
  }
}

extension HitClock {
  /// Whole microseconds of the age clock since an earlier reading.
  func microseconds(since start: UInt64) -> Int64 { Int64(clamping: (ageClock &- start) / 1_000) }
}
