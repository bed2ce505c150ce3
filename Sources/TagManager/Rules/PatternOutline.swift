/// What a regular expression's text alone tells about a subject, so that most searches need no engine.
///
/// A pattern is split at its bars, also those of groups that hold nothing but characters. A branch of nothing but characters, perhaps with `^` before and `$` after,
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
    guard var alternatives = PatternOutlineReader.alternatives(of: pattern) else { return nil }
    if isAnchored, let last = alternatives.indices.last {
      for index in alternatives[0].indices { alternatives[0][index].isAnchoredAtStart = true }
      for index in alternatives[last].indices { alternatives[last][index].end = .text }
    }
    var branches = Array(alternatives.joined())
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
