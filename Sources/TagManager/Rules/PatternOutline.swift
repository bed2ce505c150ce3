/// What a regular expression's text alone tells about a subject, so that most searches need no engine.
///
/// A pattern is split at its top-level bars. A branch of nothing but characters, perhaps with `^` before and `$` after,
/// is decided by comparing text. Any other branch has, where possible, a run of characters that every match must
/// contain; without them in the subject the branch cannot match. Whatever the outline does not understand makes it
/// leave the subject, or the whole pattern, to the engine: it never changes a result.
struct PatternOutline: Sendable {
  /// One alternative of the pattern.
  struct Branch: Sendable, Equatable {
    /// What every match contains; empty for nothing known.
    var required = ""
    /// Whether the branch is just the required text between its anchors.
    var isLiteral = false
    var isAnchoredAtStart = false
    var end = End.free
  }

  /// Where a branch must end.
  enum End: Sendable {
    case free
    /// At the text's end, or before a last line terminator.
    case line
    /// At the text's end.
    case text
  }

  private let branches: [Branch]
  private let ignoresCase: Bool

  /// Reads a pattern; nil when it has parts that could change the meaning of others, or is not well formed.
  init?(_ pattern: String, ignoresCase: Bool, isAnchored: Bool) {
    guard var branches = PatternOutlineReader.branches(of: pattern), !branches.isEmpty else { return nil }
    if ignoresCase {
      for index in branches.indices {
        let required = branches[index].required
        // A letter beyond ASCII can equal one within: the long s equals s.
        if required.utf8.allSatisfy({ $0 < 128 }) {
          branches[index].required = required.lowercased()
        } else {
          branches[index].required = ""
          branches[index].isLiteral = false
        }
      }
    }
    if isAnchored {
      branches[0].isAnchoredAtStart = true
      branches[branches.count - 1].end = .text
    }
    self.branches = branches
    self.ignoresCase = ignoresCase
  }

  /// Whether every subject can be decided without the engine.
  var isLiteral: Bool { !ignoresCase && branches.allSatisfy { $0.isLiteral && $0.end != .line } }

  /// Whether the pattern is found in the text; nil when only the engine knows.
  func isFound(in text: String) -> Bool? {
    var text = text
    if ignoresCase {
      guard text.utf8.allSatisfy({ $0 < 128 }) else { return nil }
      text = text.lowercased()
    }
    return text.withUTF8 { text in
      var isKnown = true
      for branch in branches {
        switch isFound(branch, in: text) {
        case true: return true
        case false: continue
        case nil: isKnown = false
        }
      }
      return isKnown ? false : nil
    }
  }

  private func isFound(_ branch: Branch, in text: UnsafeBufferPointer<UInt8>) -> Bool? {
    var required = branch.required
    return required.withUTF8 { required -> Bool? in
      guard branch.isLiteral else { return text.contains(bytesOf: required) ? nil : false }
      let start = text.count - required.count
      let fits = start == 0 || !branch.isAnchoredAtStart
      switch branch.end {
      case .free where branch.isAnchoredAtStart: return text.hasBytes(of: required, at: 0)
      case .free: return text.contains(bytesOf: required)
      case .text: return fits && text.hasBytes(of: required, at: start)
      case .line:
        // Line terminators are control characters or end in a byte ≥ 128.
        if let last = text.last, last < 32 || last >= 128 { return nil }
        return fits && text.hasBytes(of: required, at: start)
      }
    }
  }
}

/// Reads a pattern's text into branches, once, from left to right.
private struct PatternOutlineReader {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var branches: [PatternOutline.Branch] = []
  private var branch = PatternOutline.Branch(isLiteral: true)
  /// The characters since the last thing that is not one.
  private var run = ""

  static func branches(of pattern: String) -> [PatternOutline.Branch]? {
    var reader = PatternOutlineReader(scalars: Array(pattern.unicodeScalars))
    guard reader.read() else { return nil }
    return reader.branches
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
        endBranch()
        branchStart = position
      case "^" where position - 1 == branchStart && !isQuantifier: branch.isAnchoredAtStart = true
      case "$" where scalar() == nil || scalar() == "|": branch.end = .line
      case "^", "$", ".": endRun()
      case "[": guard skipClass() else { return false }
      case "(": guard skipGroup() else { return false }
      case "\\": guard readEscape() else { return false }
      case "*", "+", "?", "{", "}", "]", ")": return false
      default: run.unicodeScalars.append(next)
      }
      guard readQuantifier() else { return false }
    }
    endBranch()
    return true
  }

  private mutating func endRun() {
    branch.isLiteral = false
    if run.utf8.count > branch.required.utf8.count { branch.required = run }
    run = ""
  }

  private mutating func endBranch() {
    if branch.isLiteral { branch.required = run } else { endRun() }
    branches.append(branch)
    branch = PatternOutline.Branch(isLiteral: true)
    run = ""
  }

  private var isQuantifier: Bool { scalar().map { "*+?{".unicodeScalars.contains($0) } ?? false }

  /// Takes a quantifier, if one follows; the character before it is then no longer certain, but for `+`.
  private mutating func readQuantifier() -> Bool {
    guard let quantifier = scalar(), isQuantifier else { return true }
    position += 1
    if quantifier != "+", !run.isEmpty { run.unicodeScalars.removeLast() }
    endRun()
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
    case "a"..."z", "A"..."Z", "0": return false
    case "!"..."~": run.unicodeScalars.append(escaped)
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
