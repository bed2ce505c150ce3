/// How many of something are let through in a second.
package struct RateLimit: Sendable {
  /// What becomes of one more.
  package enum Verdict: Sendable, Equatable {
    case passes
    /// The first of this second that does not.
    case firstTooMany
    case tooMany
  }

  private let perSecond: Int
  private var second = Int64.min
  private var count = 0

  package init(perSecond: Int) { self.perSecond = perSecond }

  /// Judges one more, at a time in milliseconds.
  package mutating func verdict(at milliseconds: Int64) -> Verdict {
    let now = milliseconds / 1000
    if now != second { (second, count) = (now, 0) }
    count += 1
    return count <= perSecond ? .passes : count == perSecond + 1 ? .firstTooMany : .tooMany
  }
}
