/// How many hits a client may send: a bucket for each address and each key, filled by time (HQ-714).
package struct RateLimiter: Sendable {
  /// Whose hits are counted.
  package enum Subject: Sendable, Hashable {
    case address(ClientAddress)
    case key(String)
  }

  private struct Bucket {
    var hits: Double
    var filledAt: UInt64
  }

  private let perSecond: Double
  private let burst: Double
  private let most: Int
  private var buckets: [Subject: Bucket] = [:]

  /// - Parameter most: subjects that are remembered; when there are more, those with a full bucket are forgotten.
  package init(perSecond: Double = 1000, burst: Double = 10_000, most: Int = 20_000) {
    self.perSecond = perSecond
    self.burst = burst
    self.most = most
  }

  /// Takes hits out of the bucket of each subject, or of none, at a reading of the age clock in nanoseconds.
  ///
  /// - Returns: nil when they may pass, else the seconds after which they would.
  package mutating func take(_ hits: Int, from subjects: Subject..., at now: UInt64) -> Int? {
    let levels = subjects.map { level(of: buckets[$0], at: now) }
    // More hits than a bucket holds pass when it is full, and are made up for after: they would never pass else.
    let needed = min(Double(hits), burst)
    if let lowest = levels.min(), lowest < needed {
      return Int(((needed - lowest) / perSecond).rounded(.up))
    }
    for (subject, level) in zip(subjects, levels) {
      if buckets.count >= most, buckets[subject] == nil { forgetFull(at: now) }
      buckets[subject] = Bucket(hits: level - Double(hits), filledAt: now)
    }
    return nil
  }

  /// How many subjects are remembered.
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
