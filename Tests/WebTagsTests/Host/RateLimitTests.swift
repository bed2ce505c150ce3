import Testing

@testable import WebTags

@Suite struct RateLimitTests {
  @Test("WT-710: a number passes in each second, and of those too many the first is told from the others")
  func seconds() {
    var limit = RateLimit(perSecond: 3)
    let verdicts = [5_000, 5_001, 5_002, 5_500, 5_999].map { limit.verdict(at: $0) }
    #expect(verdicts == [.passes, .passes, .passes, .firstTooMany, .tooMany])
    let next = limit.verdict(at: 6_000)
    #expect(next == .passes)
  }
}
