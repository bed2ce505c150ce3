extension Duration {
  /// Whole milliseconds, at least none and at most what a day has.
  package var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(min(max(0, seconds), 86_400)) * 1000 + Int(max(0, attoseconds) / 1_000_000_000_000_000)
  }
}

extension Int64 {
  /// Milliseconds since an earlier moment, which may come from a file and be any number; a later one is no time ago.
  func since(_ earlier: Int64) -> Int64 {
    let (difference, isOverflow) = subtractingReportingOverflow(earlier)
    return isOverflow ? (self > earlier ? .max : 0) : Swift.max(0, difference)
  }
}
