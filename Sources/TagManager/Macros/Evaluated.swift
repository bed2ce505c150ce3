package import Hits

/// What evaluating a parameter gave (TM-600).
package enum Evaluated: Sendable, Hashable {
  case value(Value)
  /// No value: not an error; as a text it is empty.
  case missing(MissingReason)
  /// An error, which fails the call that asked (TM-610).
  case failed(EvaluationFailure)

  /// A value, or missing where there is none.
  package init(_ value: Value?) {
    if let value, !value.isAbsent { self = .value(value) } else { self = .missing(.noValue) }
  }

  /// A text, or missing where there is none.
  package init(text: String?) { self.init(text.map(Value.string)) }
}

/// Why there is no value.
public enum MissingReason: Sendable, Hashable {
  /// The function had nothing to give.
  case noValue
  /// No macro of the name was chosen (TM-641).
  case noCandidate
  /// No handler is registered for the function name (TM-660).
  case noHandler
  /// The handler returned nil.
  case handlerReturnedNothing
  /// The handler threw.
  case handlerFailed(String)
}

/// Why an evaluation failed (TM-600).
public enum EvaluationFailure: Error, Sendable, Hashable {
  case unknownMacro
  case unknownFunction
  case missingParameter(String)
  case cycle
  case limit
  case regex
  case handler
}

extension EvaluationFailure: CustomStringConvertible {
  /// The name, with its argument in brackets (TM-1110).
  public var description: String {
    switch self {
    case .unknownMacro: "unknownMacro"
    case .unknownFunction: "unknownFunction"
    case .missingParameter(let key): "missingParameter(\(key))"
    case .cycle: "cycle"
    case .limit: "limit"
    case .regex: "regex"
    case .handler: "handler"
    }
  }
}
