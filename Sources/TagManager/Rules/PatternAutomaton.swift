/// A Glushkov automaton: decides in one walk over a text of printable ASCII whether a pattern is found in it.
///
/// Each place where the pattern names a symbol is a bit; a set of places is one word, so a pattern may have 64 of them.
/// The bits set after a symbol are the places that a match under way may have come to with it. The text's ends are
/// symbols too, which is all there is to `^` and `$`.
///
/// Its answer is the engine's own: which of several matches a backtracking engine prefers depends on greed and order,
/// but that there is one does not.
struct PatternAutomaton: Sendable {
  private struct Place: Sendable {
    let symbols: SymbolSet
    /// The places that may come right after it.
    var next: UInt64 = 0
  }

  /// A part of the pattern: the places it may begin and end with, and whether it may be empty.
  private struct Part {
    var first: UInt64 = 0
    var last: UInt64 = 0
    var isOptional = true
  }

  private var places: [Place] = []
  private var whole = Part()
  /// Whether a match can begin with the text only.
  private var isAnchored = false

  /// Builds the automaton; nil when the pattern has too many places, or asks for the same end of the text twice.
  init?(_ pattern: PatternNode) {
    guard let whole = add(pattern) else { return nil }
    self.whole = whole
    isAnchored = whole.first.bits.allSatisfy { places[$0].symbols == .start }
    // An end is read as one symbol, so that a second look at it would find it gone.
    let ends = places.indices.filter { places[$0].symbols == .start || places[$0].symbols == .end }
    for end in ends {
      for next in places[end].next.bits where ends.contains(next) {
        guard places[end].symbols == .start, places[next].symbols == .end else { return nil }
      }
    }
  }

  /// How many steps a symbol of the text may take.
  var size: Int { places.count }

  /// Whether the pattern is found in a text of printable ASCII.
  func isFound(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    if whole.isOptional { return true }
    var reached = places(reachedFrom: 0, with: SymbolSet.startOfText)
    for byte in text {
      if reached & whole.last != 0 { return true }
      if reached == 0, isAnchored { return false }
      reached = places(reachedFrom: reached, with: byte)
    }
    return reached & whole.last != 0 || places(reachedFrom: reached, with: SymbolSet.endOfText) & whole.last != 0
  }

  private func places(reachedFrom before: UInt64, with symbol: UInt8) -> UInt64 {
    var candidates = whole.first
    for place in before.bits { candidates |= places[place].next }
    var reached: UInt64 = 0
    for place in candidates.bits where places[place].symbols.contains(symbol) { reached |= 1 &<< UInt64(place) }
    return reached
  }
}

extension PatternAutomaton {
  private mutating func add(_ node: PatternNode) -> Part? {
    switch node {
    case .symbol(let symbols):
      guard places.count < UInt64.bitWidth else { return nil }
      let place: UInt64 = 1 &<< UInt64(places.count)
      places.append(Place(symbols: symbols))
      return Part(first: place, last: place, isOptional: false)
    case .sequence(let parts):
      var whole = Part()
      for part in parts {
        guard let part = add(part) else { return nil }
        whole = join(whole, part)
      }
      return whole
    case .choice(let parts):
      var whole = Part(isOptional: false)
      for part in parts {
        guard let part = add(part) else { return nil }
        whole.first |= part.first
        whole.last |= part.last
        whole.isOptional = whole.isOptional || part.isOptional
      }
      return whole
    case .repeated(let part, let minimum, let maximum):
      return add(part, minimum: minimum, maximum: maximum)
    }
  }

  /// Adds a part as often as it may come; where there is no maximum the last copy leads back to itself.
  private mutating func add(_ part: PatternNode, minimum: Int, maximum: Int?) -> Part? {
    var whole = Part()
    let count = maximum ?? max(minimum, 1)
    for index in 0..<count {
      guard var copy = add(part) else { return nil }
      if maximum == nil, index == count - 1 { lead(from: copy.last, to: copy.first) }
      if index >= minimum { copy.isOptional = true }
      whole = join(whole, copy)
    }
    return whole
  }

  private mutating func join(_ left: Part, _ right: Part) -> Part {
    lead(from: left.last, to: right.first)
    return Part(
      first: left.isOptional ? left.first | right.first : left.first,
      last: right.isOptional ? left.last | right.last : right.last,
      isOptional: left.isOptional && right.isOptional)
  }

  private mutating func lead(from last: UInt64, to first: UInt64) {
    for place in last.bits { places[place].next |= first }
  }
}

extension UInt64 {
  /// The positions of the bits that are set, lowest first.
  fileprivate var bits: SetBits { SetBits(rest: self) }
}

private struct SetBits: Sequence, IteratorProtocol {
  var rest: UInt64

  mutating func next() -> Int? {
    guard rest != 0 else { return nil }
    defer { rest &= rest &- 1 }
    return rest.trailingZeroBitCount
  }
}
