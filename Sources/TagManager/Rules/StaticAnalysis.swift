/// Which macro names keep their value from one event to the next (TM-617).
///
/// Everything counts as static until something it depends on does not; that spreads along the edges once. So a chain of
/// macros as long as the container costs one step per edge.
struct StaticAnalysis {
  private let names: Int
  private var isStatic: [Bool]

  func isStatic(name: Int) -> Bool { isStatic[names + name] }

  init(
    _ container: CompiledContainer, names planner: NamePlanner, macros: [PlannedMacro], predicates: [PlannedPredicate]
  ) {
    // Numbers of the graph's nodes: pool values, names, predicates, rules.
    let names = container.pool.nodes.count
    let predicateBase = names + planner.names.count
    let rules = predicateBase + predicates.count
    let count = rules + container.rules.count
    var edges: [(from: Int, to: Int)] = []
    var changing: [Int] = []

    func add(_ value: ValueIndex?, to node: Int) {
      if let value { edges.append((Int(value.rawValue), node)) }
    }
    for (index, node) in container.pool.nodes.enumerated() {
      for child in node.children { add(child, to: index) }
      if case .macro(let name) = node {
        if let name = planner.indexes[name] { edges.append((names + name, index)) } else { changing.append(index) }
      }
    }
    for (index, name) in planner.names.enumerated() {
      for macro in name.macros {
        if !macros[macro].isCacheable { changing.append(names + index) }
        for entry in macros[macro].parameters.entries { add(entry.value, to: names + index) }
        for value in macros[macro].format?.indexes ?? [] { add(value, to: names + index) }
      }
      for rule in name.rules { edges.append((rules + rule, names + index)) }
    }
    for (index, predicate) in predicates.enumerated() {
      for value in [predicate.arg0, predicate.arg1, predicate.ignoreCase] { add(value, to: predicateBase + index) }
    }
    for (index, rule) in container.rules.enumerated() where rule.touchesMacros {
      for predicate in rule.positive + rule.negative { edges.append((predicateBase + predicate, rules + index)) }
    }
    self.names = names
    isStatic = Self.spread(from: changing, along: edges, count: count)
  }

  private static func spread(from changing: [Int], along edges: [(from: Int, to: Int)], count: Int) -> [Bool] {
    let edges = edges.filter { (0..<count).contains($0.from) && (0..<count).contains($0.to) }
    var starts = [Int](repeating: 0, count: count + 1)
    for edge in edges { starts[edge.from + 1] += 1 }
    for node in 0..<count { starts[node + 1] += starts[node] }
    var targets = [Int](repeating: 0, count: edges.count)
    var next = starts
    for edge in edges {
      targets[next[edge.from]] = edge.to
      next[edge.from] += 1
    }
    var isStatic = [Bool](repeating: true, count: count)
    var waiting = changing
    while let node = waiting.popLast() {
      guard isStatic[node] else { continue }
      isStatic[node] = false
      waiting += targets[starts[node]..<starts[node + 1]]
    }
    return isStatic
  }
}
