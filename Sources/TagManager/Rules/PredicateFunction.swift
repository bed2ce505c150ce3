import Hits

/// What a predicate function says of two arguments (TM-701).
package enum PredicateFunction: Sendable, Hashable {
  case equals
  case contains
  case startsWith
  case endsWith
  case matchesRegex
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual

  /// The function of a name; nil for one that is unknown or not implemented, whose result is `unknownFunction`.
  package init?(_ name: FunctionName) {
    switch name {
    case .equals: self = .equals
    case .contains: self = .contains
    case .startsWith: self = .startsWith
    case .endsWith: self = .endsWith
    case .matchesRegex: self = .matchesRegex
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    default: return nil
    }
  }

  /// Compares the arguments, by the table of TM-702 and, in standard semantics, TM-706.
  ///
  /// - Parameters:
  ///   - ignoresCase: the predicate's `ignore_case`.
  ///   - isConstant: whether `arg1` is a constant of the container.
  ///   - compiled: the pattern of `arg1`, where it is known beforehand.
  package func result(
    _ arg0: Evaluated, _ arg1: Evaluated, ignoresCase: Bool = false, isConstant: Bool = false,
    semantics: CompiledContainer.Semantics, compiled: RegexCache.Compiled? = nil, regexes: RegexCache
  ) -> PredicateResult {
    switch (Argument(arg0), Argument(arg1)) {
    case (.failed(let failure), _), (_, .failed(let failure)): return .failed(failure)
    case (.missing, .value("undefined")) where self == .equals && isConstant && semantics == .standard:
      return .compared(true)
    case (.missing, _): return .missing("arg0")
    case (_, .missing): return .missing("arg1")
    case (.value(let left), .value(let right)):
      guard !isNumeric else { return .compared(compare(left, right, semantics)) }
      let left = left.comparisonText(semantics)
      let right = right.comparisonText(semantics)
      if self == .matchesRegex {
        let pattern = compiled ?? regexes.compiled(RegexKey(right, ignoresCase: ignoresCase))
        return .search(pattern, in: left, semantics: semantics, clock: regexes.clock)
      }
      return .compared(
        ignoresCase ? compare(left.lowercased(), right.lowercased()) : compare(left, right))
    }
  }

  private var isNumeric: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equals, .contains, .startsWith, .endsWith, .matchesRegex: false
    }
  }

  private func compare(_ left: String, _ right: String) -> Bool {
    switch self {
    case .equals: left.hasSameScalars(as: right)
    case .contains: left.containsScalars(of: right)
    case .startsWith: left.startsWithScalars(of: right)
    case .endsWith: left.endsWithScalars(of: right)
    case .matchesRegex, .less, .lessOrEqual, .greater, .greaterOrEqual: false
    }
  }

  private func compare(_ left: Value, _ right: Value, _ semantics: CompiledContainer.Semantics) -> Bool {
    guard let left = left.comparisonNumber(semantics), let right = right.comparisonNumber(semantics) else {
      return false
    }
    return switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .equals, .contains, .startsWith, .endsWith, .matchesRegex: false
    }
  }

  private enum Argument {
    case value(Value)
    case missing
    case failed(EvaluationFailure)

    init(_ evaluated: Evaluated) {
      switch evaluated {
      case .value(.absent), .missing: self = .missing
      case .value(let value): self = .value(value)
      case .failed(let failure): self = .failed(failure)
      }
    }
  }
}
