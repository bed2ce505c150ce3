/// A regular expression taken apart, as far as it is regular, for texts of printable ASCII.
indirect enum PatternNode: Sendable {
  /// One symbol of a set.
  case symbol(SymbolSet)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// A part a number of times; a maximum of nil is none.
  case repeated(PatternNode, minimum: Int, maximum: Int?)

  /// Whether some part is repeated without end.
  var isEndless: Bool {
    switch self {
    case .symbol: false
    case .sequence(let parts), .choice(let parts): parts.contains(where: \.isEndless)
    case .repeated(let part, _, let maximum): maximum == nil || part.isEndless
    }
  }

  /// Whether it holds a character at all: an end of the text, or nothing, gains nothing by coming again.
  var canBeRepeated: Bool {
    switch self {
    case .symbol(let symbols): symbols != .start && symbols != .end
    case .sequence(let parts), .choice(let parts): parts.contains(where: \.canBeRepeated)
    case .repeated(let part, _, _): part.canBeRepeated
    }
  }

  /// Two patterns that together find what this one does, each with half of a choice; nil where there is none.
  var halves: (PatternNode, PatternNode)? {
    switch self {
    case .symbol, .repeated: return nil
    case .choice(let parts):
      guard parts.count > 1 else { return parts.first?.halves }
      let middle = parts.count / 2
      return (.choice(Array(parts[..<middle])), .choice(Array(parts[middle...])))
    case .sequence(let parts):
      for (index, part) in parts.enumerated() {
        guard let (left, right) = part.halves else { continue }
        let (before, after) = (parts[..<index], parts[(index + 1)...])
        return (.sequence(before + [left] + after), .sequence(before + [right] + after))
      }
      return nil
    }
  }
}
