/// What one push did, final once known (TM-1110).
///
/// Logs, the live view and the command line are renderings of this value. In JSON, times are milliseconds, durations
/// microseconds, and what is nil is left out.
public struct PushOutcome: Sendable, Hashable, Codable {
  /// The push's place in the total order, from 1.
  public var sequence: UInt64
  /// When it was pushed, in milliseconds since 1970 UTC.
  public var time: Int64
  /// The event's name; nil when the push made none.
  public var event: String?
  /// What became of the push.
  public var disposition: Disposition
  /// What the event did in each open container, in the order they were opened.
  public var containers: [ContainerOutcome]
  /// How long the evaluation took, in microseconds.
  public var duration: Int64
  /// How much of the evaluation is told.
  public var traceDetail: TraceDetail

  /// Makes an outcome.
  public init(
    sequence: UInt64, time: Int64, event: String? = nil, disposition: Disposition,
    containers: [ContainerOutcome] = [], duration: Int64 = 0, traceDetail: TraceDetail = .standard
  ) {
    self.sequence = sequence
    self.time = time
    self.event = event
    self.disposition = disposition
    self.containers = containers
    self.duration = duration
    self.traceDetail = traceDetail
  }

  /// What became of a push.
  public enum Disposition: Sendable, Hashable {
    /// The data is in the layer; the push made no event.
    case merged
    /// The event was evaluated.
    case evaluated
    /// The data is in the layer, the event was not evaluated.
    case dropped(DropReason)
    /// Nothing of the push was applied.
    case rejected(PushRejection)
  }

  /// Why an event was not evaluated.
  public enum DropReason: String, Sendable, Hashable {
    /// More than 500 events came out of one (TM-524).
    case pushLoop
    /// Too many events waited for a container.
    case bufferFull
    /// The event waited too long for a container.
    case expired
    /// No container was open.
    case noContainer
  }
}

/// Why nothing of a push was applied (TM-516).
public enum PushRejection: String, Sendable, Hashable, Error {
  /// Deeper than 64 levels.
  case tooDeep
  /// More than 10,000 nodes or 1 MiB of text, or the whole layer over 8 MiB.
  case tooLarge
  /// A key over 1,024 bytes.
  case keyTooLong
}

extension PushOutcome.Disposition: BracketedText {
  /// Reads a text such as `dropped(pushLoop)`.
  public init?(_ text: String) {
    let parts = BracketedParts(text)
    switch (parts.name, parts.argument) {
    case ("merged", nil): self = .merged
    case ("evaluated", nil): self = .evaluated
    case ("dropped", let reason?):
      guard let reason = PushOutcome.DropReason(rawValue: reason) else { return nil }
      self = .dropped(reason)
    case ("rejected", let reason?):
      guard let reason = PushRejection(rawValue: reason) else { return nil }
      self = .rejected(reason)
    default: return nil
    }
  }

  /// The name, with its reason in brackets.
  public var description: String {
    switch self {
    case .merged: "merged"
    case .evaluated: "evaluated"
    case .dropped(let reason): "dropped(\(reason.rawValue))"
    case .rejected(let reason): "rejected(\(reason.rawValue))"
    }
  }
}

/// How much outcomes tell (TM-1111).
public enum TraceDetail: String, Sendable, Hashable, Codable {
  /// The disposition and the status of each tag.
  case off
  /// Rules, predicates and macros, without values.
  case standard
  /// Everything, with values.
  case full
}
