public import Hits

/// A language in which hits are told to a server (HQ-670).
///
/// The queue asks how many hits fit in a request, has them encoded, and has the answer judged. A protocol keeps no
/// state and does no I/O.
public protocol HitProtocol: Sendable {
  /// The name in the store's lane rows, such as `mp1`.
  var name: String { get }
  /// How many hits and bytes one request takes.
  var limits: BatchLimits { get }
  /// What the server does with hits that come twice, and with refused ones.
  var traits: DeliveryTraits { get }
  /// Whether it can tell this kind (HQ-115).
  func carries(_ kind: HitKind) -> Bool
  /// The bytes of one hit in a request that is made at a moment; without one, the most they can become (HQ-138).
  func size(of hit: QueuedHit, at now: HitTime?) -> Int
  /// The request for hits in their order on the wire, oldest first.
  func encode(_ hits: ArraySlice<QueuedHit>, _ context: EncodingContext) throws(EncodingError) -> HTTPRequest
  /// What an answer means for the hits of its request, by their ids.
  func verdict(_ response: HTTPResponse, for hits: [HitID]) -> Verdict
  /// What an answer means for the hits of its request; for those servers whose answer counts what was made of them.
  func verdict(_ response: HTTPResponse, for hits: ArraySlice<QueuedHit>) -> Verdict
  /// What a hit counts against `BatchLimits.hits`, where one hit becomes several things on the wire.
  func weight(of hit: QueuedHit) -> Int
  /// Whether a hit can be in one request with the first of it, as when the request names one client (HQ-420).
  func canJoin(_ hit: QueuedHit, after first: QueuedHit) -> Bool
  /// What a hit loses in this language, or why it cannot be told at all; asked at `send` (HQ-634).
  func check(_ hit: QueuedHit) -> HitCheck
  /// Whether an address is one of this language's, credentials included.
  func accepts(endpoint: String) -> Bool
}

extension HitProtocol {
  /// What the answer means for the ids.
  public func verdict(_ response: HTTPResponse, for hits: ArraySlice<QueuedHit>) -> Verdict {
    verdict(response, for: hits.map(\.id))
  }

  /// One.
  public func weight(of hit: QueuedHit) -> Int { 1 }

  /// Any two hits of a lane.
  public func canJoin(_ hit: QueuedHit, after first: QueuedHit) -> Bool { true }

  /// Nothing is lost.
  public func check(_ hit: QueuedHit) -> HitCheck { HitCheck() }

  /// Any address without a query.
  public func accepts(endpoint: String) -> Bool { WebURL(endpoint)?.query == nil }
}

/// What a protocol makes of a hit before it is stored.
public struct HitCheck: Sendable, Hashable {
  /// Why the hit is refused; nil when it is fine.
  public var refusal: Refusal?
  /// Values that are left out on the wire (`values.refused`).
  public var refusedValues: Int
  /// Texts that are cut on the wire (`values.truncated`).
  public var truncatedValues: Int

  /// Makes a check's result; without arguments, of a hit that is told as it is.
  public init(refusal: Refusal? = nil, refusedValues: Int = 0, truncatedValues: Int = 0) {
    self.refusal = refusal
    self.refusedValues = refusedValues
    self.truncatedValues = truncatedValues
  }
}

/// How much goes into one request (the table above HQ-420).
public struct BatchLimits: Sendable, Hashable {
  /// Hits in one request.
  public var hits: Int
  /// Bytes of its body before compression.
  public var bytes: Int
  /// Bytes of one hit; a longer one is refused at `send` (HQ-138).
  public var hitBytes: Int

  /// Makes limits.
  public init(hits: Int, bytes: Int, hitBytes: Int) {
    self.hits = hits
    self.bytes = bytes
    self.hitBytes = hitBytes
  }
}

/// How a protocol's servers treat hits.
public struct DeliveryTraits: Sendable, Hashable {
  /// Whether a server that gets a hit twice keeps one (HQ-423).
  public var dedupes: Bool
  /// Whether a refused hit is kept for inspection; else it is dropped with reason `rejected` (HQ-116, HQ-433).
  public var keepsRejected: Bool
  /// Seconds after which a hit has expired; nil for the store's bound.
  public var maxAge: Int64?
  /// When a hit is late, unless the destination says otherwise (HQ-531).
  public var lateness: LatenessRule
  /// What becomes of late hits, unless the destination says otherwise.
  public var latePolicy: LatePolicy
  /// Whether hits tell the session they belong to, in the field `HitContent.sessionField` (HQ-213).
  public var tellsSession: Bool

  /// Makes traits.
  public init(
    dedupes: Bool, keepsRejected: Bool = true, maxAge: Int64? = nil, lateness: LatenessRule = .none,
    latePolicy: LatePolicy = .send, tellsSession: Bool = false
  ) {
    self.dedupes = dedupes
    self.keepsRejected = keepsRejected
    self.maxAge = maxAge
    self.lateness = lateness
    self.latePolicy = latePolicy
    self.tellsSession = tellsSession
  }
}

/// What an encoder knows besides the hits.
public struct EncodingContext: Sendable {
  /// The moment against which ages are counted (HQ-501).
  public var now: HitTime
  /// The endpoint of the lane.
  public var endpoint: String
  /// The user agent (HQ-601).
  public var userAgent: String
  /// The name of the tracker whose lane it is.
  public var tracker: String
  /// The id of this try, new with each; for logs alone (HQ-650).
  public var request: HitID
  /// What the person says now; with what was said when a hit was made, the stricter counts (HQ-224).
  public var consent: ConsentSnapshot
  /// Whether the server takes compressed bodies, as far as is known (HQ-428).
  public var allowsGzip: Bool

  /// Makes a context.
  public init(
    now: HitTime, endpoint: String, userAgent: String, tracker: String = "", request: HitID = HitID(),
    consent: ConsentSnapshot = .granted, allowsGzip: Bool = true
  ) {
    self.now = now
    self.endpoint = endpoint
    self.userAgent = userAgent
    self.tracker = tracker
    self.request = request
    self.consent = consent
    self.allowsGzip = allowsGzip
  }
}

/// A hit that cannot be told in a protocol's words.
public struct EncodingError: Error, Sendable {
  /// A sentence without the hit's values.
  public var message: String

  /// Makes an error.
  public init(message: String) { self.message = message }
}
