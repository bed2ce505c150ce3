/// How long a container rests after a fetch that failed (TM-404).
///
///     failures   1      2      3      4 and more     forbidden, notFound    gone
///     rest       60 s   240 s  960 s  3,600 s        3,600 s                12 h      each ± 10 %
///
/// A server's `Retry-After` replaces the figure, up to a day.
struct RefreshBackOff: Sendable {
  static let longestRetryAfter: Int64 = 24 * 3_600_000
  private var failures = 0

  /// The milliseconds to rest after one more failure.
  mutating func rest(after failure: RefreshFailure, retryAfter: Int64?, draw: UInt64) -> Int64 {
    failures += 1
    if let retryAfter { return min(max(retryAfter, 0), Self.longestRetryAfter) }
    let rest: Int64 =
      switch failure.detail {
      case .gone: 12 * 3_600_000
      case .forbidden, .notFound: 3_600_000
      default: [60_000, 240_000, 960_000, 3_600_000][min(failures, 4) - 1]
      }
    return rest * 9 / 10 + Int64(draw % UInt64(rest / 5 + 1))
  }

  mutating func reset() { failures = 0 }
}
