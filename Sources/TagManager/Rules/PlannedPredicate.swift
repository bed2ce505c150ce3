package import Hits

/// A predicate, ready to evaluate.
package struct PlannedPredicate: Sendable {
  package let function: FunctionName
  /// What compares; nil for a function that no table names or that is not implemented.
  package let implementation: PredicateFunction?
  package let arg0: ValueIndex?
  package let arg1: ValueIndex?
  package let ignoreCase: ValueIndex?
  /// Whether `arg1` is a constant of the container (TM-706).
  package let isConstant: Bool
  /// The pattern, when no event can change it (TM-705).
  package let pattern: RegexKey?
  /// The pattern compiled, so that no search has to look it up.
  package internal(set) var compiled: RegexCache.Compiled?
  /// Whether no event can change how the pattern treats case.
  let hasFixedCase: Bool
  /// Whether a pass may ask for it more than once.
  package let isShared: Bool

  init(_ call: Call, _ values: PlannedValues, _ semantics: CompiledContainer.Semantics, isShared: Bool) {
    self.isShared = isShared
    function = call.function
    implementation = PredicateFunction(call.function)
    arg0 = call.parameters["arg0"]
    arg1 = call.parameters["arg1"]
    ignoreCase = call.parameters["ignore_case"]
    let constant = arg1.flatMap(values.constant)
    isConstant = constant != nil
    guard implementation == .matchesRegex, let constant, !constant.isAbsent else {
      pattern = nil
      hasFixedCase = false
      return
    }
    let ignoresCase = ignoreCase.map { values.constant($0)?.bool(semantics) ?? false } ?? false
    pattern = RegexKey(constant.text(semantics), ignoresCase: ignoresCase)
    hasFixedCase = ignoreCase.map { values.constant($0) != nil } ?? true
  }
}

extension EvaluationPass {
  /// Evaluates a predicate's arguments and compares them.
  mutating func newAnswer(ofPredicate index: Int) -> PredicateAnswer {
    guard let function = plan.predicates[index].implementation else { return PredicateAnswer(.unknownFunction) }
    let arg0 = plan.predicates[index].arg0.map { evaluate($0) } ?? .missing(.noValue)
    let arg1 = plan.predicates[index].arg1.map { evaluate($0) } ?? .missing(.noValue)
    var ignoresCase = false
    if let index = plan.predicates[index].ignoreCase {
      switch evaluate(index) {
      case .value(let value): ignoresCase = value.bool(plan.semantics) ?? false
      case .missing: break
      case .failed(let failure): return PredicateAnswer(.failed(failure))
      }
    }
    var answer = PredicateAnswer(
      function.result(
        arg0, arg1, ignoresCase: ignoresCase, isConstant: plan.predicates[index].isConstant, semantics: plan.semantics,
        compiled: plan.predicates[index].compiled, regexes: plan.regexes))
    if detail == .full {
      answer.arguments = [:]
      if case .value(let value) = arg0 { answer.arguments?["arg0"] = value }
      if case .value(let value) = arg1 { answer.arguments?["arg1"] = value }
    }
    return answer
  }
}

/// What a predicate came to, with the arguments that had a value where the trace tells them.
package struct PredicateAnswer: Sendable {
  package var result: PredicateResult
  package var arguments: [String: Value]?

  init(_ result: PredicateResult) { self.result = result }
}
