import Foundation
import Testing

@testable import WebTags

@Suite struct SessionTests {
  @Test("WT-260: a session begins with its first event and ends after 30 minutes without one")
  func sessions() {
    var session = Session()
    #expect(session.track(1000, mayCount: false) == .init(isNewWithinLaunch: false, isNew: true))
    #expect(session.id == 1000)
    #expect(session.track(1000 + 1_799_999, mayCount: false) == .init())
    #expect(session.id == 1000)
    let later: Int64 = 1000 + 1_799_999 + 1_800_000
    #expect(session.track(later, mayCount: false) == .init(isNewWithinLaunch: true, isNew: true))
    #expect(session.id == later)
  }

  @Test("Times of a file that are none overflow nothing")
  func hostileTimes() throws {
    for time in [Int64.min, .max] {
      var session = try JSONDecoder().decode(
        Session.self, from: Data(#"{"id":1,"lastTrack":\#(time),"isCounted":false}"#.utf8))
      #expect(session.track(1_700_000_000_000, mayCount: true).isNew == (time == .min))
      var life = try JSONDecoder().decode(
        LifecycleState.self,
        from: Data(
          #"{"launches":\#(Int.max),"wakes":\#(Int.max),"sleeps":\#(Int.max),"awakeSince":\#(time),"secondsAwake":\#(time)}"#
            .utf8))
      _ = life.handle(.launch, 0, day: 0)
      _ = life.handle(.sleep, 0, day: 0)
      #expect(life.handle(.wake, 0, day: 0) != nil)
      let stored = #"{"status":"consented","categories":["crm"],"time":\#(time)}"#
      var consent = ConsentChoice(ConsentConfiguration(enabled: true), stored: Array(stored.utf8), now: 0)
      let isOver = consent.expire(1_700_000_000_000)
      #expect(isOver == (time == .min))
      var queue = EventQueue()
      queue.rules.expirationDays = 1
      _ = queue.add(.init(EventSummary(id: UUID(), time: time, bytes: 1, type: "link", title: "e"), since: 0))
      #expect(queue.expire(1_700_000_000_000).count == (time == .min ? 1 : 0))
    }
  }

  @Test("WT-304: a limit that is longer than a number can say is a day")
  func hostileLimits() {
    var configuration = WebTagsConfiguration(account: "A", profile: "P", environment: "E")
    configuration.limits.load = .seconds(Int64.max)
    configuration.limits.ping = .seconds(-1)
    let machine = PageMachine(configuration, seed: 1)
    #expect(machine.limits.load == 86_400_000 && machine.limits.ping == 0 && machine.limits.call == 10_000)
    var bench = MachineBench()
    bench.send(.rules(.init(flushRate: .leastNonzeroMagnitude)))
    bench.track(60)
    bench.makeReady()
    bench.answer()
    #expect(bench.due(.pace) == 86_400_000)
  }

  @Test("WT-260: the second track within 30 s counts the session, once, again after a failure")
  func counting() {
    var session = Session()
    #expect(!session.track(0, mayCount: true).counts)
    #expect(!session.track(30_001, mayCount: true).counts)
    #expect(!session.track(40_000, mayCount: false).counts)
    #expect(session.track(50_000, mayCount: true).counts)
    #expect(!session.track(50_001, mayCount: true).counts)
    session.counted(0, isGood: false)
    #expect(session.track(50_002, mayCount: true).counts)
    session.counted(0, isGood: true)
    #expect(!session.track(50_003, mayCount: true).counts)
  }

  @Test("WT-306: the first session of a launch is no new one, even when a stored one is over (peer bug 35)")
  func launch() throws {
    var session = Session()
    _ = session.track(1000, mayCount: true)
    let stored = try JSONEncoder().encode(session)
    var next = try JSONDecoder().decode(Session.self, from: stored)
    #expect(!next.track(1000 + 10_000_000, mayCount: true).isNewWithinLaunch)
    var resumed = try JSONDecoder().decode(Session.self, from: stored)
    #expect(resumed.track(2000, mayCount: false) == .init())
    #expect(resumed.id == 1000)
    #expect(resumed.track(2000 + 1_800_000, mayCount: false).isNewWithinLaunch)
  }

  @Test("WT-260: an answer about an earlier session changes nothing")
  func lateAnswer() {
    var session = Session()
    _ = session.track(0, mayCount: true)
    #expect(session.track(10, mayCount: true).counts)
    _ = session.track(10_000_000, mayCount: true)
    session.counted(0, isGood: true)
    #expect(session.track(10_000_001, mayCount: true).counts)
  }
}
