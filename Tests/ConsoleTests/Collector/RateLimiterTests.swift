import Testing

@testable import Console

@Suite("Rates and load") struct RateLimiterTests {
  static let second: UInt64 = 1_000_000_000

  @Test("HQ-714: a burst passes, then as many as the rate fills; each address has its own bucket")
  func bucket() throws {
    let one = RateLimiter.Subject.address(try #require(ClientAddress("192.0.2.1")))
    let two = RateLimiter.Subject.address(try #require(ClientAddress("192.0.2.2")))
    var limiter = RateLimiter(perSecond: 10, burst: 20)
    #expect(limiter.take(20, from: one, at: 0) == nil)
    #expect(limiter.take(1, from: one, at: 0) == 1)
    #expect(limiter.take(20, from: two, at: 0) == nil)
    #expect(limiter.take(10, from: one, at: Self.second) == nil)
    #expect(limiter.take(15, from: one, at: Self.second) == 2)
    #expect(limiter.take(20, from: one, at: Self.second * 100) == nil)
    // A clock that steps back fills nothing and breaks nothing.
    #expect(limiter.take(1, from: one, at: 0) == 1)
  }

  @Test("HQ-714: more hits at once than a burst pass when the bucket is full, and are made up for after")
  func largeBatch() throws {
    let one = RateLimiter.Subject.address(try #require(ClientAddress("192.0.2.1")))
    var limiter = RateLimiter(perSecond: 10, burst: 100)
    #expect(limiter.take(500, from: one, at: 0) == nil)
    #expect(limiter.take(1, from: one, at: 0) == 41)
    #expect(limiter.take(500, from: one, at: 0) == 50)
    #expect(limiter.take(500, from: one, at: 50 * Self.second) == nil)
  }

  @Test("memory is bounded whatever the number of addresses")
  func bounded() throws {
    var limiter = RateLimiter(perSecond: 1, burst: 2, most: 3)
    for number in 1...100 {
      let client = try #require(ClientAddress("192.0.2.\(number)"))
      #expect(limiter.take(1, from: .address(client), at: UInt64(number)) == nil)
    }
    #expect(limiter.remembered <= 3)
  }

  @Test("HQ-725: above 80 % new requests are refused until the waiting ones are stored, by the rate of storing")
  func load() {
    var load = IntakeLoad()
    load.limit = (hits: 100, bytes: 1000)
    // An hour without hits before.
    let start = 3600 * Self.second
    load.begin(hits: 80, bytes: 100, at: start)
    #expect(load.retryAfter(jitter: 0) == nil)
    load.begin(hits: 1, bytes: 1, at: start)
    #expect(load.retryAfter(jitter: 0) == 81)
    load.begin(hits: 20, bytes: 1, at: start)
    load.end(hits: 20, bytes: 1, at: start + 2 * Self.second)
    // 10 a second, 81 waiting.
    #expect(load.retryAfter(jitter: 0) == 9)
    #expect(load.retryAfter(jitter: 1) == 11)
    load.end(hits: 1, bytes: 1, at: start + 2 * Self.second)
    #expect(load.retryAfter(jitter: 0) == nil)
    load.begin(hits: 0, bytes: 800, at: start + 2 * Self.second)
    #expect(load.retryAfter(jitter: 0) != nil)
    load.begin(hits: 1_000_000, bytes: 0, at: start + 2 * Self.second)
    #expect(load.retryAfter(jitter: 0) == 300)
  }

  @Test("HQ-725: the rate is that of the time in which hits waited")
  func idleTime() {
    var load = IntakeLoad()
    load.limit = (hits: 100, bytes: 1000)
    load.begin(hits: 50, bytes: 0, at: Self.second)
    load.end(hits: 50, bytes: 0, at: Self.second + Self.second / 2)
    load.begin(hits: 91, bytes: 0, at: 9000 * Self.second)
    // 100 a second; the two hours between do not count.
    #expect(load.retryAfter(jitter: 0) == 1)
    load.end(hits: 1, bytes: 0, at: 9000 * Self.second + Self.second / 10)
    // 10 a second now, 90 waiting.
    #expect(load.retryAfter(jitter: 0) == 9)
  }
}
