/// A purpose to which a person consents (WT-461).
public enum ConsentCategory: String, Sendable, Hashable, Codable, CaseIterable {
  case analytics
  case affiliates
  case displayAds = "display_ads"
  case email
  case personalization
  case search
  case social
  case bigData = "big_data"
  case mobile
  case engagement
  case monitoring
  case crm
  case cdp
  case cookiematch
  case misc

  /// The categories of names, in their own order, each once; the unknown names are given too.
  static func read(_ names: [String]) -> (categories: [ConsentCategory], unknown: [String]) {
    let known = Set(names)
    let unknown = names.filter { ConsentCategory(rawValue: $0) == nil }
    return (allCases.filter { known.contains($0.rawValue) }, unknown)
  }

  /// These categories in their own order, each once.
  static func ordered(_ categories: [ConsentCategory]) -> [ConsentCategory] {
    allCases.filter(Set(categories).contains)
  }
}

/// The law that consent follows (WT-463).
public enum ConsentPolicy: String, Sendable, Hashable, Codable {
  /// Nothing leaves before consent; it lasts 365 days.
  case gdpr
  /// Everything leaves and says whether it may be sold; the choice lasts 395 days.
  case ccpa

  var days: Int64 { self == .gdpr ? 365 : 395 }
}

/// Consent at the start of an instance.
public struct ConsentConfiguration: Sendable, Hashable {
  /// No consent is asked for.
  public static let disabled = ConsentConfiguration()

  /// Whether consent counts.
  public var enabled: Bool
  /// The law it follows.
  public var policy: ConsentPolicy
  /// The status where none is stored.
  public var initialStatus: ConsentManager.Status?
  /// The categories where none are stored.
  public var initialCategories: [ConsentCategory]?
  /// Whether a change is tracked as an event (WT-465).
  public var logging: Bool
  /// Whether a change is told to the universal tag, for its own cookie.
  public var cookie: Bool
  /// Whether the page loads before the person has chosen (WT-467).
  public var pageBeforeConsent: Bool

  /// Makes a configuration.
  public init(
    enabled: Bool = false, policy: ConsentPolicy = .gdpr, initialStatus: ConsentManager.Status? = nil,
    initialCategories: [ConsentCategory]? = nil, logging: Bool = false, cookie: Bool = true,
    pageBeforeConsent: Bool = false
  ) {
    self.enabled = enabled
    self.policy = policy
    self.initialStatus = initialStatus
    self.initialCategories = initialCategories
    self.logging = logging
    self.cookie = cookie
    self.pageBeforeConsent = pageBeforeConsent
  }
}
