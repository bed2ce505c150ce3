import Hits

extension EvaluationFailure: BracketedText {
  /// Reads a text such as `missingParameter(arg0)`.
  public init?(_ text: String) {
    let parts = BracketedParts(text)
    switch (parts.name, parts.argument) {
    case ("unknownMacro", nil): self = .unknownMacro
    case ("unknownFunction", nil): self = .unknownFunction
    case ("missingParameter", let key?): self = .missingParameter(key)
    case ("cycle", nil): self = .cycle
    case ("limit", nil): self = .limit
    case ("regex", nil): self = .regex
    case ("handler", nil): self = .handler
    default: return nil
    }
  }
}

extension TagFailure: BracketedText {
  /// Reads a text such as `sink(storeFull)`; any other is an app's own reason.
  public init(_ text: String) {
    let parts = BracketedParts(text)
    switch (parts.name, parts.argument) {
    case ("url", nil): self = .url
    case ("noHandler", nil): self = .noHandler
    // A macro's and a tag's handler fail under one word; in a tag's status it is the tag's.
    case ("handler", nil): self = .handler
    case ("sink", let reason?):
      self = Refusal(text: reason).map(TagFailure.sink) ?? .other(text)
    default:
      self = EvaluationFailure(text).map(TagFailure.evaluation) ?? .other(text)
    }
  }
}

extension Refusal {
  fileprivate init?(text: String) {
    let parts = BracketedParts(text)
    switch (parts.name, parts.argument) {
    case ("optedOut", nil): self = .optedOut
    case ("consentDenied", nil): self = .consentDenied
    case ("sampledOut", nil): self = .sampledOut
    case ("rateLimited", nil): self = .rateLimited
    case ("unsupportedKind", nil): self = .unsupportedKind
    case ("unknownTracker", nil): self = .unknownTracker
    case ("missingField", let field?): self = .missingField(field)
    case ("invalidValue", let field?): self = .invalidValue(field)
    case ("storeFull", nil): self = .storeFull
    case ("closed", nil): self = .closed
    case ("tooLarge", let figures?):
      let numbers = figures.split(separator: ",").compactMap { Int($0.drop { $0 == " " }) }
      guard numbers.count == 2 else { return nil }
      self = .tooLarge(bytes: numbers[0], limit: numbers[1])
    default: return nil
    }
  }
}
