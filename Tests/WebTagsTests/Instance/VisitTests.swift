import Foundation
import Hits
import TestSupport
import Testing

@testable import WebTags

@Suite struct VisitTests {
  private func count(_ bench: InstanceBench) -> Int { bench.requests("tiqapp/utag.v.js").count }

  @Test("WT-260, WT-261: the second track counts the session once, natively and not in the page (peer bugs 21, 36)")
  func counting() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    for _ in 1...4 { _ = try await manager.trackEvent(title: "e").ended() }
    try await bench.wait("the count") { count(bench) == 1 }
    await bench.settle(manager)
    #expect(
      bench.requests("tiqapp/utag.v.js").map(\.url) == [
        "https://tags.tiqcdn.com/utag/tiqapp/utag.v.js?a=A/P/1800000000000&cb=1800000000000"
      ])
    #expect(bench.host?.bootstrap.contains(#""no_session_count":true"#) == true)
    await bench.close()
    let next = try bench.open()
    for _ in 1...3 { _ = try await next.trackEvent(title: "e").ended() }
    await bench.settle(next)
    #expect(count(bench) == 1)
    await bench.close()
  }

  @Test("WT-260: a count that failed is tried at the next track; switched off, the page counts")
  func countingFails() async throws {
    let fails = Locked(true)
    let bench = InstanceBench(
      transport: ScriptedTransport { request in
        guard request.url.contains("utag.v.js") else { return InstanceBench.site(request) }
        return fails.withLock { $0 } ? .status(500) : .status(204)
      })
    let manager = try bench.open()
    for _ in 1...2 { _ = try await manager.trackEvent(title: "e").ended() }
    try await bench.wait("the count") { count(bench) == 1 }
    fails.withLock { $0 = false }
    try await bench.wait("the end of the count") { manager.shared.data.withLock { !$0.session.isCounting } }
    _ = try await manager.trackEvent(title: "e").ended()
    try await bench.wait("the second count") { count(bench) == 2 }
    try await bench.wait("the end of the count") { manager.shared.data.withLock { !$0.session.isCounting } }
    _ = try await manager.trackEvent(title: "e").ended()
    await bench.settle(manager)
    #expect(count(bench) == 2)
    await bench.close()
    let off = InstanceBench()
    let second = try off.open { $0.sessionCounting = false }
    for _ in 1...3 { _ = try await second.trackEvent(title: "e").ended() }
    await off.settle(second)
    #expect(count(off) == 0 && off.host?.bootstrap.contains("no_session_count\":true") == false)
    await off.close()
  }

  @Test("WT-306: a new session reloads the page exactly once, the first of a launch never (peer bug 35)")
  func newSession() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    for _ in 1...3 { _ = try await manager.trackEvent(title: "e").ended() }
    #expect(bench.host?.loads.count == 1)
    bench.clock.setWall(milliseconds: 1_800_000_000_000 + 1_800_000)
    for _ in 1...3 { #expect(try await manager.trackEvent(title: "e").ended() == .delivered(confirmed: true)) }
    #expect(bench.host?.loads.count == 2)
    let ids = Set(bench.delivered.compactMap { $0["tealium_session_id"]?.string })
    #expect(ids == ["1800000000000", "1800001800000"])
    await bench.close()
  }

  @Test("WT-408: the page's cookie and the native visitor are one, whichever was first (peer bug 30)")
  func visitorCookie() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    try await bench.ready(manager)
    #expect(
      bench.host?.jar == [
        WebCookie(
          name: "utag_main", value: "v_id:" + manager.visitorID, domain: "tags.tiqcdn.com",
          expires: Date(timeIntervalSince1970: 1_800_000_000 + 365 * 86_400), secure: true)
      ])
    await bench.close()
    let old = WebCookie(name: "utag_main", value: "v_id:0123abc$_sn:1$_ss:0", domain: "tags.tiqcdn.com")
    let found = InstanceBench(cookies: [old])
    let second = try found.open()
    #expect(try await second.trackEvent(title: "e").ended() == .delivered(confirmed: true))
    #expect(second.visitorID == "0123abc" && found.host?.jar == [old])
    await found.close()
    #expect(try found.open().visitorID == "0123abc")
    await found.close()
    let given = InstanceBench(cookies: [old])
    let third = try given.open { $0.existingVisitorID = "GIVEN" }
    try await given.ready(third)
    #expect(third.visitorID == "GIVEN")
    await given.close()
    // Peer bug 9: an id that is stored wins over the one given.
    #expect(try given.open { $0.existingVisitorID = "OTHER" }.visitorID == "GIVEN")
    await given.close()
  }

  @Test(
    "WT-800: a visitor in a cookie that is no id is not taken",
    arguments: [
      "v_id:", "x", "v_id:a'b", "v_id:a b", "v_id:%3Cscript%3E", "v_id:" + String(repeating: "a", count: 65),
    ])
  func badVisitorCookie(value: String) {
    #expect(WebTagManager.visitorID(in: value) == nil)
  }

  @Test("WT-407: a new visitor is 32 upper-case hex digits, and stays for later instances")
  func visitor() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    let hex = Set("0123456789ABCDEF")
    #expect(manager.visitorID.count == 32 && manager.visitorID.allSatisfy(hex.contains))
    let reset = manager.resetVisitorID()
    #expect(manager.visitorID == reset && reset.count == 32)
    await bench.close()
    #expect(try bench.open().visitorID == reset)
    await bench.close()
  }
}

@Suite struct ConsentTests {
  private func open(_ bench: InstanceBench, _ change: (inout ConsentConfiguration) -> Void = { _ in }) throws
    -> WebTagManager
  {
    try bench.open {
      $0.consent.enabled = true
      change(&$0.consent)
    }
  }

  @Test(
    "WT-1210, WT-467: until consent nothing is loaded and no session counted; then five events leave in order (peer bug 12)"
  )
  func granted() async throws {
    let bench = InstanceBench()
    let manager = try open(bench)
    let events = (1...5).map { manager.trackEvent(title: "e\($0)") }
    for event in events { _ = await event.stored() }
    try await bench.wait("what the events wait for") { await manager.diagnostics().waiting == [.consentUnknown: 5] }
    await bench.settle(manager)
    #expect(bench.hosts.hosts.isEmpty && bench.requests("utag.v.js").isEmpty && bench.requests("platform=").isEmpty)
    manager.consent.set(status: .consented)
    for event in events { #expect(try await event.ended() == .delivered(confirmed: true)) }
    try await bench.wait("the events") { bench.titles.count == 6 }
    #expect(bench.titles == (1...5).map { "e\($0)" } + ["update_consent_cookie"])
    #expect(bench.delivered[0]["queue_reason"] == "page_not_ready" && bench.delivered[0]["consent_status"] == nil)
    #expect(bench.delivered[5]["consent_status"] == "consented" && bench.delivered[5]["policy"] == "gdpr")
    await bench.close()
  }

  @Test("WT-467: with pageBeforeConsent the page loads, and the events wait")
  func pageBefore() async throws {
    let bench = InstanceBench()
    let manager = try open(bench) { $0.pageBeforeConsent = true }
    let event = manager.trackEvent(title: "e")
    try await bench.ready(manager)
    _ = await event.stored()
    #expect(bench.deliveries.isEmpty)
    await bench.close()
  }

  @Test(
    "WT-427, WT-464: a decline while offline leaves later; what waited is dropped; its event has the data (peer bugs 13, 26)"
  )
  func declinedOffline() async throws {
    let bench = InstanceBench()
    bench.connectivity.change(.offline)
    let manager = try open(bench) {
      $0.logging = true
      $0.cookie = false
    }
    manager.addPersistentData(["stored": "yes"])
    let waiting = (1...3).map { manager.trackEvent(title: "e\($0)") }
    manager.consent.set(status: .notConsented)
    for event in waiting { #expect(try await event.ended() == .dropped(.consentDeclined)) }
    #expect(try await manager.trackEvent(title: "late").ended() == .dropped(.consentDeclined))
    #expect(bench.deliveries.isEmpty)
    bench.connectivity.change(.wifi)
    try await bench.wait("the events") { bench.titles == ["decline_consent"] }
    #expect(bench.delivered[0]["stored"] == "yes" && bench.delivered[0]["consent_status"] == "notConsented")
    manager.consent.reset()
    await bench.settle(manager)
    #expect(bench.titles == ["decline_consent"] && manager.consent.status == .unknown)
    await bench.close()
  }

  @Test("WT-441: consent that was never set is one clear warning, after three events (peer bug 14)")
  func warning() async throws {
    let bench = InstanceBench()
    let manager = try open(bench)
    for number in 1...10 { _ = await manager.trackEvent(title: "e\(number)").stored() }
    try await bench.wait("what the events wait for") { await manager.diagnostics().waiting == [.consentUnknown: 10] }
    #expect(bench.lines.withLock { $0.filter { $0.contains("consent was never set") }.count } == 1)
    await bench.close()
  }

  @Test("WT-462: a choice is kept, and forgotten after its time, with a word to the delegate")
  func expiry() async throws {
    final class Delegate: ConsentDelegate {
      let expired = Locked(0)
      func consentDidExpire(_ consent: ConsentManager) async { expired.withLock { $0 += 1 } }
    }
    let bench = InstanceBench()
    let first = try open(bench)
    first.consent.set(categories: [.crm])
    await bench.settle(first)
    await bench.close()
    let manager = try open(bench) { $0.initialStatus = .notConsented }
    #expect(manager.consent.status == .consented && manager.consent.categories == [.crm])
    let delegate = Delegate()
    manager.consent.delegate = delegate
    await bench.settle(manager)
    bench.clock.setWall(milliseconds: 1_800_000_000_000 + 365 * 86_400_000)
    manager.trackEvent(title: "e")
    try await bench.wait("the word of the expiry") { delegate.expired.withLock { $0 } == 1 }
    #expect(manager.consent.status == .unknown)
    await bench.close()
  }

  @Test("WT-463: under ccpa everything leaves and says whether it may be sold")
  func ccpa() async throws {
    let bench = InstanceBench()
    let manager = try open(bench) { $0.policy = .ccpa }
    #expect(try await manager.trackEvent(title: "a").ended() == .delivered(confirmed: true))
    manager.consent.set(status: .notConsented)
    #expect(try await manager.trackEvent(title: "b").ended() == .delivered(confirmed: true))
    try await bench.wait("the events") { bench.titles.count == 3 }
    #expect(Set(bench.titles) == ["a", "b", "set_dns_state"])
    let sold = Dictionary(
      bench.delivered.map { ($0["tealium_event"]?.string ?? "", $0["do_not_sell"] ?? .null) }, uniquingKeysWith: { $1 })
    #expect(sold["a"] == .bool(false) && sold["b"] == .bool(true))
    await bench.close()
  }
}
