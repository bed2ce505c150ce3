public import Hits

/// What one macro gave (TM-1110).
public struct MacroOutcome: Sendable, Hashable, Codable {
  /// The name that was asked for.
  public var name: String
  /// Which macro of that name was chosen, by index (TM-640).
  public var chosen: Int?
  /// Why there is a value or none.
  public var reason: EvaluationReason
  /// Whether the value comes from an earlier pass (TM-617).
  public var cached: Bool
  /// Whether rules added several macros of the name; the last in file order was taken (TM-641).
  public var ambiguous: Bool
  /// The value, at detail `full` only.
  public var value: Value?

  /// Makes an outcome.
  public init(
    name: String, chosen: Int? = nil, reason: EvaluationReason, cached: Bool = false, ambiguous: Bool = false,
    value: Value? = nil
  ) {
    self.name = name
    self.chosen = chosen
    self.reason = reason
    self.cached = cached
    self.ambiguous = ambiguous
    self.value = value
  }
}

/// Why asking for a name gave a value, or none (TM-902).
public enum EvaluationReason: Sendable, Hashable {
  /// A macro that a rule added gave it.
  case value
  /// The name's default macro gave it (TM-641).
  case `default`
  /// The container has no macro of that name.
  case unknownKey
  /// The macro gave none.
  case missing
  /// Rules added no macro of the name, and there is no default.
  case noCandidate
  /// No handler is registered for the function-call macro (TM-660).
  case noHandler
  /// The handler returned nil.
  case handlerReturnedNothing
  /// The handler threw.
  case handlerFailed(String)
  /// There is a value, but not one that the asked-for type can hold (TM-503).
  case conversionFailed
  /// The evaluation failed.
  case failed(EvaluationFailure)
  /// No content is there yet.
  case noContainer
  /// The container is closed.
  case closed
}

extension EvaluationReason {
  init(_ missing: MissingReason) {
    self =
      switch missing {
      case .noValue: .missing
      case .noCandidate: .noCandidate
      case .noHandler: .noHandler
      case .handlerReturnedNothing: .handlerReturnedNothing
      case .handlerFailed(let message): .handlerFailed(message)
      }
  }
}

extension EvaluationReason: BracketedText {
  /// Reads a text such as `failed(cycle)`.
  public init?(_ text: String) {
    let parts = BracketedParts(text)
    switch (parts.name, parts.argument) {
    case ("value", nil): self = .value
    case ("default", nil): self = .default
    case ("unknownKey", nil): self = .unknownKey
    case ("missing", nil): self = .missing
    case ("noCandidate", nil): self = .noCandidate
    case ("noHandler", nil): self = .noHandler
    case ("handlerReturnedNothing", nil): self = .handlerReturnedNothing
    case ("conversionFailed", nil): self = .conversionFailed
    case ("noContainer", nil): self = .noContainer
    case ("closed", nil): self = .closed
    case ("handlerFailed", let message?): self = .handlerFailed(message)
    case ("failed", let reason?):
      guard let failure = EvaluationFailure(reason) else { return nil }
      self = .failed(failure)
    default: return nil
    }
  }

  /// The name, with its argument in brackets.
  public var description: String {
    switch self {
    case .value: "value"
    case .default: "default"
    case .unknownKey: "unknownKey"
    case .missing: "missing"
    case .noCandidate: "noCandidate"
    case .noHandler: "noHandler"
    case .handlerReturnedNothing: "handlerReturnedNothing"
    case .handlerFailed(let message): "handlerFailed(\(message))"
    case .conversionFailed: "conversionFailed"
    case .failed(let failure): "failed(\(failure))"
    case .noContainer: "noContainer"
    case .closed: "closed"
    }
  }
}
