import Foundation

/// Nanoseconds of a clock that never steps.
///
/// The arithmetic of `ContinuousClock` has 128 bits, and would be a good part of what a small answer costs.
enum ServerClock {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// Whole nanoseconds, at most those that the clock can count.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let longest = Int64.max / 4
    return isTooLong ? longest : min(product, longest) + attoseconds / 1_000_000_000
  }
}
