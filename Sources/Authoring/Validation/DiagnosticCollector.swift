import TagManager

/// Collects what there is to say about a workspace; a hostile one cannot make the list long.
struct DiagnosticCollector {
  /// How many of one code are kept; the last of them tells how many more there were.
  private static let kept = 100

  private var diagnostics: [WorkspaceDiagnostic] = []
  private var counts: [Diagnostic.Code: Int] = [:]

  mutating func add(_ diagnostic: WorkspaceDiagnostic) {
    let count = counts[diagnostic.code, default: 0] + 1
    counts[diagnostic.code] = count
    if count <= Self.kept { diagnostics.append(diagnostic) }
    if diagnostic.severity == .error { hasErrors = true }
  }

  mutating func error(
    _ code: Diagnostic.Code, _ message: String, _ entity: EntityReference? = nil, field: String? = nil
  ) {
    add(WorkspaceDiagnostic(.error, code, message, entity: entity, field: field))
  }

  mutating func warning(
    _ code: Diagnostic.Code, _ message: String, _ entity: EntityReference? = nil, field: String? = nil
  ) {
    add(WorkspaceDiagnostic(.warning, code, message, entity: entity, field: field))
  }

  /// Whether any of them is an error.
  private(set) var hasErrors = false

  /// What was collected, errors first, otherwise in order.
  var all: [WorkspaceDiagnostic] {
    var all = diagnostics
    for (code, count) in counts where count > Self.kept {
      guard let last = all.lastIndex(where: { $0.code == code }) else { continue }
      all[last].message += " There are \(count - Self.kept) more of this kind."
    }
    return all.filter { $0.severity == .error } + all.filter { $0.severity == .warning }
      + all.filter { $0.severity == .info }
  }
}
