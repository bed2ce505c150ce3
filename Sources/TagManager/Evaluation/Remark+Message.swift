extension EvaluationPass.Remark {
  /// What the author is told.
  func message(in plan: EvaluationPlan) -> String {
    switch self {
    case .unknownMacro(let name): "No macro is named '\(name)', but something refers to it."
    case .ambiguous(let name):
      "Rules added several macros named '\(name)'; the last in the file is used. Let their rules exclude each other."
    case .handler(let function, .noHandler):
      "Function-call macro '\(function)' was asked for, but no handler is registered for it."
    case .handler(let function, .handlerReturnedNothing): "The handler of macro '\(function)' returned nothing."
    case .handler(let function, .handlerFailed(let message)): "The handler of macro '\(function)' failed: \(message)"
    case .handler(let function, .noValue), .handler(let function, .noCandidate): "Macro '\(function)' has no value."
    case .escaping(let code): "Escaping \(code) is not done in apps; the text stays as it is."
    case .predicate(let index, .regexTimeout):
      "The regular expression of predicate \(index) took more than 50 ms on a text and was stopped; simplify it."
    case .predicate(let index, let code): "Predicate \(index): \(code)."
    }
  }
}
