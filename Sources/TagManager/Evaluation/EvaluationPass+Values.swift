import Hits

extension EvaluationPass {
  /// Evaluates a value of the pool (TM-610 to TM-612).
  mutating func evaluate(_ index: ValueIndex) -> Evaluated {
    switch plan.values[index] {
    case .constant(let value, let size):
      if let failure = spend(size) { return .failed(failure) }
      return value.isAbsent ? .missing(.noValue) : .value(value)
    case .macro(let name):
      let result = self.result(ofName: name)
      if case .value = result.evaluated, let failure = spend(result.size) { return .failed(failure) }
      return result.evaluated
    case .unknownMacro(let name):
      remarks.append(.unknownMacro(name))
      return .failed(.unknownMacro)
    case .unusable: return .failed(.limit)
    case .list, .map, .template, .escape:
      guard depth < Self.maximumDepth else { return .failed(.limit) }
      depth += 1
      defer { depth -= 1 }
      return evaluateCompound(plan.values[index])
    }
  }

  /// Evaluates the parameters of a call; what is missing is left out (TM-610).
  mutating func arguments(_ parameters: PlannedParameters) throws(EvaluationFailure) -> [String: Value] {
    if let constant = parameters.constant { return constant }
    var values: [String: Value] = [:]
    values.reserveCapacity(parameters.entries.count)
    for (key, index) in parameters.entries {
      switch evaluate(index) {
      case .value(let value): values[key] = value
      case .missing: break
      case .failed(let failure): throw failure
      }
    }
    return values
  }

  private mutating func evaluateCompound(_ value: PlannedValue) -> Evaluated {
    switch value {
    case .list(let items): evaluateList(items)
    case .map(let entries): evaluateMap(entries)
    case .template(let pieces): evaluateTemplate(pieces)
    case .escape(let part, let codes): evaluateEscape(part, codes)
    case .constant, .macro, .unknownMacro, .unusable: .failed(.limit)
    }
  }

  private mutating func evaluateList(_ items: [ValueIndex]) -> Evaluated {
    if let failure = spend(ValueSize(nodes: 1, text: 0)) { return .failed(failure) }
    var values: [Value] = []
    values.reserveCapacity(items.count)
    for item in items {
      switch evaluate(item) {
      case .value(let value): values.append(value)
      case .missing: values.append(.absent)
      case .failed(let failure): return .failed(failure)
      }
    }
    return .value(.list(values))
  }

  private mutating func evaluateMap(_ entries: [MapEntry]) -> Evaluated {
    if let failure = spend(ValueSize(nodes: 1, text: 0)) { return .failed(failure) }
    var values: [String: Value] = [:]
    values.reserveCapacity(entries.count)
    for entry in entries {
      var key = ""
      switch evaluate(entry.key) {
      case .value(let value): key = value.text(plan.semantics)
      case .missing: break
      case .failed(let failure): return .failed(failure)
      }
      switch evaluate(entry.value) {
      case .value(let value): values[key] = value
      case .missing: values[key] = .absent
      case .failed(let failure): return .failed(failure)
      }
    }
    return .value(.map(values))
  }

  private mutating func evaluateTemplate(_ pieces: [ValueIndex]) -> Evaluated {
    var text = ""
    for piece in pieces {
      switch evaluate(piece) {
      case .value(let value): text += value.text(plan.semantics)
      case .missing(let reason): if plan.semantics == .legacy { return .missing(reason) }
      case .failed(let failure): return .failed(failure)
      }
      guard text.utf8.count <= ValueSize.limit.text else { return .failed(.limit) }
    }
    // The pieces were counted as they came; their joined text counts once more at most.
    return .value(.string(text))
  }

  /// Escapes a text by codes, one after another (TM-616).
  private mutating func evaluateEscape(_ part: ValueIndex, _ codes: [Int]) -> Evaluated {
    var evaluated = evaluate(part)
    for code in codes {
      guard case .value(let value) = evaluated else { return evaluated }
      switch code {
      case Escaping.uri:
        let text = URIEscape.macro.escape(value.text(plan.semantics))
        if let failure = spend(ValueSize(nodes: 0, text: text.utf8.count)) { return .failed(failure) }
        evaluated = .value(.string(text))
      case Escaping.noAutoescape, Escaping.text: break
      default: remarks.append(.escaping(code))
      }
    }
    return evaluated
  }
}

/// The escaping codes that mean something in an app (TM-616).
enum Escaping {
  static let uri = 12
  static let noAutoescape = 15
  static let text = 17
}
