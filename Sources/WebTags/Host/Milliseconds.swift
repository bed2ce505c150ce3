import Hits

extension Duration {
  /// Whole milliseconds, for a timer: at least none and at most what a day has.
  package var timerMilliseconds: Int { Int(min(max(0, wholeMilliseconds), 86_400_000)) }
}

extension Int64 {
  /// Milliseconds since an earlier moment, which may come from a file and be any number; a later one is no time ago.
  func since(_ earlier: Int64) -> Int64 {
    let (difference, isOverflow) = subtractingReportingOverflow(earlier)
    return isOverflow ? (self > earlier ? .max : 0) : Swift.max(0, difference)
  }
}
