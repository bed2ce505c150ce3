import Hits
import TagManager

/// An outcome as a person reads it: the tags with their reason, then the rules with what decided them.
struct OutcomeText {
  let outcome: PushOutcome
  /// Whether the rules follow the tags.
  var showsRules = true

  var lines: [String] {
    guard let event = outcome.event else { return ["#\(outcome.sequence) \(outcome.disposition)"] }
    let head = "#\(outcome.sequence) \(event)"
    guard outcome.disposition == .evaluated else { return ["\(head): \(outcome.disposition)"] }
    return [head] + outcome.containers.flatMap(lines(of:))
  }

  private func lines(of container: ContainerOutcome) -> [String] {
    let titles = container.rules.map { ($0.index, Self.title(of: $0)) }
    let names = Dictionary(titles, uniquingKeysWith: { first, _ in first })
    var lines = container.tags.map { tag in
      let rules = tag.rules.compactMap { names[$0] }.joined(separator: ", ")
      let why = rules.isEmpty ? "" : ", by \(rules)"
      return "  \(Self.mark(of: tag.status)) \(tag.name) [\(tag.function)]: \(tag.status)\(why)"
    }
    if container.tags.isEmpty { lines.append("    no tag") }
    if showsRules {
      lines += container.rules.flatMap(Self.lines(of:))
      if container.rulesSkippedByEvent > 0 {
        lines.append("    \(container.rulesSkippedByEvent) rules wait for other events")
      }
    }
    return lines
  }

  static func lines(of rule: RuleOutcome) -> [String] {
    let head = "    \(rule.passed ? "passed  " : "not met ") \(title(of: rule))"
    guard let decider = rule.predicates.last else { return ["\(head): no conditions"] }
    if rule.passed { return [head + ": " + rule.predicates.map(sentence).joined(separator: "; ")] }
    return ["\(head): \(sentence(of: decider))"]
  }

  /// The predicate with its arguments, as a sentence.
  static func sentence(of predicate: PredicateOutcome) -> String {
    let arguments = ["arg0", "arg1"].map { key in
      predicate.arguments?[key].map { $0.jsonText } ?? "(missing)"
    }
    let verb = phrases[predicate.function] ?? predicate.function
    var sentence = "\(arguments[0]) \(verb) \(arguments[1]) is \(predicate.result)"
    if predicate.negated { sentence = "not (\(sentence))" }
    if case .compared = predicate.reason { return sentence }
    return "\(sentence), \(predicate.reason)"
  }

  static func title(of rule: RuleOutcome) -> String {
    rule.name.isEmpty ? rule.id : "\"\(rule.name)\""
  }

  private static func mark(of status: TagOutcome.Status) -> String {
    switch status {
    case .fired, .started: "+"
    case .blocked, .notFired: "-"
    case .failed, .setupFailed: "!"
    }
  }

  private static let phrases = [
    "equals": "equals", "contains": "contains", "startsWith": "starts with", "endsWith": "ends with",
    "matchesRegex": "matches", "less": "<", "lessOrEqual": "<=", "greater": ">", "greaterOrEqual": ">=",
  ]
}
