import Hits

/// Looks at a decoded container as a whole: the one asked for, for apps, of known functions.
struct ContainerReview {
  /// The id asked for; nil when any will do.
  let id: ContainerID?
  /// The running platform's usage context; nil where any will do.
  let platform: String?

  func review(
    _ container: CompiledContainer, diagnostics: inout DiagnosticList
  ) throws(DecodingFault) {
    if let id, let own = container.id, own != id {
      throw DecodingFault(
        .containerMismatch, "The file is container \(own), asked for is \(id); check the container id.",
        at: "container.id")
    }
    try reviewContext(of: container, diagnostics: &diagnostics)
    reviewFunctions(.macro, container.macros, diagnostics: &diagnostics)
    reviewFunctions(.predicate, container.predicates, diagnostics: &diagnostics)
    reviewFunctions(.tag, container.tags, diagnostics: &diagnostics)
    reviewDefaults(container.macros, diagnostics: &diagnostics)
  }

  /// Refuses a container for the web; warns of one for another platform (TM-154).
  private func reviewContext(
    of container: CompiledContainer, diagnostics: inout DiagnosticList
  ) throws(DecodingFault) {
    let contexts = container.usageContext.map { $0.lowercased() }
    guard !contexts.isEmpty else { return }
    let name = (id ?? container.id).map { "Container \($0)" } ?? "The container"
    if contexts.allSatisfy({ ["web", "server", "amp"].contains($0) }) {
      throw DecodingFault(.webContainer, "\(name) is for the web, not for apps.", at: "usageContext")
    }
    if let platform, !contexts.contains(where: { $0.hasPrefix(platform) }) {
      diagnostics.add(
        Diagnostic(
          .warning, .platformMismatch,
          "\(name) is for \(contexts.joined(separator: ", ")), not for \(platform); it is used.",
          at: "usageContext"))
    }
  }

  /// Names each unknown function once with its number of calls (TM-153).
  private func reviewFunctions(_ kind: FunctionKind, _ calls: [Call], diagnostics: inout DiagnosticList) {
    var counts: [String: Int] = [:]
    var order: [String] = []
    for call in calls where !kind.table.isKnown(call.function) {
      // A text of a megabyte would be no better a name, and hashing it for every call would take long.
      let id = String(decoding: call.function.rawValue.utf8.prefix(128), as: UTF8.self)
      if counts[id] == nil { order.append(id) }
      counts[id, default: 0] += 1
    }
    for id in order {
      let count = counts[id] ?? 0
      diagnostics.add(
        Diagnostic(
          .warning, .unknownFunction,
          "unknownFunction(\(id), \(kind.rawValue), \(count)): nothing here knows this function; register it, or remove what uses it.",
          at: id))
    }
  }

  /// Tells of names that have several defaults, of which the last one counts (TM-641).
  ///
  /// Names of a kilobyte and more are not looked at: a file can give one to all macros, and comparing takes long then.
  private func reviewDefaults(_ macros: [Call], diagnostics: inout DiagnosticList) {
    let defaults = macros.indices.lazy
      .filter { !macros[$0].isNotDefault && 1..<1_024 ~= macros[$0].name.utf8.count }
      .sorted { macros[$0].name.precedesInBytes(macros[$1].name) }
    var rest = defaults[...]
    while let first = rest.first {
      let count = rest.prefix { macros[$0].name.hasSameScalars(as: macros[first].name) }.count
      rest = rest.dropFirst(count)
      guard count > 1 else { continue }
      diagnostics.add(
        Diagnostic(
          .info, .duplicateMacroDefault, "\(count) macros are the default of one name; the last of them is used.",
          at: macros[first].name))
    }
  }
}
