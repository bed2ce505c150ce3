public import Hits

/// What became of one tag (TM-1110).
public struct TagOutcome: Sendable, Hashable, Codable {
  /// Its index among the container's tags.
  public var index: Int
  /// Its stable id; nil when the container gives none.
  public var id: String?
  /// Its name; may be empty.
  public var name: String
  /// Its function's name.
  public var function: String
  /// What became of it.
  public var status: Status
  /// The passing rules that added it, by index; empty for a tag that another tag ran (TM-804).
  public var rules: [Int]
  /// Its evaluated parameters, at detail `full` only.
  public var parameters: [String: Value]?
  /// The ids of the hits it sent (TM-809).
  public var hitIDs: [HitID]
  /// How long it took, in microseconds.
  public var duration: Int64

  /// Makes an outcome.
  public init(
    index: Int, id: String? = nil, name: String, function: String, status: Status, rules: [Int] = [],
    parameters: [String: Value]? = nil, hitIDs: [HitID] = [], duration: Int64 = 0
  ) {
    self.index = index
    self.id = id
    self.name = name
    self.function = function
    self.status = status
    self.rules = rules
    self.parameters = parameters
    self.hitIDs = hitIDs
    self.duration = duration
  }

  /// What became of a tag.
  public enum Status: Sendable, Hashable {
    /// It did what it should.
    case fired
    /// It was started and goes on by itself (TM-821, TM-846).
    case started
    /// A passing rule of that id removed it, or the measurement tag of that name blocked it (TM-800, TM-845).
    case blocked(by: String)
    /// A gate was closed (TM-803, TM-806).
    case notFired(Gate)
    /// It could not be fired, or its work failed (TM-805).
    case failed(TagFailure)
    /// A setup tag it needs failed (TM-804).
    case setupFailed
  }

  /// What can keep a tag from firing after the rules.
  public enum Gate: String, Sendable, Hashable {
    /// It fires once per load, and has.
    case oncePerLoad
    /// A consent type it requires is not granted.
    case consent
    /// Its schedule has not begun, or is over.
    case schedule
    /// It does not fire in preview.
    case liveOnly
  }
}

extension TagOutcome.Status: BracketedText {
  /// Reads a text such as `failed(noHandler)`.
  public init?(_ text: String) {
    let parts = BracketedParts(text)
    switch (parts.name, parts.argument) {
    case ("fired", nil): self = .fired
    case ("started", nil): self = .started
    case ("setupFailed", nil): self = .setupFailed
    case ("blocked", let rule?): self = .blocked(by: rule)
    case ("notFired", let gate?):
      guard let gate = TagOutcome.Gate(rawValue: gate) else { return nil }
      self = .notFired(gate)
    case ("failed", let reason?): self = .failed(TagFailure(reason))
    default: return nil
    }
  }

  /// The name, with its argument in brackets.
  public var description: String {
    switch self {
    case .fired: "fired"
    case .started: "started"
    case .setupFailed: "setupFailed"
    case .blocked(let rule): "blocked(\(rule))"
    case .notFired(let gate): "notFired(\(gate.rawValue))"
    case .failed(let failure): "failed(\(failure))"
    }
  }
}
