public import Hits

/// The language of our own collector: a hit a line, each judged by its id (HQ-650 to HQ-666).
///
///     POST <base>/v1/hits   application/x-ndjson, gzip
///     Tagworks-Key, Tagworks-Request
///
/// A hit is stored once by its id, however often it is sent. The key is never in the store (HQ-600).
public struct CollectorProtocol: HitProtocol {
  private let key: String
  private let gzip: Bool

  /// Makes the protocol with the write key of the property.
  public init(key: String, gzip: Bool = true) {
    self.key = key
    self.gzip = gzip
  }

  static let name = "collector"
  /// The name in the store's lane rows.
  public var name: String { Self.name }
  /// 500 hits, 512 KiB a request, 32 KiB a hit.
  public let limits = BatchLimits(hits: 500, bytes: 524_288, hitBytes: HitLine.Limits.hit)
  /// The collector knows a hit again for 45 days; an older one is never sent (HQ-652).
  public let traits = DeliveryTraits(dedupes: true, maxAge: Int64(HitLine.Limits.dedupeDays) * 86_400)

  /// Everything but beacons.
  public func carries(_ kind: HitKind) -> Bool { kind != .beacon }

  /// Whether there is a key, and the address has no query.
  public func accepts(endpoint: String) -> Bool {
    !key.isEmpty && key.utf8.allSatisfy { 0x21..<0x7F ~= $0 } && WebURL(endpoint)?.query == nil
  }

  /// The bytes of the hit's line, or more where that could never fill a request.
  public func size(of hit: QueuedHit, at now: HitTime?) -> Int {
    // To write every line twice would be most of what a hit costs here.
    if let bound = HitLine.bound(of: hit), bound <= limits.bytes / limits.hits { return bound }
    var line: [UInt8] = []
    _ = HitLine.append(hit, tracker: nil, at: now ?? hit.created, to: &line)
    // The tracker's name, of at most 64 bytes that may all need an escape, is the lane's.
    return line.count + Self.tracker + (now == nil ? Self.numbers : 0)
  }

  /// The request for a batch, oldest first.
  public func encode(_ hits: ArraySlice<QueuedHit>, _ context: EncodingContext) throws(EncodingError) -> HTTPRequest {
    var body: [UInt8] = []
    // A line is less than twice as long as its form, mostly.
    body.reserveCapacity(2 * hits.reduce(0) { $0 + $1.body.count })
    for hit in hits {
      if !body.isEmpty { body.append(UInt8(ascii: "\n")) }
      guard HitLine.append(hit, tracker: context.tracker, at: context.now, to: &body) else {
        throw EncodingError(message: "hit \(hit.id) cannot be read")
      }
    }
    return HTTPRequest(
      method: "POST", url: context.endpoint + "/v1/hits",
      headers: [
        "Content-Type": "application/x-ndjson", "User-Agent": context.userAgent, "Accept": Acknowledgement.mediaType,
        "Tagworks-Key": key, "Tagworks-Request": context.request.description,
      ],
      body: body, gzip: gzip && context.allowsGzip)
  }

  /// Each hit as the acknowledgement judges it; 2xx without one is no answer.
  public func verdict(_ response: HTTPResponse, for hits: [HitID]) -> Verdict {
    guard 200..<300 ~= response.status else { return .ofFailure(response) }
    return Acknowledgement(response.body)?.verdict(for: hits) ?? .retry(after: nil)
  }

  private static let tracker = 13 + 64 * 2
  /// A sequence, a time and an age of the most digits, with their names.
  private static let numbers = 27 + 24 + 24
}

extension Destination {
  /// A destination of our own collector (HQ-650); `/v1/hits` is below the address.
  public static func collector(_ base: String, key: String, allowInsecure: Bool = false) -> Destination {
    Destination(protocol: CollectorProtocol(key: key), endpoint: base, allowInsecure: allowInsecure)
  }
}
