import Hits
import Testing

@testable import WebTags

@Suite struct ConsentChoiceTests {
  private static let day: Int64 = 86_400_000

  private static func state(
    _ policy: ConsentPolicy = .gdpr, _ change: (inout ConsentConfiguration) -> Void = { _ in }
  ) -> ConsentChoice {
    var configuration = ConsentConfiguration(enabled: true, policy: policy)
    change(&configuration)
    return ConsentChoice(configuration, stored: nil, now: 0)
  }

  @Test("WT-461: a list is consent to it, an empty one is none, consent without a list is to all 15")
  func choices() {
    var state = Self.state()
    #expect(state.status == .unknown && ConsentManager.allCategories.count == 15)
    state.choose(.consented, [.misc, .analytics, .misc], 1)
    #expect(state.status == .consented && state.categories == [.analytics, .misc])
    state.choose(.consented, [], 2)
    #expect(state.status == .notConsented && state.categories == [])
    state.choose(.consented, nil, 3)
    #expect(state.status == .consented && state.categories == ConsentManager.allCategories)
    state.choose(.notConsented, [.crm], 4)
    #expect(state.status == .notConsented && state.categories == [])
    let (read, unknown) = ConsentCategory.read(["misc", "toys", "big_data", "misc"])
    #expect(read == [.bigData, .misc] && unknown == ["toys"])
  }

  @Test(
    "WT-1210: which events pass, by law and status",
    arguments: [
      (ConsentPolicy.gdpr, ConsentManager.Status.unknown, ConsentChoice.Passage.waiting), (.gdpr, .consented, .all),
      (.gdpr, .notConsented, .none), (.ccpa, .unknown, .all), (.ccpa, .consented, .all), (.ccpa, .notConsented, .all),
    ])
  func passages(policy: ConsentPolicy, status: ConsentManager.Status, passage: ConsentChoice.Passage) {
    var state = Self.state(policy)
    if status != .unknown { state.choose(status, nil, 1) }
    #expect(state.passes == passage)
    state.isEnabled = false
    #expect(state.passes == .all && state.data == [:] && state.publicStatus == .disabled)
  }

  @Test("WT-463, WT-466: events carry the policy, the status, the categories, and under ccpa whether to sell")
  func data() {
    var state = Self.state(.ccpa)
    #expect(state.data == ["policy": "ccpa", "do_not_sell": false])
    state.choose(.notConsented, nil, 1)
    #expect(
      state.data == [
        "policy": "ccpa", "do_not_sell": true, "consent_status": "notConsented", "consent_categories": [],
      ])
    var gdpr = Self.state()
    gdpr.choose(.consented, [.email], 1)
    #expect(gdpr.data == ["policy": "gdpr", "consent_status": "consented", "consent_categories": ["email"]])
  }

  @Test("WT-462: a choice lasts 365 days, under ccpa 395", arguments: [(ConsentPolicy.gdpr, Int64(365)), (.ccpa, 395)])
  func expiry(policy: ConsentPolicy, days: Int64) {
    var state = Self.state(policy)
    state.choose(.consented, nil, 1000)
    #expect(state.expire(1000 + days * Self.day - 1) == false)
    #expect(state.expire(1000 + days * Self.day) == true)
    #expect(state.status == .unknown && state.stored == nil)
  }

  @Test("WT-462: a stored choice wins over the configuration's")
  func stored() {
    var first = Self.state()
    first.choose(.notConsented, nil, 7)
    var configuration = ConsentConfiguration(enabled: true, initialCategories: [.crm])
    configuration.initialStatus = .consented
    let restored = ConsentChoice(configuration, stored: first.stored, now: 9)
    #expect(restored == first)
    let fresh = ConsentChoice(configuration, stored: nil, now: 9)
    #expect(fresh.status == .consented && fresh.categories == [.crm])
    #expect(ConsentChoice(configuration, stored: [0xFF], now: 9) == fresh)
  }

  @Test("WT-465: a choice is announced with its name, and to the universal tag by law")
  func announcements() {
    var state = Self.state()
    #expect(state.announcements(logging: true, cookie: true) == [])
    state.choose(.consented, nil, 1)
    #expect(
      state.announcements(logging: true, cookie: true) == [
        .init(type: .link, title: "grant_full_consent"),
        .init(type: .custom("update_consent_cookie"), title: "update_consent_cookie"),
      ])
    state.choose(.consented, [.crm], 1)
    #expect(state.announcements(logging: true, cookie: false).map(\.title) == ["grant_partial_consent"])
    state.choose(.notConsented, nil, 1)
    #expect(state.announcements(logging: true, cookie: false).map(\.title) == ["decline_consent"])
    #expect(state.announcements(logging: false, cookie: false) == [])
    state.policy = .ccpa
    #expect(state.announcements(logging: false, cookie: true).map(\.title) == ["set_dns_state"])
  }

  @Test(
    "WT-427: which events never wait for others, and which leave without consent",
    arguments: [
      ("link", "launch", true, false), ("link", "grant_full_consent", true, true),
      ("link", "decline_consent", true, true),
      ("link", "grant_partial_consent", true, true), ("update_consent_cookie", "update_consent_cookie", true, true),
      ("set_dns_state", "x", true, true), ("link", "kill_visitor_session", true, false), ("link", "wake", false, false),
      ("view", "decline_consent", false, false),
    ])
  func specials(type: String, title: String, isUnbatched: Bool, passes: Bool) {
    #expect(SpecialEvent.isUnbatched(type: type, title: title) == isUnbatched)
    #expect(SpecialEvent.passesConsent(type: type, title: title) == passes)
  }
}
