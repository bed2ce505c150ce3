import Testing

@testable import WebTags

@Suite struct SettingsRefreshTests {
  @Test("WT-231: a look is taken when the last answer is older than the interval, and one at a time")
  func interval() {
    var refresh = SettingsRefresh()
    #expect(refresh.ask(0, refreshMinutes: 15) == .fetch)
    #expect(refresh.ask(1, refreshMinutes: 15) == nil)
    #expect(refresh.answer(.good, 100) == nil)
    #expect(refresh.ask(100 + 899_999, refreshMinutes: 15) == nil)
    #expect(refresh.ask(100 + 900_000, refreshMinutes: 15) == .fetch)
  }

  @Test("WT-222: an interval of 0 leaves launch and wake")
  func never() {
    var refresh = SettingsRefresh()
    #expect(refresh.ask(0, refreshMinutes: 0, isForced: true) == .fetch)
    _ = refresh.answer(.good, 0)
    #expect(refresh.ask(100_000_000, refreshMinutes: 0) == nil)
    #expect(refresh.ask(100_000_000, refreshMinutes: 0, isForced: true) == .fetch)
  }

  @Test("WT-232: five tries with growing pauses, then a cool-down of 30 s that doubles to 15 min")
  func tries() {
    var refresh = SettingsRefresh()
    var now: Int64 = 0
    var coolDowns: [Int64] = []
    for _ in 1...7 {
      #expect(refresh.ask(now, refreshMinutes: 15) == .fetch)
      for attempt in 1...4 {
        #expect(refresh.answer(.temporary(retryAfter: nil), now) == .wait(500 * Int64(attempt)))
        #expect(refresh.due() == .fetch)
      }
      #expect(refresh.answer(.temporary(retryAfter: nil), now) == nil)
      guard case .cooling(let until) = refresh.state else {
        Issue.record("not cooling down")
        return
      }
      #expect(refresh.ask(until - 1, refreshMinutes: 15) == nil)
      coolDowns.append(until - now)
      now = until
    }
    #expect(coolDowns == [30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000])
    #expect(refresh.ask(now, refreshMinutes: 15) == .fetch)
    #expect(refresh.answer(.good, now) == nil)
    #expect(refresh.ask(now + 900_000, refreshMinutes: 15) == .fetch)
  }

  @Test("WT-232: a server's own pause counts up to 60 s; an answer that cannot get better ends the tries")
  func answers() {
    var refresh = SettingsRefresh()
    _ = refresh.ask(0, refreshMinutes: 15)
    #expect(refresh.answer(.temporary(retryAfter: 7_000), 0) == .wait(7_000))
    _ = refresh.due()
    #expect(refresh.answer(.temporary(retryAfter: 700_000), 0) == .wait(60_000))
    _ = refresh.due()
    #expect(refresh.answer(.bad, 5) == nil)
    #expect(refresh.state == .idle)
    #expect(refresh.ask(6, refreshMinutes: 15) == nil)
  }
}
