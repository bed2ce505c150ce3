import Hits

/// What a predicate says, and why (TM-702, TM-703).
package struct PredicateResult: Sendable, Hashable {
  package enum Verdict: Sendable, Hashable {
    case isTrue
    case isFalse
    /// It could not be evaluated; in standard semantics the rule then does not pass, but its blocks apply.
    case failed
  }

  package var verdict: Verdict
  package var reason: PredicateOutcome.Reason
  /// What the container's author should know.
  package var diagnostic: Diagnostic.Code?

  package static func compared(_ result: Bool) -> PredicateResult {
    PredicateResult(verdict: result ? .isTrue : .isFalse, reason: .compared)
  }

  /// Nothing is true of an argument that is missing.
  package static func missing(_ argument: String) -> PredicateResult {
    PredicateResult(verdict: .isFalse, reason: .missing(argument))
  }

  package static func failed(_ failure: EvaluationFailure) -> PredicateResult {
    PredicateResult(verdict: .failed, reason: .failed(failure))
  }

  /// A function that is not known or not implemented: false, but no failure, so that a typo cannot switch tags off.
  package static let unknownFunction = PredicateResult(verdict: .isFalse, reason: .failed(.unknownFunction))

  /// The result of searching a pattern; an ill-formed one is false in standard semantics, a failure in legacy (TM-705).
  static func search(
    _ pattern: RegexCache.Compiled, in text: String, semantics: CompiledContainer.Semantics, clock: any HitClock
  ) -> PredicateResult {
    do throws(RegexFault) {
      return .compared(try pattern.get().isFound(in: text, clock: clock))
    } catch {
      let isFalse = error == .invalid && semantics == .standard
      return PredicateResult(
        verdict: isFalse ? .isFalse : .failed, reason: .failed(error.failure), diagnostic: error.diagnostic)
    }
  }
}
