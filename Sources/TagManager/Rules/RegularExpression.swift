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
  private let isAnchored: Bool
  /// Decides most searches; nil when only the engine can.
  private let matcher: PatternMatcher?
  /// nil for a pattern without metacharacters, which is compared as text.
  private let engine: NSRegularExpression?

  /// Compiles a pattern; one without metacharacters needs no engine.
  ///
  /// - Parameter isAnchored: whether the pattern stands between anchors of the subject's ends, as the web engine puts
  ///   them around a table's pattern: `a|b` then means "begins with a, or ends with b".
  package init(_ pattern: String, ignoresCase: Bool = false, isAnchored: Bool = false) throws(RegexFault) {
    guard Self.fits(pattern, Self.patternLimit) else { throw .limit }
    self.pattern = pattern
    self.isAnchored = isAnchored
    if !ignoresCase, Self.isPlain(pattern) {
      engine = nil
      matcher = nil
    } else {
      engine = try Self.compile(pattern, ignoresCase: ignoresCase, isAnchored: isAnchored)
      matcher = PatternMatcher(isAnchored ? Self.anchored(pattern) : pattern, ignoresCase: ignoresCase)
    }
  }

  /// Whether the pattern is found in the text.
  package func isFound(in text: String, clock: any HitClock) throws(RegexFault) -> Bool {
    guard Self.fits(text, Self.subjectLimit) else { throw .limit }
    guard let engine else {
      return isAnchored ? text.hasSameScalars(as: pattern) : text.containsScalars(of: pattern)
    }
    if let isFound = matcher?.isFound(in: text) { return isFound }
    return try Self.firstMatch(of: engine, in: text, clock: clock) != nil
  }

  /// A group of the pattern's first match in the text; nil when there is no match or no such group in it.
  package func group(_ group: Int, in text: String, clock: any HitClock) throws(RegexFault) -> String? {
    guard Self.fits(text, Self.subjectLimit) else { throw .limit }
    if matcher?.isFound(in: text) == false { return nil }
    guard let match = try Self.firstMatch(of: finder, in: text, clock: clock) else { return nil }
    guard (0..<match.numberOfRanges).contains(group) else { return nil }
    let range = match.range(at: group)
    guard range.location != NSNotFound else { return nil }
    let start = text.utf16.index(text.startIndex, offsetBy: range.location)
    return String(text.utf16[start..<text.utf16.index(start, offsetBy: range.length)])
  }

  /// The text with every match replaced by what the template says of it.
  package func replacing(
    in text: String, with template: ReplacementTemplate, clock: any HitClock
  ) throws(RegexFault) -> String {
    guard Self.fits(text, Self.subjectLimit) else { throw .limit }
    var replacer = Replacer(text, template)
    try Self.enumerate(finder, in: text, clock: clock) { replacer.replace($0) }
    guard let replaced = replacer.finish() else { throw .limit }
    return replaced
  }

  /// The engine; a pattern that needs none to be found needs one to tell where.
  private var finder: NSRegularExpression {
    get throws(RegexFault) {
      if let engine { return engine }
      return try Self.compile(pattern, ignoresCase: false, isAnchored: isAnchored)
    }
  }

  private static func compile(
    _ pattern: String, ignoresCase: Bool, isAnchored: Bool
  ) throws(RegexFault) -> NSRegularExpression {
    let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
    do {
      let engine = try NSRegularExpression(pattern: pattern.isEmpty ? "(?:)" : pattern, options: options)
      return isAnchored ? try NSRegularExpression(pattern: anchored(pattern), options: options) : engine
    } catch {
      throw .invalid
    }
  }

  /// Unlike `$`, this anchor does not match before a last line terminator.
  private static func anchored(_ pattern: String) -> String { "\\A\(pattern)\\z" }

  /// Whether every character of a pattern stands for itself.
  private static func isPlain(_ pattern: String) -> Bool {
    pattern.utf8.allSatisfy { !"\\^$.|?*+()[]{}".utf8.contains($0) }
  }

  private static func firstMatch(
    of engine: NSRegularExpression, in text: String, clock: any HitClock
  ) throws(RegexFault) -> NSTextCheckingResult? {
    var match: NSTextCheckingResult?
    try enumerate(engine, in: text, clock: clock) { result in
      match = result
      return false
    }
    return match
  }

  /// Goes through the matches until the body says no, or the budget is spent.
  ///
  /// The engine reports progress every ten thousand steps; the clock is read then, and only then.
  private static func enumerate(
    _ engine: NSRegularExpression, in text: String, clock: any HitClock, _ body: (NSTextCheckingResult) -> Bool
  ) throws(RegexFault) {
    var start: UInt64?
    var reports = 0
    var isSpent = false
    let whole = NSRange(location: 0, length: text.utf16.count)
    withoutActuallyEscaping(body) { body in
      engine.enumerateMatches(in: text, options: .reportProgress, range: whole) { match, _, stop in
        if let match {
          if !body(match) { stop.pointee = true }
          return
        }
        let now = clock.ageClock
        reports += 1
        if now &- (start ?? now) > budgetNanoseconds || reports > reportLimit {
          isSpent = true
          stop.pointee = true
        }
        start = start ?? now
      }
    }
    if isSpent { throw .timeout }
  }

  private static func fits(_ text: String, _ limit: Int) -> Bool {
    text.utf8.count <= limit || text.utf16.count <= limit
  }
}
