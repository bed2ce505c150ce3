import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

@Suite struct ConsentGateTests {
  private let fixture: QueueFixture
  private let pending = ConsentSnapshot([.analyticsStorage: .pending])

  init() throws { fixture = try QueueFixture() }

  private func sent() async -> [String?] { fixture.sent.map { $0["cd"] } }

  @Test("HQ-1234: pending hits are held, and granted they are sent in order with their original times")
  func granted() async throws {
    let analytics = try fixture.open(consent: pending)
    let tracker = try analytics.tracker(property: "UA-1-1")
    for number in 1...3 {
      #expect(await tracker.send(.screenView("\(number)")).state == .held)
      fixture.clock.advance(by: .seconds(10))
    }
    #expect(await analytics.dispatchNext().result == .noData)
    #expect(try await analytics.inspect(HitQuery()).isEmpty)
    analytics.consent(.analyticsStorage, .granted)
    _ = await analytics.drain()
    #expect(await sent() == ["1", "2", "3"])
    #expect(fixture.sent.map { $0["qt"] } == ["30000", "20000", "10000"])
    #expect(fixture.sent.map { $0["ht"] } == ["1800000000000", "1800000010000", "1800000020000"])
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-1234: pending hits that are denied are not sent, and counted")
  func denied() async throws {
    let analytics = try fixture.open(consent: pending)
    let tracker = try analytics.tracker(property: "UA-1-1")
    for number in 1...3 { await tracker.send(.screenView("\(number)")) }
    analytics.consent(.analyticsStorage, .denied)
    #expect(await tracker.send(.screenView("4")).state == .refused(.consentDenied))
    // Denied to granted brings nothing back (HQ-223).
    analytics.consent(.analyticsStorage, .granted)
    await tracker.send(.screenView("5"))
    _ = await analytics.drain()
    #expect(await sent() == ["5"])
    #expect(try await analytics.counters[.dropped(.consentDenied)] == 3)
    #expect(try await analytics.counters[.refused("consentDenied")] == 1)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-222: in memory at most 200 hits are held, the oldest goes, and no client id is made")
  func bound() async throws {
    let analytics = try fixture.open(consent: pending)
    let tracker = try analytics.tracker(property: "UA-1-1")
    for number in 1...203 { await tracker.send(.screenView("\(number)")) }
    #expect(try await analytics.counters[.dropped(.pendingFull)] == 3)
    let identity = try? String(contentsOfFile: fixture.directory + "/identity.json", encoding: .utf8)
    #expect(identity?.contains("clientID") != true)
    analytics.consent(.analyticsStorage, .granted)
    _ = await analytics.drain()
    #expect(await sent() == (4...203).map(String.init))
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-222, HQ-223: with storage on disk held hits outlive the process, and are released by the next")
  func disk() async throws {
    let analytics = try fixture.open({ $0.pendingStorage = .disk }, consent: pending)
    let tracker = try analytics.tracker(property: "UA-1-1")
    #expect(await tracker.send(.screenView("1")).state == .held)
    #expect(await tracker.send(.screenView("free").requiring([])).state == .durable)
    #expect(try await analytics.inspect(HitQuery(state: .held)).map { $0.fields["cd"] } == ["1"])
    await analytics.close()
    let next = try fixture.open({ $0.pendingStorage = .disk }, consent: pending)
    _ = await next.drain()
    #expect(await sent() == ["free"])
    next.consent(.analyticsStorage, .granted)
    _ = await next.drain()
    #expect(await sent() == ["free", "1"])
    #expect(try await next.statistics().isConserved)
  }

  @Test("HQ-220: what the person said outlives the process, whatever the app starts with")
  func persisted() async throws {
    let analytics = try fixture.open(consent: pending)
    analytics.consent(.analyticsStorage, .granted)
    analytics.consent(.adStorage, .denied)
    await analytics.close()
    let next = try fixture.open(consent: pending)
    #expect(next.consent(.analyticsStorage) == .granted)
    #expect(next.consent(.adStorage) == .denied)
    #expect(next.consent(.functionality) == .granted)
  }

  @Test("HQ-223: a purpose that is denied deletes every queued hit that needs it, and no other")
  func deletion() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("analytics"))
    await tracker.send(.screenView("both").requiring([.analyticsStorage, .adStorage]))
    await tracker.send(.screenView("none").requiring([]))
    analytics.consent(.adStorage, .denied)
    #expect(try await analytics.inspect(HitQuery()).map { $0.fields["cd"] } == ["analytics", "none"])
    analytics.consent(.analyticsStorage, .denied)
    #expect(await tracker.send(.screenView("free").requiring([])).state == .durable)
    _ = await analytics.drain()
    #expect(await sent() == ["none", "free"])
    #expect(try await analytics.counters[.dropped(.consentDenied)] == 2)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-221: a hit that needs several purposes waits for all of them")
  func several() async throws {
    let analytics = try fixture.open(consent: ConsentSnapshot([.analyticsStorage: .pending, .adStorage: .pending]))
    let tracker = try analytics.tracker(property: "UA-1-1")
    #expect(await tracker.send(.screenView("x").requiring([.analyticsStorage, .adStorage])).state == .held)
    analytics.consent(.analyticsStorage, .granted)
    _ = await analytics.drain()
    #expect(await sent().isEmpty)
    analytics.consent(.adStorage, .granted)
    _ = await analytics.drain()
    #expect(await sent() == ["x"])
  }

  @Test(
    "HQ-224: npa is sent unless the personalisation of ads is granted",
    arguments: [(ConsentState.granted, String?.none), (.pending, "1"), (.denied, "1")])
  func personalisation(state: ConsentState, npa: String?) async throws {
    let analytics = try fixture.open(consent: ConsentSnapshot([.adPersonalization: state]))
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("x"))
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["npa"] } == [npa])
  }

  @Test("HQ-224: what is denied between a hit's making and its sending counts too")
  func stricter() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("x"))
    analytics.consent(.adPersonalization, .denied)
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["npa"] } == ["1"])
  }

  private struct Identifiers: IdentifierProvider {
    var advertisingID: String?
    var isTrackingAllowed = true
    var deviceID: String? { nil }
  }

  @Test(
    "HQ-250, HQ-221: the advertising id goes only with the tracker's leave, consent, and an id that is no row of zeros",
    arguments: [
      (true, .granted, "a-1", true, "a-1", "1"), (true, .granted, "a-1", false, "a-1", "0"),
      (false, .granted, "a-1", true, nil, nil), (true, .denied, "a-1", true, nil, nil),
      (true, .pending, "a-1", true, nil, nil), (true, .granted, nil, true, nil, nil),
      (true, .granted, "00000000-0000-0000-0000-000000000000", true, nil, nil),
    ] as [(Bool, ConsentState, String?, Bool, String?, String?)])
  func advertising(
    isAllowed: Bool, state: ConsentState, id: String?, isTargeted: Bool, idfa: String?, ate: String?
  ) async throws {
    let analytics = try fixture.open(
      identifiers: Identifiers(advertisingID: id, isTrackingAllowed: isTargeted),
      consent: ConsentSnapshot([.adStorage: state]))
    let tracker = try analytics.tracker(property: "UA-1-1")
    tracker.allowAdvertisingID = isAllowed
    await tracker.send(.screenView("x").set("by hand", for: .advertisingID).set(true, for: .adTargetingEnabled))
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["idfa"] } == [idfa])
    #expect(fixture.sent.map { $0["ate"] } == [ate])
  }
}
