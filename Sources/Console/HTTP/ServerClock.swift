import Foundation
import Hits

/// Nanoseconds of a clock that never steps.
///
/// The arithmetic of `ContinuousClock` has 128 bits, and would be a good part of what a small answer costs.
enum ServerClock {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// A duration that can be added to a moment of the clock.
  static func nanoseconds(_ duration: Duration) -> Int64 { min(duration.wholeNanoseconds, .max / 4) }
}
