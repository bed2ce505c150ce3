import Hits
import Testing

@testable import HitQueue

@Suite struct TokenBucketTests {
  private static let second: UInt64 = 1_000_000_000

  /// What becomes of so many hits made at one moment.
  private func burst(_ count: Int, _ bucket: inout TokenBucket, at now: UInt64) -> [TokenBucket.Decision] {
    (0..<count).map { _ in bucket.take(at: now) }
  }

  @Test("HQ-260, HQ-1228: exactly 60 of a burst pass, the 61st is refused, and two seconds bring one token")
  func drop() {
    var bucket = TokenBucket(.drop())
    #expect(burst(61, &bucket, at: 5) == Array(repeating: .pass, count: 60) + [.refuse])
    #expect(burst(2, &bucket, at: 5 + 2 * Self.second) == [.pass, .refuse])
    // One and a half seconds are no whole token.
    #expect(burst(1, &bucket, at: 5 + 3 * Self.second + Self.second / 2) == [.refuse])
    #expect(burst(1, &bucket, at: 5 + 4 * Self.second) == [.pass])
  }

  @Test("HQ-260: it is full at the start, and never holds more than its capacity")
  func full() {
    var bucket = TokenBucket(.drop())
    #expect(burst(1, &bucket, at: 0) == [.pass])
    let passed = burst(100, &bucket, at: 100_000 * Self.second).count { $0 == .pass }
    #expect(passed == 60)
  }

  @Test("HQ-1228: with delay the 61st hit waits two seconds, each later one two more")
  func delay() {
    var bucket = TokenBucket(.delay())
    let decisions = burst(63, &bucket, at: 7)
    #expect(decisions.prefix(60).allSatisfy { $0 == .pass })
    #expect(decisions.suffix(3) == [.wait(2 * Self.second), .wait(4 * Self.second), .wait(6 * Self.second)])
    // A second later: half a token less to wait for.
    #expect(burst(1, &bucket, at: 7 + Self.second) == [.wait(7 * Self.second)])
  }

  @Test("HQ-261: a debt above 3,600 tokens is refused")
  func debt() {
    var bucket = TokenBucket(.delay())
    let decisions = burst(60 + 3_600 + 1, &bucket, at: 0)
    #expect(decisions[60 + 3_599] == .wait(7_200 * Self.second))
    #expect(decisions.last == .refuse)
    #expect(bucket.take(at: 2 * Self.second) == .wait(7_200 * Self.second))
  }

  @Test("HQ-1108: a clock that steps back gives nothing and takes nothing")
  func stepBack() {
    var bucket = TokenBucket(.drop())
    #expect(burst(60, &bucket, at: 3_600 * Self.second).allSatisfy { $0 == .pass })
    #expect(burst(1, &bucket, at: 0) == [.refuse])
    #expect(burst(1, &bucket, at: 3_602 * Self.second) == [.pass])
  }

  @Test(
    "HQ-803: no limit traps, whatever its figures",
    arguments: [
      RateLimit.delay(capacity: 0, perSecond: 0), .delay(capacity: -1, perSecond: 1e-300),
      .delay(capacity: 0, perSecond: .nan), .drop(capacity: .max, perSecond: .infinity),
      .delay(capacity: 0, perSecond: 1e300),
    ])
  func figures(limit: RateLimit) {
    var bucket = TokenBucket(limit)
    for now: UInt64 in [0, 1, .max, 0, .max] { _ = bucket.take(at: now) }
  }

  @Test("HQ-261: off lets everything pass")
  func off() {
    var bucket = TokenBucket(.off)
    #expect(burst(1_000, &bucket, at: 0).allSatisfy { $0 == .pass })
  }

  @Test(
    "HQ-261: delay is the default of Measurement Protocol v1 towards a Google host, off of all else",
    arguments: [
      ("https://www.google-analytics.com", true), ("https://ssl.google-analytics.com/x", true),
      ("https://google-analytics.com", true), ("https://notgoogle-analytics.com", false),
      ("https://google-analytics.com.example", false), ("https://collect.example", false),
    ])
  func standard(endpoint: String, isLimited: Bool) {
    #expect(RateLimit.standard(for: .measurementProtocol(endpoint)) == (isLimited ? .delay() : .off))
    #expect(RateLimit.standard(for: Destination(protocol: BeaconProtocol(), endpoint: endpoint)) == .off)
  }
}
