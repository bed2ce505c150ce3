import Foundation

/// One line of the results: a requirement, what was measured, what it is held against.
struct Row: Sendable {
  /// What the requirement allows, and what was measured.
  struct Bound: Sendable {
    var measured: Double
    var limit: Double

    /// How many times the limit was measured; at most 1 when it is kept.
    var use: Double { measured / limit }

    /// A condition that has no figure.
    static func holds(_ condition: Bool) -> Bound { Bound(measured: condition ? 0 : .infinity, limit: 1) }
  }

  /// The requirement's number, such as `TM-1403`.
  var number: String
  var what: String
  /// The figure with its unit.
  var figure: String
  /// The baseline of the same run, with its own figure.
  var baseline: String
  /// Our figure over the baseline's; nil when there is none to divide by.
  var ratio: Double?
  /// What the requirement allows, as text.
  var bound: String
  var bounds: [Bound]

  var isKept: Bool { bounds.allSatisfy { $0.use <= 1 } }

  var markdown: String {
    let ratio = ratio.map { String(format: "%.2f", $0) } ?? "–"
    return "| \(number) | \(what) | \(figure) | \(baseline) | \(ratio) | \(bound) | \(kept) |"
  }

  private var kept: String {
    let worst = bounds.map(\.use).max() ?? 0
    if worst <= 1 { return "yes" }
    return worst.isFinite ? String(format: "**no**, %.2f × the bound", worst) : "**no**"
  }
}

/// Figures as a person reads them.
enum Figure {
  static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<1e-6: String(format: "%.0f ns", seconds * 1e9)
    case ..<1e-3: String(format: "%.2f µs", seconds * 1e6)
    case ..<1: String(format: "%.2f ms", seconds * 1e3)
    default: String(format: "%.2f s", seconds)
    }
  }

  /// Seconds of one as so many a second.
  static func rate(_ seconds: Double) -> String { String(format: "%.0fk hits/s", 1e-3 / seconds) }

  static func count(_ number: Double) -> String {
    number < 10 ? String(format: "%.1f", number) : String(format: "%.0f", number)
  }
}
