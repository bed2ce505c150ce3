import Hits

/// What a person chose, and what follows from it (WT-460 to WT-466): no clock, no store.
///
///     unknown ──set──▶ consented ◀──set──▶ notConsented ──reset, expired──▶ unknown
struct ConsentChoice: Sendable, Equatable {
  var isEnabled: Bool
  var policy: ConsentPolicy
  private(set) var status: ConsentManager.Status
  private(set) var categories: [ConsentCategory]
  /// Milliseconds since 1970 of the choice.
  private(set) var chosenAt: Int64?

  /// What an event of consent is called.
  struct Announcement: Sendable, Equatable {
    var type: TagEvent.Kind
    var title: String
  }

  init(_ configuration: ConsentConfiguration, stored: [UInt8]?, now: Int64) {
    isEnabled = configuration.enabled
    policy = configuration.policy
    status = .unknown
    categories = []
    if let stored, read(stored) { return }
    if let given = configuration.initialCategories {
      choose(configuration.initialStatus ?? .consented, given, now)
    } else if let given = configuration.initialStatus, given == .consented || given == .notConsented {
      choose(given, nil, now)
    }
  }

  /// The status as an app sees it.
  var publicStatus: ConsentManager.Status { isEnabled ? status : .disabled }

  /// Records a choice; consent without categories is to all, and to none of them is none (WT-461).
  mutating func choose(_ status: ConsentManager.Status, _ categories: [ConsentCategory]?, _ now: Int64) {
    switch (status, categories) {
    case (.consented, let given?) where given.isEmpty: (self.status, self.categories) = (.notConsented, [])
    case (.consented, let given):
      (self.status, self.categories) = (.consented, ConsentCategory.ordered(given ?? ConsentCategory.allCases))
    case (.notConsented, _): (self.status, self.categories) = (.notConsented, [])
    case (.unknown, _), (.disabled, _): return reset()
    }
    chosenAt = now
  }

  mutating func reset() { (status, categories, chosenAt) = (.unknown, [], nil) }

  /// Forgets a choice that is too old (WT-462).
  ///
  /// - Returns: whether it was.
  mutating func expire(_ now: Int64) -> Bool {
    guard isEnabled, let chosenAt, now.since(chosenAt) >= policy.days * 86_400_000 else { return false }
    reset()
    return true
  }

  /// Whether events other than those of consent pass.
  var passes: Passage {
    guard isEnabled, policy == .gdpr else { return .all }
    switch status {
    case .consented, .disabled: return .all
    case .unknown: return .waiting
    case .notConsented: return .none
    }
  }

  enum Passage: Sendable, Equatable {
    case all
    case waiting
    case none
  }

  /// What every event says of it (WT-463, WT-466).
  var data: JSONObject {
    guard isEnabled else { return [:] }
    var data: JSONObject = ["policy": .string(policy.rawValue)]
    if policy == .ccpa { data["do_not_sell"] = .bool(status == .notConsented) }
    guard status == .consented || status == .notConsented else { return data }
    data["consent_status"] = .string(status.rawValue)
    data["consent_categories"] = .list(categories.map { .string($0.rawValue) })
    return data
  }

  /// The events that a choice leads to (WT-465).
  func announcements(logging: Bool, cookie: Bool) -> [Announcement] {
    guard isEnabled, status != .unknown else { return [] }
    var events: [Announcement] = []
    if logging {
      let title =
        status == .notConsented
        ? "decline_consent"
        : categories.count == ConsentCategory.allCases.count ? "grant_full_consent" : "grant_partial_consent"
      events.append(Announcement(type: .link, title: title))
    }
    if cookie {
      let type = policy == .gdpr ? "update_consent_cookie" : "set_dns_state"
      events.append(Announcement(type: .custom(type), title: type))
    }
    return events
  }

  /// The choice as it is stored; nil when there is none.
  var stored: [UInt8]? {
    guard let chosenAt, status != .unknown else { return nil }
    let value: Value = [
      "status": .string(status.rawValue), "categories": .list(categories.map { .string($0.rawValue) }),
      "time": .int(chosenAt),
    ]
    return value.jsonBytes
  }

  private mutating func read(_ stored: [UInt8]) -> Bool {
    guard let object = try? Value(json: stored).map, let status = object["status"]?.string,
      let status = ConsentManager.Status(rawValue: status), case .int(let time)? = object["time"]
    else { return false }
    self.status = status
    categories = ConsentCategory.read(object["categories"]?.list?.compactMap(\.string) ?? []).categories
    chosenAt = time
    return true
  }
}

/// Events of consent and their like (WT-427).
enum SpecialEvent {
  /// Whether an event never waits for others.
  static func isUnbatched(type: String, title: String) -> Bool {
    passesConsent(type: type, title: title) || title == "launch" || title == "kill_visitor_session"
      || type == "launch" || type == "kill_visitor_session"
  }

  /// Whether an event leaves whatever the consent.
  static func passesConsent(type: String, title: String) -> Bool {
    let names: Set<String> = [
      "grant_full_consent", "grant_partial_consent", "decline_consent", "update_consent_cookie", "set_dns_state",
    ]
    return names.contains(type) || (type == "link" && names.contains(title))
  }
}
