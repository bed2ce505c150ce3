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
