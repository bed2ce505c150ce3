/// How many hits a client may send: a bucket for each address, filled by time (HQ-714).
package struct RateLimiter: Sendable {
  private struct Bucket {
    var hits: Double
    var filledAt: UInt64
  }

  private let perSecond: Double
  private let burst: Double
  private let most: Int
  private var buckets: [ClientAddress: Bucket] = [:]

  /// - Parameter most: addresses that are remembered; when there are more, those with a full bucket are forgotten.
  package init(perSecond: Double = 1000, burst: Double = 10_000, most: Int = 20_000) {
    self.perSecond = perSecond
    self.burst = burst
    self.most = most
  }

  /// Takes hits out of an address's bucket, at a reading of the age clock in nanoseconds.
  ///
  /// - Returns: nil when they may pass, else the seconds after which they would.
  package mutating func take(_ hits: Int, from client: ClientAddress, at now: UInt64) -> Int? {
    if buckets.count >= most, buckets[client] == nil { forgetFull(at: now) }
    var left = level(of: buckets[client], at: now)
    guard left >= Double(hits) else { return Int(((Double(hits) - left) / perSecond).rounded(.up)) }
    left -= Double(hits)
    buckets[client] = Bucket(hits: left, filledAt: now)
    return nil
  }

  /// How many addresses are remembered.
  var remembered: Int { buckets.count }

  private func level(of bucket: Bucket?, at now: UInt64) -> Double {
    guard let bucket else { return burst }
    let elapsed = now > bucket.filledAt ? now - bucket.filledAt : 0
    return min(burst, bucket.hits + Double(elapsed) / 1e9 * perSecond)
  }

  private mutating func forgetFull(at now: UInt64) {
    buckets = buckets.filter { level(of: $0.value, at: now) < burst }
    // So many clients at once that none is at rest: they all start again.
    if buckets.count >= most { buckets = [:] }
  }
}
