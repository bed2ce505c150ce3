/// The demo's books: each line says the same number found in several places.
struct DemoTally {
  private struct Line {
    var name: String
    var counts: [(place: String, count: Int)]

    var agrees: Bool { Set(counts.map(\.count)).count <= 1 }
  }

  private var lines: [Line] = []

  /// Enters a number as several places know it.
  mutating func enter(_ name: String, _ counts: [(place: String, count: Int)]) {
    lines.append(Line(name: name, counts: counts))
  }

  var agrees: Bool { lines.allSatisfy(\.agrees) }

  var text: [String] {
    let width = lines.map(\.name.count).max() ?? 0
    return lines.map { line in
      let name = line.name + String(repeating: " ", count: width - line.name.count)
      let counts = line.counts.map { "\($0.count) \($0.place)" }.joined(separator: line.agrees ? " = " : " | ")
      return "\(name)  \(counts)\(line.agrees ? "" : "   DISAGREES")"
    }
  }
}
