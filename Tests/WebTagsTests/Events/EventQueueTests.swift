import Foundation
import Hits
import Testing

@testable import WebTags

@Suite struct EventQueueTests {
  @Test("WT-432: the oldest event goes for a new one, but events of consent stay as long as others can go")
  func limit() {
    var bench = MachineBench()
    bench.send(.rules(.init(limit: 3)))
    let consent = bench.track(title: "decline_consent")
    let events = bench.track(4)
    #expect(bench.outcomes.map(\.id) == Array(events.prefix(2)))
    #expect(bench.outcomes.allSatisfy { $0.outcome == .dropped(.queueFull) })
    #expect(bench.machine.queue.waiting.map(\.summary.id) == consent + events.suffix(2))
  }

  @Test("WT-433, WT-434: -1 keeps all that wait; the ceiling of bytes holds (peer bugs 1, 45)")
  func unlimited() {
    var bench = MachineBench()
    bench.track(5_000)
    #expect(bench.outcomes.isEmpty && bench.machine.queue.count == 5_000)
    var heavy = MachineBench()
    let events = heavy.track(65, bytes: 1 << 20)
    #expect(heavy.outcomes.map(\.id) == [events[0]])
  }

  @Test("WT-434: without a queue events wait for the first load alone")
  func noQueue() {
    var bench = MachineBench()
    bench.send(.rules(.init(limit: 0)))
    let early = bench.track(2)
    bench.send(.start)
    bench.send(.hostOpened(1))
    let during = bench.track()
    #expect(bench.outcomes.isEmpty)
    bench.finishLoading()
    bench.answer()
    #expect(bench.delivered == early + during)
    let later = bench.track()
    bench.answer()
    #expect(bench.delivered.last == later.last)
    bench.page(.processTerminated(.crash))
    bench.track()
    #expect(bench.outcomes.last?.outcome == .dropped(.noQueue))
    var failing = MachineBench()
    failing.send(.rules(.init(limit: 0)))
    failing.send(.start)
    failing.send(.hostOpened(1))
    failing.track()
    failing.page(.failed(PageHostError(.loadFailed, "")))
    #expect(failing.outcomes.map(\.outcome) == [.dropped(.noQueue)])
  }

  @Test("WT-426: a batch waits for its size, for 60 s, or for a flush, and leaves in calls of ten")
  func batches() {
    var bench = MachineBench()
    bench.send(.rules(.init(batchSize: 5)))
    bench.makeReady()
    let first = bench.track(4)
    #expect(bench.calls.isEmpty && bench.waits.map(\.reason) == Array(repeating: .batching, count: 4))
    let fifth = bench.track()
    #expect(bench.calls.map(\.events) == [first + fifth])
    bench.answer()
    let lonely = bench.track()
    bench.pass(59_999)
    #expect(bench.calls.count == 1)
    bench.pass(1)
    #expect(bench.calls.last?.events == lonely)
    bench.answer()
    let flushed = bench.track(2)
    bench.send(.flush)
    #expect(bench.calls.last?.events == flushed)
    bench.answer()
    bench.send(.gates(.init(network: .offline)))
    bench.track(14)
    bench.send(.gates(.init()))
    bench.send(.flush)
    bench.answerAll()
    #expect(bench.calls.suffix(2).map(\.events.count) == [10, 4])
  }

  @Test("WT-427: some events never wait for others, and take those before them along")
  func unbatched() {
    var bench = MachineBench()
    bench.send(.rules(.init(batchSize: 10)))
    bench.makeReady()
    let waiting = bench.track(2)
    let launch = bench.track(title: "launch")
    #expect(bench.calls.map(\.events) == [waiting + launch])
  }

  @Test("WT-428: a back-log of more than 20 flows at the rate, a short one at once")
  func pace() {
    var bench = MachineBench()
    let events = bench.track(60)
    bench.makeReady()
    let start = bench.now.age
    var times: [Int64] = []
    while bench.delivered.count < 60 {
      if bench.machine.call != nil {
        times.append(bench.now.age - start)
        bench.answer()
      } else {
        bench.pass(10)
      }
    }
    #expect(times == [0, 100, 200, 300, 300, 300] && bench.delivered == events)
  }

  @Test("WT-431: events expire by their own time, also behind a closed gate; a clock that went back makes none old")
  func expiry() {
    var bench = MachineBench()
    bench.send(.rules(.init(expirationDays: 0.5)))
    bench.send(.gates(.init(consent: .waiting)))
    let old = bench.track()
    bench.now.wall -= 10 * 86_400_000
    bench.send(.flush)
    #expect(bench.outcomes.isEmpty)
    bench.now.wall += 10 * 86_400_000 + 43_199_999
    let young = bench.track()
    #expect(bench.outcomes.isEmpty)
    bench.now.wall += 1
    bench.send(.flush)
    #expect(bench.outcomes.map(\.id) == old && bench.outcomes[0].outcome == .dropped(.expired))
    #expect(bench.machine.queue.waiting.map(\.summary.id) == young)
  }

  @Test(
    "WT-427, WT-464: without consent only events of consent leave; granted, the others leave in order (peer bug 12)")
  func consent() {
    var bench = MachineBench()
    bench.send(.gates(.init(consent: .waiting, pageBeforeConsent: true)))
    let before = bench.track(3)
    bench.makeReady()
    let cookie = bench.track(type: "update_consent_cookie", title: "update_consent_cookie")
    let after = bench.track(2)
    #expect(bench.calls.map(\.events) == [cookie])
    bench.answer()
    #expect(bench.waits.map(\.reason) == Array(repeating: .consentUnknown, count: 5))
    bench.send(.gates(.init(pageBeforeConsent: true)))
    bench.answerAll()
    #expect(bench.delivered == cookie + before + after)
  }

  @Test("WT-464: a decline drops what waits but the events of consent")
  func purge() {
    var bench = MachineBench()
    let events = bench.track(2)
    let decline = bench.track(title: "decline_consent")
    bench.send(.drop(.consentDeclined, keepingConsentEvents: true))
    #expect(bench.outcomes.map(\.id) == events)
    #expect(bench.machine.queue.waiting.map(\.summary.id) == decline)
  }

  @Test("WT-441: a reason is told once in a row (peer bug 46)")
  func reasons() {
    var bench = MachineBench()
    bench.send(.gates(.init(network: .battery)))
    let event = bench.track()
    bench.send(.gates(.init(network: .battery)))
    bench.send(.flush)
    bench.send(.start)
    #expect(bench.waits.map(\.id) == event && bench.waits.map(\.reason) == [.batterySaver])
    #expect(bench.machine.queue.count == 1)
    bench.send(.gates(.init(network: .offline)))
    bench.send(.gates(.init()))
    #expect(bench.waits.map(\.reason) == [.batterySaver, .offline, .pageNotReady])
    bench.finishLoading()
    guard case .call(_, let deliveries)? = bench.actions.first(where: { if case .call = $0 { true } else { false } })
    else {
      Issue.record("no call")
      return
    }
    #expect(deliveries == [.init(id: event[0], reason: .pageNotReady)])
  }

  @Test("WT-403: an event that the app holds waits for the next flush, and others pass it")
  func held() {
    var bench = MachineBench()
    bench.makeReady()
    let events = bench.track(3)
    bench.send(.held(bench.call, [events[1]]))
    bench.answer()
    #expect(bench.delivered == [events[0], events[2]] && bench.machine.call == nil)
    #expect(bench.waits.map(\.reason) == [.delegate])
    bench.send(.flush)
    #expect(bench.calls.last?.events == [events[1]])
    bench.send(.held(bench.call, [events[1]]))
    #expect(bench.machine.call == nil && bench.waits.count == 1)
  }

  @Test("A queue keeps its order and its counts through what comes and goes")
  func consistency() {
    var queue = EventQueue()
    var bench = MachineBench()
    var expected: [UUID] = []
    var random = SystemRandomNumberGenerator()
    for step in 1...20_000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let event = bench.event("link", "e", step % 100)
        _ = queue.add(.init(event, since: 0))
        expected.append(event.id)
      case 2:
        let taken = queue.take(10, consentOnly: false)
        #expect(taken.count == min(10, expected.count))
        #expect(taken.map(\.summary.id) == Array(expected.prefix(taken.count)))
        if Bool.random(using: &random) {
          queue.putBack(taken)
        } else {
          expected.removeFirst(taken.count)
        }
      default: _ = queue.report(isAll: step % 50 == 0) { _, _ in .offline }
      }
      #expect(queue.count == expected.count)
    }
    #expect(queue.waiting.map(\.summary.id) == expected && queue.released == expected.count)
    #expect(queue.bytes == queue.waiting.reduce(0) { $0 + $1.summary.bytes })
  }
}
