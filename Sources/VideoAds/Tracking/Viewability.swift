/// Whether an ad was seen: half of it for two seconds on end (VA-820, VA-821).
struct Viewability: Sendable, Hashable {
  /// What can be said of an ad; exactly one of them is.
  enum Verdict: Sendable, Hashable {
    case viewable
    case notViewable
    case undetermined
  }

  private static let leastFraction = 0.5
  private static let leastTime: Int64 = 2_000

  private(set) var verdict: Verdict?
  private var isMeasured = false
  private var since: Int64?

  /// Takes the visible part of the playing ad, nil where nobody can tell it; true when the ad was seen now.
  mutating func sample(_ fraction: Double?, at now: Int64) -> Bool {
    guard verdict == nil, let fraction else { return false }
    isMeasured = true
    guard fraction >= Self.leastFraction else {
      since = nil
      return false
    }
    let start = since ?? now
    since = start
    guard now - start >= Self.leastTime else { return false }
    verdict = .viewable
    return true
  }

  /// Begins the two seconds anew: a pause, a stall, the background.
  mutating func interrupt() { since = nil }

  /// The verdict at the ad's end; nil when it was given before.
  mutating func finish() -> Verdict? {
    guard verdict == nil else { return nil }
    verdict = isMeasured ? .notViewable : .undetermined
    return verdict
  }
}
