/// How long a lane rests after answers that failed (HQ-428, HQ-430).
enum BackOff {
  static let second: UInt64 = 1_000_000_000

  /// Between half of d and d, for d = 5, 10, 20 … 3600 s; in nanoseconds.
  static func delay(afterFailures failures: Int, random: UInt64) -> UInt64 {
    let longest = longestDelay(afterFailures: failures)
    return longest / 2 + random % (longest / 2 + 1)
  }

  private static func longestDelay(afterFailures failures: Int) -> UInt64 {
    min(3_600, 5 << UInt64(min(max(failures, 1) - 1, 10))) * second
  }

  /// The time a parked lane rests: doubling with each failure, up to a day; in nanoseconds.
  static func parking(_ base: Duration, failures: Int) -> UInt64 {
    let seconds = UInt64(min(max(base.components.seconds, 1), 86_400))
    return min(86_400, seconds << UInt64(min(max(failures, 1) - 1, 10))) * second
  }

  /// The longest rest that a cause can have; what a store remembers beyond it is a wall clock that has stepped.
  static func longest(for cause: LaneCause?, failures: Int) -> UInt64 {
    cause == .backOff ? longestDelay(afterFailures: failures) : 86_400 * second
  }
}
