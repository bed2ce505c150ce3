/// Finds tags that run themselves by way of their setup and teardown tags (TM-804).
enum SetupCycles {
  /// One warning per tag that closes a cycle.
  static func diagnostics(of tags: [Call]) -> [Diagnostic] {
    enum State { case new, open, done }
    var states = [State](repeating: .new, count: tags.count)
    var diagnostics: [Diagnostic] = []
    for start in tags.indices where states[start] == .new {
      // Depth first with a stack of our own: a chain of tags may be as long as the container.
      var path: [(tag: Int, rest: ArraySlice<TagReference>)] = []
      func open(_ tag: Int) {
        states[tag] = .open
        path.append((tag, (tags[tag].setupTags + tags[tag].teardownTags)[...]))
      }
      open(start)
      while let top = path.indices.last {
        guard let next = path[top].rest.popFirst()?.tag else {
          states[path.removeLast().tag] = .done
          continue
        }
        guard tags.indices.contains(next) else { continue }
        switch states[next] {
        case .new: open(next)
        case .done: break
        case .open: diagnostics.append(warning(about: path[top].tag, running: next, tags))
        }
      }
    }
    return diagnostics
  }

  private static func warning(about tag: Int, running next: Int, _ tags: [Call]) -> Diagnostic {
    Diagnostic(
      .warning, .setupCycle,
      "Tag '\(tags[tag].name)' runs tag '\(tags[next].name)', which is running it already; that step is skipped."
        + " Remove one of the setup or teardown tags.",
      at: "tags[\(tag)]")
  }
}
