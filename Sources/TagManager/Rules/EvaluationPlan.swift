package import Hits

/// A container made ready to evaluate: compiled once when content is installed, never changed (TM-102, TM-341).
///
/// Nothing in it depends on a data layer or an event; every pass over it gives the same answer for the same input.
package final class EvaluationPlan: Sendable {
  package let container: CompiledContainer
  /// The id the container is open under, whatever the file names.
  package let containerID: ContainerID
  /// The pool, with constants folded.
  package let values: PlannedValues
  /// The macros by name, in the order of each name's first macro.
  package let names: [PlannedName]
  /// The macros in file order.
  package let macros: [PlannedMacro]
  /// The predicates in file order.
  package let predicates: [PlannedPredicate]
  /// The tags in file order.
  package let tags: [PlannedTag]
  /// The patterns, those of the file compiled.
  package let regexes: RegexCache
  /// The rules that add or remove tags, by event.
  package let tagRules: RuleIndex
  /// What planning found out about the container (TM-171).
  package let diagnostics: [Diagnostic]
  private let nameIndexes: [String: Int]

  package var semantics: CompiledContainer.Semantics { container.semantics }

  /// Plans a container; the clock measures the budget of its patterns (TM-704).
  package init(_ container: CompiledContainer, id: ContainerID, clock: any HitClock) {
    self.container = container
    containerID = id
    var planner = NamePlanner(container)
    let values = PlannedValues(
      pool: container.pool, semantics: container.semantics, names: planner.indexes, tags: container.tags)
    self.values = values
    macros = container.macros.map { PlannedMacro($0, values) }
    let shared = Self.sharedPredicates(of: container)
    var predicates = container.predicates.enumerated().map { index, call in
      PlannedPredicate(call, values, container.semantics, isShared: shared.contains(index))
    }
    regexes = RegexCache(constants: predicates.compactMap(\.pattern), clock: clock)
    for index in predicates.indices where predicates[index].hasFixedCase {
      predicates[index].compiled = predicates[index].pattern.map(regexes.compiled)
    }
    self.predicates = predicates
    planner.markConstants(macros)
    planner.markCacheable(StaticAnalysis(container, names: planner, macros: macros, predicates: predicates))
    names = planner.names
    nameIndexes = planner.indexes
    let order = FiringOrder(container.tags, values)
    tags = container.tags.indices.map { PlannedTag(container.tags[$0], values, rank: order.ranks[$0]) }

    let eventPredicates = EventPredicates(predicates, macros: macros, names: names, values: values)
    var tagRules = RuleIndex()
    for (index, rule) in container.rules.enumerated() where rule.touchesTags {
      tagRules.file(index, under: eventPredicates.event(of: rule, container.semantics))
    }
    self.tagRules = tagRules
    diagnostics =
      Self.diagnostics(of: regexes, in: predicates) + SetupCycles.diagnostics(of: container.tags)
  }

  /// The predicates that several rules have, or one that is itself asked for more than once: it chooses macros.
  private static func sharedPredicates(of container: CompiledContainer) -> Set<Int> {
    var seen: Set<Int> = []
    var shared: Set<Int> = []
    for rule in container.rules {
      for predicate in rule.positive + rule.negative where !seen.insert(predicate).inserted || rule.touchesMacros {
        shared.insert(predicate)
      }
    }
    return shared
  }

  private static func diagnostics(of regexes: RegexCache, in predicates: [PlannedPredicate]) -> [Diagnostic] {
    var faults = Dictionary(regexes.faults.map { ($0.key, $0.fault) }, uniquingKeysWith: { first, _ in first })
    return predicates.enumerated().compactMap { index, predicate in
      guard let code = predicate.pattern.flatMap({ faults.removeValue(forKey: $0) })?.diagnostic else { return nil }
      return Diagnostic(
        .warning, code, "A predicate's regular expression is ill-formed and matches nothing; correct the pattern.",
        at: "predicates[\(index)].arg1")
    }
  }

  /// The place of a macro name; nil when no macro has it.
  package func index(ofName name: String) -> Int? { nameIndexes[name] }
}

extension Rule {
  /// Whether passing or failing can matter to a tag (TM-721).
  package var touchesTags: Bool { !addedTags.isEmpty || !removedTags.isEmpty }
  /// Whether passing can matter to the choice of a macro.
  package var touchesMacros: Bool { !addedMacros.isEmpty || !removedMacros.isEmpty }
}

/// The macros of one name and the rules that choose among them (TM-640).
package struct PlannedName: Sendable {
  package let name: String
  /// The macros of the name, in file order.
  package fileprivate(set) var macros: [Int] = []
  /// What answers when no rule adds a macro: the last one that may (TM-641).
  package fileprivate(set) var defaultMacro: Int?
  /// The rules that add or remove a macro of the name, in file order.
  package fileprivate(set) var rules: [Int] = []
  /// The value, when neither rules nor data can change it.
  package fileprivate(set) var constant: Value?
  /// Whether a value that was evaluated once holds for good (TM-617).
  package fileprivate(set) var isCacheable = false

  fileprivate init(name: String) { self.name = name }
}

/// Gathers the macros by name while a plan is made.
package struct NamePlanner {
  package private(set) var names: [PlannedName] = []
  package private(set) var indexes: [String: Int] = [:]

  fileprivate init(_ container: CompiledContainer) {
    var nameOfMacro: [Int] = []
    for (index, macro) in container.macros.enumerated() {
      let name = indexes[macro.name] ?? add(macro.name)
      nameOfMacro.append(name)
      names[name].macros.append(index)
      if !macro.isNotDefault { names[name].defaultMacro = index }
    }
    for (index, rule) in container.rules.enumerated() where rule.touchesMacros {
      for macro in rule.addedMacros + rule.removedMacros where nameOfMacro.indices.contains(macro) {
        let name = nameOfMacro[macro]
        if names[name].rules.last != index { names[name].rules.append(index) }
      }
    }
  }

  private mutating func add(_ name: String) -> Int {
    names.append(PlannedName(name: name))
    indexes[name] = names.count - 1
    return names.count - 1
  }

  fileprivate mutating func markConstants(_ macros: [PlannedMacro]) {
    for index in names.indices where names[index].rules.isEmpty {
      names[index].constant = names[index].defaultMacro.flatMap { macros[$0].constant }
    }
  }

  fileprivate mutating func markCacheable(_ analysis: StaticAnalysis) {
    for index in names.indices { names[index].isCacheable = analysis.isStatic(name: index) }
  }
}
