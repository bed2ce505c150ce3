import Hits

/// What is written down about a push, from which its outcome is told to whoever asks.
///
/// Most outcomes are never read, so that lists of rules and texts are made then and not with every event.
struct PushRecord: Sendable {
  let sequence: UInt64
  let time: Int64
  let event: String?
  let disposition: PushOutcome.Disposition
  var containers: [ContainerRecord] = []
  var duration: Int64 = 0
  let traceDetail: TraceDetail

  var outcome: PushOutcome {
    PushOutcome(
      sequence: sequence, time: time, event: event, disposition: disposition, containers: containers.map(\.outcome),
      duration: duration, traceDetail: traceDetail)
  }
}

/// What is written down about an event in one container.
struct ContainerRecord: Sendable {
  let content: ContainerContent
  let rulesSkippedByEvent: Int
  /// What the pass asked; nil when no rule was to be looked at.
  var answers: PassAnswers?
  var tags: [TagOutcome] = []
  /// Whether the event was held until the container was ready.
  var isReplayed = false

  var outcome: ContainerOutcome {
    ContainerOutcome(
      id: content.id.text, version: content.plan.container.version, generation: content.generation,
      origin: content.origin, isPreview: content.origin == .preview, replayed: isReplayed,
      rules: answers?.ruleOutcomes() ?? [],
      rulesSkippedByEvent: rulesSkippedByEvent, tags: tags, macros: answers?.macroOutcomes() ?? [])
  }
}
