import Foundation
package import Hits

/// Why a search has no answer.
package enum RegexFault: Error, Sendable, Hashable {
  /// The pattern is not well formed.
  case invalid
  /// The search was stopped after 50 ms.
  case timeout
  /// The pattern or the subject is longer than TM-705 allows.
  case limit

  /// How an evaluation fails by it.
  package var failure: EvaluationFailure { self == .limit ? .limit : .regex }

  /// What the author of the pattern is told; nil for nothing.
  package var diagnostic: Diagnostic.Code? {
    switch self {
    case .invalid: Diagnostic.Code(rawValue: "regexInvalid")
    case .timeout: Diagnostic.Code(rawValue: "regexTimeout")
    case .limit: nil
    }
  }
}

/// A compiled pattern of ICU's dialect, whose searches end within a budget of time (TM-704, TM-705).
package struct RegularExpression: Sendable {
  package static let patternLimit = 4_096
  package static let subjectLimit = 65_536
  private static let budgetNanoseconds: UInt64 = 50_000_000
  /// A bound for clocks that do not run: the engine reports about four times a millisecond.
  private static let reportLimit = 4_000

  private let pattern: String
  private let isWholeText: Bool
  private let outline: PatternOutline?
  private let engine: NSRegularExpression?

  /// Compiles a pattern; one without metacharacters needs no engine.
  ///
  /// - Parameter isWholeText: whether the match must be the whole subject.
  package init(_ pattern: String, ignoresCase: Bool = false, isWholeText: Bool = false) throws(RegexFault) {
    guard Self.fits(pattern, Self.patternLimit) else { throw .limit }
    self.pattern = pattern
    self.isWholeText = isWholeText
    // The engine refuses the empty pattern, which has no case.
    let ignoresCase = ignoresCase && !pattern.isEmpty
    outline = PatternOutline(pattern, ignoresCase: ignoresCase, isWholeText: isWholeText)
    if let outline, outline.isLiteral {
      engine = nil
    } else {
      engine = try Self.compile(pattern, ignoresCase: ignoresCase, isWholeText: isWholeText)
    }
  }

  /// Whether the pattern is found in the text.
  package func isFound(in text: String, clock: any HitClock) throws(RegexFault) -> Bool {
    guard Self.fits(text, Self.subjectLimit) else { throw .limit }
    if let isFound = outline?.isFound(in: text) { return isFound }
    guard let engine else { return false }
    return try Self.firstMatch(of: engine, in: text, clock: clock) != nil
  }

  /// A group of the pattern's first match in the text; nil when there is no match or no such group in it.
  package func group(_ group: Int, in text: String, clock: any HitClock) throws(RegexFault) -> String? {
    guard Self.fits(text, Self.subjectLimit) else { throw .limit }
    if outline?.isFound(in: text) == false { return nil }
    // A pattern that needs no engine to be found needs one to tell where.
    let finder =
      if let engine { engine } else { try Self.compile(pattern, ignoresCase: false, isWholeText: isWholeText) }
    guard let match = try Self.firstMatch(of: finder, in: text, clock: clock) else { return nil }
    guard (0..<match.numberOfRanges).contains(group) else { return nil }
    let range = match.range(at: group)
    guard range.location != NSNotFound else { return nil }
    let start = text.utf16.index(text.startIndex, offsetBy: range.location)
    return String(text.utf16[start..<text.utf16.index(start, offsetBy: range.length)])
  }

  private static func compile(
    _ pattern: String, ignoresCase: Bool, isWholeText: Bool
  ) throws(RegexFault) -> NSRegularExpression {
    // The anchors of the subject's ends, which unlike `$` do not match before a last line terminator.
    let pattern = isWholeText ? "\\A(?:\(pattern))\\z" : pattern
    do {
      return try NSRegularExpression(pattern: pattern, options: ignoresCase ? .caseInsensitive : [])
    } catch {
      throw .invalid
    }
  }

  /// The engine reports progress every few ten thousand steps; the clock is read then, and only then.
  private static func firstMatch(
    of engine: NSRegularExpression, in text: String, clock: any HitClock
  ) throws(RegexFault) -> NSTextCheckingResult? {
    var match: NSTextCheckingResult?
    var start: UInt64?
    var reports = 0
    var isStopped = false
    let whole = NSRange(location: 0, length: text.utf16.count)
    engine.enumerateMatches(in: text, options: .reportProgress, range: whole) { result, _, stop in
      if let result {
        match = result
        stop.pointee = true
        return
      }
      let now = clock.ageClock
      reports += 1
      if now &- (start ?? now) > budgetNanoseconds || reports > reportLimit {
        isStopped = true
        stop.pointee = true
      }
      start = start ?? now
    }
    if isStopped { throw .timeout }
    return match
  }

  private static func fits(_ text: String, _ limit: Int) -> Bool {
    text.utf8.count <= limit || text.utf16.count <= limit
  }
}
