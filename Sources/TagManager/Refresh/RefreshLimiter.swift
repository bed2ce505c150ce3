/// How often an app may refresh by hand: at least 5 s apart, 30 at once, one more every 15 minutes (TM-402).
struct RefreshLimiter: Sendable {
  static let spacing: Int64 = 5_000
  static let capacity: Int64 = 30
  static let refill: Int64 = 15 * 60_000

  private var tokens = capacity
  /// Since when the next token grows; nil while the bucket is full.
  private var growingSince: Int64?
  private var last: Int64?

  /// Takes one refresh at a time in milliseconds; nil when it is allowed, else how many milliseconds to wait.
  mutating func take(at now: Int64) -> Int64? {
    grow(until: now)
    if let last, now - last < Self.spacing { return Self.spacing - (now - last) }
    guard tokens > 0 else { return Self.refill - (now - (growingSince ?? now)) }
    tokens -= 1
    if growingSince == nil { growingSince = now }
    last = now
    return nil
  }

  private mutating func grow(until now: Int64) {
    guard let since = growingSince else { return }
    let grown = min(max(0, now - since) / Self.refill, Self.capacity - tokens)
    tokens += grown
    growingSince = tokens == Self.capacity ? nil : since + grown * Self.refill
  }
}
