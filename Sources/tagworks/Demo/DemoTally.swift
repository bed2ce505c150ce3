/// The demo's books: each line says the same thing found in several places.
struct DemoTally {
  private struct Line {
    var name: String
    var entries: [(place: String, found: String)]

    var agrees: Bool { Set(entries.map(\.found)).count <= 1 }
  }

  private var lines: [Line] = []

  /// Enters a number as several places know it.
  mutating func enter(_ name: String, _ counts: [(place: String, count: Int)]) {
    lines.append(Line(name: name, entries: counts.map { ($0.place, String($0.count)) }))
  }

  /// Enters a text as several places know it.
  mutating func enter(_ name: String, _ texts: [(place: String, text: String)]) {
    lines.append(Line(name: name, entries: texts.map { ($0.place, "\"\($0.text)\"") }))
  }

  var agrees: Bool { lines.allSatisfy(\.agrees) }

  var text: [String] {
    let width = lines.map(\.name.count).max() ?? 0
    return lines.map { line in
      let name = line.name + String(repeating: " ", count: width - line.name.count)
      let entries = line.entries.map { "\($0.found) \($0.place)" }.joined(
        separator: line.agrees ? " = " : " | ")
      return "\(name)  \(entries)\(line.agrees ? "" : "   DISAGREES")"
    }
  }
}
