import Hits

/// Measures the parts of one evaluation, which follow each other without a gap.
///
/// The clock is read where one part ends and the next begins, once for both, and not at all when there is no part: a
/// reading is a call of the system, and a small event costs no more than twenty of them.
struct Stopwatch {
  private let clock: any HitClock
  private var begin: UInt64?
  private var last: UInt64 = 0

  init(_ clock: any HitClock) { self.clock = clock }

  /// Begins to run, unless it does.
  mutating func start() {
    guard begin == nil else { return }
    last = clock.ageClock
    begin = last
  }

  /// Whole microseconds since the part before ended.
  mutating func lap() -> Int64 {
    let now = clock.ageClock
    defer { last = now }
    return Self.microseconds(now &- last)
  }

  /// Whole microseconds of all parts.
  var total: Int64 { begin.map { Self.microseconds(last &- $0) } ?? 0 }

  private static func microseconds(_ nanoseconds: UInt64) -> Int64 { Int64(clamping: nanoseconds / 1_000) }
}
