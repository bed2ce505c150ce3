import Hits

/// The predicates that are true for one event's name only: what the index files rules by (TM-720).
struct EventPredicates {
  private let events: [String?]

  init(_ predicates: [PlannedPredicate], macros: [PlannedMacro], names: [PlannedName], values: PlannedValues) {
    // The name answers with the event's own name, unchanged, and asking it has no other effect.
    let eventNames = Set(
      names.indices.filter { index in
        let name = names[index]
        guard name.macros.count == 1, let macro = name.defaultMacro.map({ macros[$0] }) else { return false }
        return macro.function == .event && macro.format == nil && macro.pushAfterEvaluate == nil
      })
    func isEvent(_ index: ValueIndex?) -> Bool {
      if let index, case .macro(let name) = values[index] { eventNames.contains(name) } else { false }
    }
    events = predicates.map { predicate in
      guard predicate.function == .equals, predicate.ignoreCase == nil else { return nil }
      if isEvent(predicate.arg0) { return predicate.arg1.flatMap(values.constant)?.string }
      if isEvent(predicate.arg1) { return predicate.arg0.flatMap(values.constant)?.string }
      return nil
    }
  }

  /// The only event that a rule can matter to; nil when that may be any.
  func event(of rule: Rule, _ semantics: CompiledContainer.Semantics) -> String? {
    let positions = rule.positive.indices.filter { position in
      let predicate = rule.positive[position]
      return events.indices.contains(predicate) && events[predicate] != nil
    }
    guard let first = positions.first, let event = events[rule.positive[first]] else { return nil }
    // A predicate that fails before the event's name is compared blocks tags on every event (TM-703).
    if semantics == .standard, !rule.removedTags.isEmpty, first > 0 { return nil }
    return event
  }
}
