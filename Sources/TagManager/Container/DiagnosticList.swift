/// Collects warnings and notes while a container is decoded; a hostile file cannot make the list long (TM-160).
struct DiagnosticList {
  /// How many of one code are kept; the last of them tells how many more there were.
  private static let kept = 100

  private var diagnostics: [Diagnostic] = []
  private var counts: [Diagnostic.Code: Int] = [:]

  mutating func add(_ diagnostic: Diagnostic) {
    let count = counts[diagnostic.code, default: 0] + 1
    counts[diagnostic.code] = count
    if count <= Self.kept { diagnostics.append(diagnostic) }
  }

  /// What was collected, in order.
  var all: [Diagnostic] {
    var all = diagnostics
    for (code, count) in counts where count > Self.kept {
      guard let last = all.lastIndex(where: { $0.code == code }) else { continue }
      all[last].message += " There are \(count - Self.kept) more of this kind."
    }
    return all
  }
}
