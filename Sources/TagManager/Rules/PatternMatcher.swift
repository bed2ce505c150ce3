/// Finds a pattern without the engine, where its answer is certain to be the engine's.
///
/// Nearly all patterns of real containers are words, bars, anchors, sets and simple repeats, searched in short names in
/// ASCII. Those are decided here in tens of nanoseconds; for the engine a text must first become an `NSString`, and
/// each search costs microseconds. Everything else is the engine's: patterns that the parser does not know whole, and
/// texts with other than printable ASCII, whose letters, line ends and cases it alone knows.
struct PatternMatcher: Sendable {
  private let automata: [PatternAutomaton]
  private let size: Int

  /// How many automata a pattern is divided among at most.
  private static let maximumCount = 64
  /// The most steps of a search, some milliseconds: beyond, the engine and its budget take over (TM-704).
  private static let maximumSteps = 1 << 20

  /// Takes a pattern apart; nil when only the engine knows it.
  init?(_ pattern: String, ignoresCase: Bool) {
    guard let node = PatternParser.parse(pattern, ignoresCase: ignoresCase) else { return nil }
    var automata: [PatternAutomaton] = []
    var waiting = [node]
    while let node = waiting.popLast() {
      if let automaton = PatternAutomaton(node) {
        automata.append(automaton)
      } else {
        guard let (left, right) = node.halves else { return nil }
        waiting += [right, left]
      }
      guard automata.count + waiting.count <= Self.maximumCount else { return nil }
    }
    self.automata = automata
    size = automata.reduce(0) { $0 + $1.size }
  }

  /// Whether the pattern is found in the text; nil when only the engine knows.
  func isFound(in text: String) -> Bool? {
    var text = text
    return text.withUTF8 { text in
      guard text.count * size <= Self.maximumSteps, text.allSatisfy(SymbolSet.printableBytes.contains) else {
        return nil
      }
      return automata.contains { $0.isFound(in: text) }
    }
  }
}
