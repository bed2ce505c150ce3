/// Reads a pattern's text into branches, once, from left to right.
struct PatternOutlineReader {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var alternatives: [[PatternOutline.Branch]] = []
  /// The branches that the alternative being read comes to, more than one after a group of plain alternatives.
  private var forks = [Fork()]

  private struct Fork {
    var branch = PatternOutline.Branch(isLiteral: true)
    /// The characters since the last thing that is not one.
    var run = ""

    mutating func endRun() {
      branch.isLiteral = false
      if run.utf8.count > branch.required.utf8.count { branch.required = run }
      run = ""
    }
  }

  private static let forkLimit = 64

  /// The branches of each alternative at the top level; nil when the pattern is not understood.
  static func alternatives(of pattern: String) -> [[PatternOutline.Branch]]? {
    var reader = PatternOutlineReader(scalars: Array(pattern.unicodeScalars))
    return reader.read() ? reader.alternatives : nil
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private func scalar(_ offset: Int = 0) -> Unicode.Scalar? {
    scalars.indices.contains(position + offset) ? scalars[position + offset] : nil
  }

  /// Whether the whole pattern was understood.
  private mutating func read() -> Bool {
    var branchStart = 0
    while let next = scalar() {
      position += 1
      switch next {
      case "|":
        endAlternative()
        branchStart = position
      case "^" where position - 1 == branchStart && !isQuantifier: forEachFork { $0.branch.isAnchoredAtStart = true }
      case "$" where scalar() == nil || scalar() == "|": forEachFork { $0.branch.end = .line }
      case "^", "$", ".": endRun()
      case "[": guard skipClass() else { return false }
      case "(": guard readAlternatives() || skipGroup() else { return false }
      case "\\": guard readEscape() else { return false }
      case "*", "+", "?", "{", "}", "]", ")": return false
      default: forEachFork { $0.run.unicodeScalars.append(next) }
      }
      guard readQuantifier() else { return false }
    }
    endAlternative()
    return true
  }

  private mutating func forEachFork(_ body: (inout Fork) -> Void) {
    for index in forks.indices { body(&forks[index]) }
  }

  private mutating func endRun() { forEachFork { $0.endRun() } }

  private mutating func endAlternative() {
    forEachFork { fork in
      if fork.branch.isLiteral { fork.branch.required = fork.run } else { fork.endRun() }
    }
    alternatives.append(forks.map(\.branch))
    forks = [Fork()]
  }

  private var isQuantifier: Bool { scalar().map { "*+?{".unicodeScalars.contains($0) } ?? false }

  /// Takes a quantifier, if one follows; the character before it is then no longer certain, but for `+`.
  private mutating func readQuantifier() -> Bool {
    guard let quantifier = scalar(), isQuantifier else { return true }
    position += 1
    forEachFork { fork in
      if quantifier != "+", !fork.run.isEmpty { fork.run.unicodeScalars.removeLast() }
      fork.endRun()
    }
    if quantifier == "{" {
      while let next = scalar(), next != "}" {
        guard ("0"..."9").contains(next) || next == "," else { return false }
        position += 1
      }
      guard scalar() == "}" else { return false }
      position += 1
    }
    if scalar() == "?" || scalar() == "+" { position += 1 }
    return true
  }

  private mutating func readEscape() -> Bool {
    guard let escaped = scalar(), escaped.isASCII else { return false }
    position += 1
    switch escaped {
    case "d", "D", "w", "W", "s", "S", "b", "B", "A", "z", "Z", "1"..."9": endRun()
    case _ where Self.isMark(escaped): forEachFork { $0.run.unicodeScalars.append(escaped) }
    default: return false
    }
    return true
  }

  /// Skips a set such as `[a-z]`; sets within sets are left to the engine.
  private mutating func skipClass() -> Bool {
    endRun()
    if scalar() == "^" { position += 1 }
    if scalar() == "]" { return false }
    while let next = scalar() {
      position += 1
      switch next {
      case "]": return true
      case "[": return false
      case "\\": guard skipEscaped() else { return false }
      default: break
      }
    }
    return false
  }

  /// Reads a group of nothing but characters and bars, such as `(a|b)`, as one branch for each; false, with nothing
  /// read, for any other group.
  private mutating func readAlternatives() -> Bool {
    let start = position
    if scalar() == "?", scalar(1) == ":" { position += 2 }
    var texts = [""]
    while let next = scalar(), next != ")" {
      var literal = next
      if next == "\\", let escaped = scalar(1), Self.isMark(escaped) {
        position += 1
        literal = escaped
      } else if "\\^$.[]{}()*+?".unicodeScalars.contains(next) {
        break
      }
      position += 1
      if literal == "|", literal == next {
        texts.append("")
      } else {
        texts[texts.count - 1].unicodeScalars.append(literal)
      }
    }
    let isEnd = scalar() == ")"
    if isEnd { position += 1 }
    guard isEnd, !isQuantifier, forks.count * texts.count <= Self.forkLimit else {
      position = start
      return false
    }
    forks = forks.flatMap { fork in
      texts.map { text in
        var fork = fork
        fork.run += text
        return fork
      }
    }
    return true
  }

  /// Whether a character stands for itself after a backslash.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": false
    case "!"..."~": true
    default: false
    }
  }

  /// Skips a group whose inside cannot change what stands around it.
  private mutating func skipGroup() -> Bool {
    endRun()
    var depth = 1
    guard skipGroupKind() else { return false }
    while let next = scalar() {
      position += 1
      switch next {
      case "(":
        depth += 1
        guard skipGroupKind() else { return false }
      case ")":
        depth -= 1
        if depth == 0 { return true }
      case "[": guard skipClass() else { return false }
      case "\\": guard skipEscaped() else { return false }
      default: break
      }
    }
    return false
  }

  private mutating func skipGroupKind() -> Bool {
    guard scalar() == "?" else { return true }
    guard scalar(1) == ":" else { return false }
    position += 2
    return true
  }

  /// Skips the character after a backslash; `\Q` would quote all that follows.
  private mutating func skipEscaped() -> Bool {
    guard let next = scalar(), next != "Q" else { return false }
    position += 1
    return true
  }
}
