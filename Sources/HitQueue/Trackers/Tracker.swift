public import Hits

/// A named sender of hits: a property, a destination, and values that go with every hit (HQ-200 to HQ-206).
///
///     let tracker = try analytics.tracker(property: "UA-12345-1")
///     tracker.set("Home", for: .screenName)
///     tracker.send(.event(category: "Video", action: "Play"))
public final class Tracker: Sendable {
  /// The name; one queue has one tracker of a name.
  public let name: String
  /// The account its hits belong to.
  public let property: String
  let destination: Destination
  let lane: LaneKey
  private let analytics: Intake
  private let fields: Locked<TrackerFields>
  private let settings: Locked<Settings>

  private struct Settings: Sendable {
    var allowAdvertisingID = false
    var rateLimit: RateLimit
    var bucket: TokenBucket
  }

  init(name: String, property: String, destination: Destination, analytics: Intake) {
    self.name = name
    self.property = property
    self.destination = destination
    self.analytics = analytics
    lane = destination.lane(tracker: name, property: property)
    fields = Locked(TrackerFields())
    let limit = RateLimit.standard(for: destination)
    settings = Locked(Settings(rateLimit: limit, bucket: TokenBucket(limit)))
  }

  /// Sets a value for all later hits by its wire name; nil clears it.
  ///
  /// The names that the library writes itself, such as `t`, `tid` and `z`, cannot be set.
  public func set(_ value: String?, for name: String) {
    let name = StickyFields.wireName(name)
    if !fields.withLock({ $0.set(value, for: name) }) {
      analytics.warnings.warn("tracker \(self.name): \(name) cannot be set")
    }
  }

  /// Sets a value of a known type for all later hits; nil clears it.
  public func set<Content: FieldContent>(_ value: Content?, for field: Field<Content>) {
    set(value?.fieldText, for: field.name)
  }

  /// The value that goes with every hit: the tracker's own, or what the queue gives.
  ///
  /// The client id (`cid`) may be read from disk on the first call (HQ-206).
  public func get(_ name: String) -> String? {
    let name = StickyFields.wireName(name)
    if name == "tid" { return property }
    if let value = fields.withLock({ $0.own.values[name] }) ?? analytics.value(of: name) { return value }
    return name == "cid" ? analytics.clientID() : nil
  }

  /// The value of a known type's field that goes with every hit.
  public func get<Content: FieldContent>(_ field: Field<Content>) -> String? { get(field.name) }

  /// Whether servers are asked to mask addresses (HQ-216).
  public var anonymizeIP: Bool {
    get { get("aip") != nil }
    set { set(newValue ? "1" : nil, for: "aip") }
  }

  /// Whether hits carry the advertising id, where the person allows it and there is one (HQ-250); false unless set.
  public var allowAdvertisingID: Bool {
    get { settings.withLock { $0.allowAdvertisingID } }
    set { settings.withLock { $0.allowAdvertisingID = newValue } }
  }

  /// The percentage of clients whose hits are sent, 0 to 100: 100 unless set (HQ-215).
  ///
  /// A client is in the sample or not, for good. NaN is ignored.
  public var sampleRate: Double {
    get { get("sf").flatMap(Double.init) ?? 100 }
    set { if !newValue.isNaN { set(newValue < 100 ? max(newValue, 0) : nil, for: .sampleRate) } }
  }

  /// How many hits go out in a burst; setting it fills the bucket (HQ-261).
  public var rateLimit: RateLimit {
    get { settings.withLock { $0.rateLimit } }
    set {
      settings.withLock {
        $0.rateLimit = newValue
        $0.bucket = TokenBucket(newValue)
      }
    }
  }

  func takeToken(at now: UInt64) -> TokenBucket.Decision { settings.withLock { $0.bucket.take(at: now) } }

  /// Takes a hit in and waits for its commit, at most for the store's budget (HQ-311).
  @discardableResult
  public func send(_ hit: HitBuilder) -> SendReceipt { analytics.send(hit, through: self) }

  /// Takes a hit in and waits for its commit (HQ-312).
  @discardableResult
  public func send(_ hit: HitBuilder) async -> SendReceipt { await analytics.send([hit], through: self)[0] }

  /// Takes hits in and commits them in one transaction, all or none; refused ones are left out (HQ-312).
  @discardableResult
  public func send(contentsOf hits: [HitBuilder]) async -> [SendReceipt] { await analytics.send(hits, through: self) }

  /// Takes a hit in without waiting; it is committed within 50 ms.
  public func enqueue(_ hit: HitBuilder) { analytics.enqueue(hit, through: self) }

  /// The values of the tracker and of the queue for one hit.
  func fieldsForOneHit(over common: CommonFields) -> [CleanField] {
    fields.withLock { $0.takeForOneHit(over: common) }
  }
}
