import Hits

/// What asking for a macro name gave.
package struct NameResult: Sendable {
  package var evaluated: Evaluated
  /// The size of the value.
  package var size = ValueSize.zero
  /// Which macro answered.
  package var chosen: Int?
  /// Whether it answered as the name's default (TM-641).
  package var isDefault = false
  /// Whether rules added several macros of the name.
  package var isAmbiguous = false
  /// Whether the value is an earlier pass's.
  package var isCached = false
}

extension EvaluationPass {
  /// Asks for a macro name (TM-640).
  package mutating func result(ofName name: Int) -> NameResult {
    if let known = answers.names[name] { return known }
    let result: NameResult
    if let constant = plan.names[name].constant {
      result = NameResult(
        evaluated: .value(constant), size: constant.size, chosen: plan.names[name].defaultMacro, isDefault: true,
        isCached: true)
    } else {
      result = nested(.name(name)) { failure in
        NameResult(evaluated: .failed(failure))
      } _: { pass in
        pass.newResult(ofName: name)
      }
      if isUnderWay(.name(name)) { return result }
    }
    answers.names.add(result, for: name)
    if case .value = result.evaluated, let macro = result.chosen { push(after: macro) }
    return result
  }

  private mutating func newResult(ofName name: Int) -> NameResult {
    let isCacheable = plan.names[name].isCacheable
    if isCacheable, let cached = cache?.result(ofName: name, atDepth: macroDepth) { return cached }
    guard macroDepth < Self.maximumMacroDepth else { return NameResult(evaluated: .failed(.limit)) }
    let deepestBefore = deepestMacro
    macroDepth += 1
    deepestMacro = macroDepth
    var result = choose(name)
    if let macro = result.chosen {
      result.evaluated = evaluate(macro: macro)
      if case .value(let value) = result.evaluated {
        result.size = value.size
        if !result.size.isWithinLimit { result.evaluated = .failed(.limit) }
      }
    }
    macroDepth -= 1
    if isCacheable, case .value = result.evaluated, frames.last?.isOnCycle != true {
      cache?.keep(result, ofName: name, height: deepestMacro - macroDepth)
    }
    deepestMacro = max(deepestBefore, deepestMacro)
    return result
  }

  /// Picks the macro that answers for a name: added and not removed by a passing rule, else the default (TM-640 to
  /// TM-642).
  private mutating func choose(_ name: Int) -> NameResult {
    guard !plan.names[name].rules.isEmpty else {
      return NameResult(
        evaluated: .missing(.noCandidate), chosen: plan.names[name].defaultMacro, isDefault: true)
    }
    let planned = plan.names[name]
    var added: Set<Int> = []
    var removed: Set<Int> = []
    for index in planned.rules where verdict(ofRule: index) == .passes {
      added.formUnion(plan.container.rules[index].addedMacros)
      removed.formUnion(plan.container.rules[index].removedMacros)
    }
    var candidates = 0
    var last: Int?
    if !added.isEmpty {
      for macro in planned.macros where added.contains(macro) && !removed.contains(macro) {
        candidates += 1
        last = macro
      }
    }
    if candidates > 1 { remarks.append(.ambiguous(planned.name)) }
    let chosen = last ?? planned.defaultMacro
    return NameResult(
      evaluated: .missing(.noCandidate), chosen: chosen, isDefault: last == nil, isAmbiguous: candidates > 1)
  }

  private mutating func evaluate(macro index: Int) -> Evaluated {
    let result: Evaluated
    do throws(EvaluationFailure) {
      guard let function = plan.macros[index].implementation else { throw .unknownFunction }
      if let key = plan.macros[index].lackingParameter { throw .missingParameter(key) }
      let arguments = Arguments(try arguments(plan.macros[index].parameters), semantics: plan.semantics)
      result = function.evaluate(arguments, in: context)
    } catch {
      return .failed(error)
    }
    if case .missing(let reason) = result, reason != .noValue {
      remarks.append(.handler(plan.macros[index].handlerName(plan.values), reason))
    }
    return plan.macros[index].format.map { convert(result, by: $0) } ?? result
  }

  /// Replaces a result by what its macro's format says (TM-645).
  private mutating func convert(_ result: Evaluated, by format: ResultFormat) -> Evaluated {
    let replacement: ValueIndex?
    switch result {
    case .value(.null): replacement = format.convertNull
    case .value(.bool(true)): replacement = format.convertTrue
    case .value(.bool(false)): replacement = format.convertFalse
    case .missing: replacement = format.convertUndefined
    case .value(.string(let text)):
      guard let index = format.convertCase, case .value(let target) = evaluate(index) else { return result }
      return switch target.text(plan.semantics) {
      case "1": .value(.string(text.lowercased()))
      case "2": .value(.string(text.uppercased()))
      default: result
      }
    case .value, .failed: return result
    }
    return replacement.map { evaluate($0) } ?? result
  }

  /// Keeps for pushing what a macro wants pushed once it gave its value: a map, or each map of a list (TM-650).
  private mutating func push(after macro: Int) {
    guard let index = plan.macros[macro].pushAfterEvaluate else { return }
    let outer = spent
    spent = .zero
    defer { spent = outer }
    guard case .value(let value) = evaluate(index) else { return }
    switch value {
    case .map(let update): pushes.append(update)
    case .list(let updates): pushes += updates.compactMap(\.map)
    default: break
    }
  }

}

extension NameResult {
  /// Why there is a value or none (TM-902).
  package var reason: EvaluationReason {
    switch evaluated {
    case .value: isDefault ? .default : .value
    case .missing(let reason): EvaluationReason(reason)
    case .failed(let failure): .failed(failure)
    }
  }
}
