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
  /// What an answer means for the hits of its request.
  func verdict(_ response: HTTPResponse, for hits: [HitID]) -> Verdict
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
  /// Seconds after which a hit is not worth sending; nil for the store's bound (HQ-531).
  public var maxAge: Int64?

  /// Makes traits.
  public init(dedupes: Bool, keepsRejected: Bool = true, maxAge: Int64? = nil) {
    self.dedupes = dedupes
    self.keepsRejected = keepsRejected
    self.maxAge = maxAge
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

  /// Makes a context.
  public init(now: HitTime, endpoint: String, userAgent: String) {
    self.now = now
    self.endpoint = endpoint
    self.userAgent = userAgent
  }
}

/// A hit that cannot be told in a protocol's words.
public struct EncodingError: Error, Sendable {
  /// A sentence without the hit's values.
  public var message: String

  /// Makes an error.
  public init(message: String) { self.message = message }
}
