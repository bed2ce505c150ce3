import Hits

/// The session a hit belongs to, for protocols that name one (HQ-213).
///
///     hit ──▶ is there a session, and was its last hit less than the time-out ago? ──yes──▶ the same id
///                                          │ no, or the hit starts a session
///                                          └──▶ a new id: the wall seconds of this hit
///
/// Pauses are measured as ages of hits are: by the age clock, and across a start of the device by the wall clock.
struct HitSession: Sendable, Hashable, Codable {
  /// Wall seconds of the first hit.
  private(set) var id: Int64
  /// When the last hit was made.
  private(set) var lastActivity: HitTime
  /// Hits so far.
  private(set) var count: Int

  /// The time-outs that make sense, in milliseconds.
  static let timeouts: ClosedRange<Int64> = 60_000...14_400_000
  /// Hits after which Google's servers stop listening (HQ-214).
  static let longest = 500

  /// The session of a hit that follows this one's, or begins the next.
  static func following(
    _ session: HitSession?, at now: HitTime, timeout: Int64, startsAnew: Bool
  ) -> HitSession {
    let timeout = min(max(timeout, timeouts.lowerBound), timeouts.upperBound)
    guard var session, !startsAnew, session.lastActivity.age(at: now) < timeout else {
      return HitSession(id: now.wallMilliseconds / 1_000, lastActivity: now, count: 1)
    }
    session.lastActivity = now
    session.count += 1
    return session
  }
}
