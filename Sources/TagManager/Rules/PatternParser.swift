/// Reads what is regular of ICU's dialect, once, from left to right.
///
///     pattern    = sequence *( "|" sequence )
///     sequence   = *( atom [ quantifier ] )
///     atom       = character / "." / "^" / "$" / set / "(" [ "?:" ] pattern ")" / "\" letter / "\" mark
///     quantifier = ( "*" / "+" / "?" / "{" n [ "," [ m ] ] "}" ) [ "?" ]
///     set        = "[" [ "^" ] 1*( character / character "-" character / "\" letter / "\" mark ) "]"
///
/// Whatever else there is (references, looking around, modes, possessive quantifiers, sets within sets) makes it give
/// up. So does a repeat without end inside another: ICU tries such a pattern in every way there is, which TM-1412 wants
/// stopped and told to the author.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private let ignoresCase: Bool
  private var position = 0
  private var depth = 0

  private static let maximumDepth = 32
  private static let maximumCount = 1_000

  /// The parts of a well-formed pattern; nil when not all of it is known.
  static func parse(_ pattern: String, ignoresCase: Bool) -> PatternNode? {
    // A letter beyond ASCII can equal one within when case is ignored: the long s equals s.
    guard !ignoresCase || pattern.utf8.allSatisfy({ $0 < 128 }) else { return nil }
    var parser = PatternParser(scalars: Array(pattern.unicodeScalars), ignoresCase: ignoresCase)
    guard let node = parser.readChoice(), parser.next == nil else { return nil }
    return node
  }

  private init(scalars: [Unicode.Scalar], ignoresCase: Bool) {
    self.scalars = scalars
    self.ignoresCase = ignoresCase
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take() -> Unicode.Scalar? {
    guard let scalar = next else { return nil }
    position += 1
    return scalar
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func readChoice() -> PatternNode? {
    var alternatives: [PatternNode] = []
    repeat {
      guard let sequence = readSequence() else { return nil }
      alternatives.append(sequence)
    } while take("|")
    return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
  }

  private mutating func readSequence() -> PatternNode? {
    var parts: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      guard let atom = readAtom(), let part = readQuantifier(of: atom) else { return nil }
      parts.append(part)
    }
    return .sequence(parts)
  }

  private mutating func readAtom() -> PatternNode? {
    guard let scalar = take() else { return nil }
    switch scalar {
    case ".": return .symbol(.printable)
    case "^": return .symbol(.start)
    case "$": return .symbol(.end)
    case "[": return readSet().map(PatternNode.symbol)
    case "(": return readGroup()
    case "\\": return readEscape()
    case "*", "+", "?", "{", "}", "]", ")": return nil
    default: return .symbol(cases(of: SymbolSet(scalar)))
    }
  }

  private func cases(of set: SymbolSet) -> SymbolSet { ignoresCase ? set.ignoringCase : set }

  private mutating func readGroup() -> PatternNode? {
    if take("?"), !take(":") { return nil }
    guard depth < Self.maximumDepth else { return nil }
    depth += 1
    defer { depth -= 1 }
    guard let choice = readChoice(), take(")") else { return nil }
    return choice
  }

  private mutating func readEscape() -> PatternNode? {
    if take("A") { return .symbol(.start) }
    if take("z") || take("Z") { return .symbol(.end) }
    return (readClass() ?? readMark().map { SymbolSet($0) }).map(PatternNode.symbol)
  }

  /// The class of characters that the letter after a backslash names.
  private mutating func readClass() -> SymbolSet? {
    if take("d") { return .digits }
    if take("D") { return .digits.inverted }
    if take("w") { return .word }
    if take("W") { return .word.inverted }
    if take("s") { return .space }
    if take("S") { return .space.inverted }
    return nil
  }

  /// The mark that stands for itself after a backslash.
  private mutating func readMark() -> Unicode.Scalar? {
    guard let mark = next, "!"..."~" ~= mark else { return nil }
    switch mark {
    case "0"..."9", "A"..."Z", "a"..."z": return nil
    default: return take()
    }
  }

  private mutating func readSet() -> SymbolSet? {
    let isInverted = take("^")
    guard next != "]", next != ":" else { return nil }
    var set = SymbolSet.none
    if next == "-", peek(1) != "-", take("-") { set = SymbolSet("-") }
    while !take("]") {
      guard let part = readSetPart() else { return nil }
      set = set.union(part)
    }
    set = cases(of: set)
    return isInverted ? set.inverted : set
  }

  private mutating func readSetPart() -> SymbolSet? {
    if next == "\\", let letter = peek(1), "dDwWsS".unicodeScalars.contains(letter) {
      position += 1
      let set = readClass()
      return next == "-" ? nil : set
    }
    guard let lower = readSetCharacter() else { return nil }
    guard next == "-", peek(1) != "]" else { return SymbolSet(lower) }
    position += 1
    guard let upper = readSetCharacter(), lower <= upper else { return nil }
    return SymbolSet(lower...upper)
  }

  private mutating func readSetCharacter() -> Unicode.Scalar? {
    switch take() {
    case "\\": readMark()
    case "[", "]": nil
    // Two of them take sets from each other; and ICU makes no range of "&-z".
    case "-": next == "]" ? "-" : nil
    case "&": next == "&" || next == "-" ? nil : "&"
    case let scalar: scalar
    }
  }

  private func peek(_ offset: Int) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  /// The atom with the quantifier that follows, if one does.
  private mutating func readQuantifier(of atom: PatternNode) -> PatternNode? {
    let minimum: Int
    var maximum: Int?
    switch next {
    case "*": minimum = 0
    case "+": minimum = 1
    case "?": (minimum, maximum) = (0, 1)
    case "{":
      position += 1
      guard let count = readCount() else { return nil }
      minimum = count
      maximum = take(",") ? (next == "}" ? nil : readCount() ?? -1) : count
      guard next == "}", maximum.map({ $0 >= minimum }) ?? true else { return nil }
    default: return atom
    }
    position += 1
    // A lazy quantifier finds the same texts as a greedy one; only where in the text differs.
    _ = take("?")
    guard next != "+", atom.canBeRepeated, !(maximum == nil && atom.isEndless) else { return nil }
    return .repeated(atom, minimum: minimum, maximum: maximum)
  }

  private mutating func readCount() -> Int? {
    var count: Int?
    while let scalar = next, "0"..."9" ~= scalar {
      count = 10 * (count ?? 0) + Int(scalar.value - 0x30)
      guard let count, count <= Self.maximumCount else { return nil }
      position += 1
    }
    return count
  }
}
