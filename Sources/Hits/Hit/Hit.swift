/// The order in which a full store lets hits go: `normal` first (HQ-103).
public enum HitPriority: Int, Sendable, Hashable {
  case normal
  case high
}

/// One record to deliver, as a sink accepted it (HQ-100 to HQ-103).
public struct Hit: Sendable, Hashable {
  /// The dedupe key, for life.
  public let id: HitID
  /// What it reports.
  public let kind: HitKind
  /// The tracker that sent it.
  public let tracker: String
  /// The account it belongs to.
  public let property: String
  /// When it was made.
  public let created: HitTime
  /// The store's counter, from the commit on (HQ-104).
  public let sequence: Int64?
  /// Wire names and texts, such as `ec` → `Video`; a beacon's only field is `url`.
  public let fields: [String: String]
  /// Free parameters of a custom hit.
  public let parameters: [String: Value]
  /// The consent purposes it needs.
  public let purposes: ConsentPurposes
  /// What the person had said when it was made.
  public let consent: ConsentSnapshot
  /// Which of two hits a full store lets go first.
  public let priority: HitPriority
  /// Seconds after which it is not worth sending; nil for the store's own bound.
  public let maxAge: Int?

  /// Makes a hit of given parts; apps use a `HitBuilder`.
  public init(
    id: HitID, kind: HitKind, tracker: String, property: String, created: HitTime, sequence: Int64? = nil,
    fields: [String: String] = [:], parameters: [String: Value] = [:],
    purposes: ConsentPurposes = .analyticsStorage, consent: ConsentSnapshot = .granted,
    priority: HitPriority = .normal, maxAge: Int? = nil
  ) {
    self.id = id
    self.kind = kind
    self.tracker = tracker
    self.property = property
    self.created = created
    self.sequence = sequence
    self.fields = fields
    self.parameters = parameters
    self.purposes = purposes
    self.consent = consent
    self.priority = priority
    self.maxAge = maxAge
  }
}
