import TagManager

/// Finds variables that refer to each other in a circle.
///
/// A walk through the references, deepest first, with a path of its own instead of recursion. Every variable and every
/// reference is looked at once.
struct VariableCycles {
  private let workspace: Workspace
  /// For each variable the positions of those it refers to.
  private let edges: [[Int]]

  init(_ workspace: Workspace, _ index: WorkspaceIndex) {
    self.workspace = workspace
    edges = workspace.variables.map { variable in
      variable.variableReferences.compactMap { index.variables[$0.name] }
    }
  }

  func report(into diagnostics: inout DiagnosticCollector) {
    var isDone = Array(repeating: false, count: edges.count)
    var isOnPath = isDone
    for start in edges.indices where !isDone[start] {
      var path = [(variable: start, next: 0)]
      isOnPath[start] = true
      while let (variable, next) = path.last {
        guard next < edges[variable].count else {
          isOnPath[variable] = false
          isDone[variable] = true
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let target = edges[variable][next]
        if isOnPath[target] {
          report(path.map(\.variable), closedBy: target, into: &diagnostics)
        } else if !isDone[target] {
          isOnPath[target] = true
          path.append((target, 0))
        }
      }
    }
  }

  private func report(_ path: [Int], closedBy target: Int, into diagnostics: inout DiagnosticCollector) {
    let cycle = path.drop { $0 != target }.prefix(8).map { String(workspace.variables[$0].name.prefix(80)) }
    let names = (cycle + [cycle.first ?? ""]).map { "{{\($0)}}" }.joined(separator: " → ")
    diagnostics.error(
      .referenceCycle, "The variable comes back to itself: \(names). Break the circle.",
      workspace.variables[target].reference, field: "parameter")
  }
}
