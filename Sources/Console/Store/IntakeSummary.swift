import HitQueue
public import Hits

/// One stored hit as it is listed.
public struct IntakeSummary: Sendable, Hashable, Codable {
  /// Its place in the store.
  public var position: Int64
  /// Its id.
  public var id: HitID
  /// The property it belongs to.
  public var property: String
  /// The wire name of its kind, such as `event`.
  public var kind: String
  /// The client id.
  public var client: String?
  /// The user id.
  public var user: String?
  /// When it happened, in milliseconds since 1970 UTC.
  public var occurred: Int64
  /// When it arrived, in milliseconds since 1970 UTC.
  public var received: Int64
  /// The client's counter.
  public var sequence: Int64?
  /// The path it came by: `collect`, `batch` or `v1`.
  public var source: String
  /// What made it, such as `tw1.0.0`.
  public var library: String?
  /// The tracker that sent it.
  public var tracker: String?
  /// The client's address as far as it is kept.
  public var address: String?
  /// What the client calls itself.
  public var userAgent: String?
  /// What the person had said, as a JSON object by purpose.
  public var consent: String?
  /// Its fields by wire name.
  public var fields: [String: String]
  /// The name of a custom hit.
  public var name: String?
  /// The free parameters of a custom hit.
  public var parameters: [String: Value]?

  init(_ stored: PositionedHit) {
    position = stored.position
    id = stored.hit.id
    property = stored.hit.property
    kind = stored.hit.kind
    client = stored.hit.client
    user = stored.hit.user
    occurred = stored.hit.occurred
    received = stored.hit.received
    sequence = stored.hit.sequence
    source = stored.hit.source.rawValue
    library = stored.hit.library
    tracker = stored.hit.tracker
    address = stored.hit.address
    userAgent = stored.hit.userAgent
    consent = stored.hit.consent
    guard stored.hit.body.first == UInt8(ascii: "{"), let line = stored.hit.line else {
      fields = FormFields(stored.hit.body).dictionary
      return
    }
    fields = line.fields
    guard case .custom(let name) = line.kind else { return }
    self.name = name
    parameters = line.parameters
  }
}

/// The tally of a collector's store.
public struct IntakeStatistics: Sendable, Hashable, Codable {
  /// Stored hits of one property and kind.
  public struct Hits: Sendable, Hashable, Codable {
    /// The property.
    public var property: String
    /// The wire name of the kind.
    public var kind: String
    /// How many.
    public var count: Int
    /// The bytes that count for retention: what they say, and 256 for the columns of each (CO-702).
    public var bytes: Int64
  }

  /// Refused hits of one property and reason.
  public struct Rejected: Sendable, Hashable, Codable {
    /// The property; nil when the hit named none.
    public var property: String?
    /// The reason, in the words of HQ-666.
    public var code: String
    /// The field it is about.
    public var field: String?
    /// How many are kept: at most 100,000 of the last 7 days in all (HQ-701).
    public var count: Int
  }

  /// Stored hits by property and kind.
  public var hits: [Hits] = []
  /// Refused hits by property and reason.
  public var rejected: [Rejected] = []

  /// Stored hits in all.
  public var total: Int { hits.reduce(0) { $0 + $1.count } }

  /// The bytes of them all.
  public var bytes: Int64 { hits.reduce(0) { $0 + $1.bytes } }
}
