extension Duration {
  /// Whole milliseconds, rounded down; what does not fit is held at the bound.
  package var wholeMilliseconds: Int64 { whole(1_000) }

  /// Whole nanoseconds, rounded down; what does not fit is held at the bound.
  package var wholeNanoseconds: Int64 { whole(1_000_000_000) }

  private func whole(_ perSecond: Int64) -> Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: perSecond)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / perSecond))
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }
}
