import Foundation
public import Hits

/// Matomo's bulk tracking (HQ-640, HQ-641).
///
///     POST <base>/matomo.php   application/json
///     {"requests":["?idsite=…", …], "token_auth":"…"}     oldest first
///
/// Item hits are told with the transaction before them in the same request. The token lets hits be older than a day; it
/// is never in the store (HQ-600).
public struct MatomoProtocol: HitProtocol {
  private let token: String?
  private let batch: Int
  private let gzip: Bool

  /// Makes the protocol.
  ///
  /// - Parameters:
  ///   - token: the `token_auth` of a user who may write; nil for none.
  ///   - batch: hits in one request, 1 to 200.
  ///   - gzip: whether requests are compressed; the server must be set up for it.
  public init(token: String? = nil, batch: Int = 50, gzip: Bool = false) {
    self.token = token
    self.batch = min(max(batch, 1), 200)
    self.gzip = gzip
  }

  static let name = "matomo"
  /// The name in the store's lane rows.
  public var name: String { Self.name }
  /// 50 hits unless set otherwise, 512 KiB a request, 8 KiB a hit.
  public var limits: BatchLimits { BatchLimits(hits: batch, bytes: 524_288, hitBytes: 8_192) }
  /// Nobody knows a hit again; without a token, hits of yesterday are not taken (HQ-531).
  public var traits: DeliveryTraits {
    DeliveryTraits(dedupes: false, lateness: token == nil ? .maxAge(.seconds(86_400)) : .none, latePolicy: .drop)
  }

  /// Everything but custom hits and beacons (HQ-115).
  public func carries(_ kind: HitKind) -> Bool { kind.wireName != nil }

  /// The bytes of the hit's request, in quotes.
  public func size(of hit: QueuedHit, at now: HitTime?) -> Int {
    guard let content = HitContent(hit) else { return 0 }
    let query = MatomoQuery(hit: hit, content: content, items: [], now: now ?? hit.created, userAgent: "").bytes
    // An item told with its transaction takes less than one told alone: the list of items in percent escapes.
    return query.count + Self.overhead
  }

  /// The request for a batch.
  public func encode(_ hits: ArraySlice<QueuedHit>, _ context: EncodingContext) throws(EncodingError) -> HTTPRequest {
    let contents = hits.map(HitContent.init)
    let items = TransactionItems(contents)
    var writer = JSONWriter()
    writer.put("{\"requests\":[")
    for (index, hit) in hits.enumerated() where !items.isItemOfOther(index) {
      guard let content = contents[index] else { throw EncodingError(message: "hit \(hit.id) cannot be read") }
      if index > 0 { writer.put(",") }
      let query = MatomoQuery(
        hit: hit, content: content, items: items.items(of: index), now: context.now, userAgent: context.userAgent)
      // Percent-encoded: nothing in it needs an escape of JSON.
      writer.put("\"")
      writer.put(query.bytes)
      writer.put("\"")
    }
    writer.put("]")
    if let token {
      writer.put(",\"token_auth\":")
      writer.write(token)
    }
    writer.put("}")
    return HTTPRequest(
      method: "POST", url: context.endpoint + "/matomo.php",
      headers: ["Content-Type": "application/json", "User-Agent": context.userAgent], body: writer.bytes,
      gzip: gzip && context.allowsGzip)
  }

  /// Settles all but what the answer names by its place.
  public func verdict(_ response: HTTPResponse, for hits: ArraySlice<QueuedHit>) -> Verdict {
    let items = TransactionItems(hits.map(HitContent.init))
    let ids = hits.map(\.id)
    return verdict(response, groups: ids.indices.filter { !items.isItemOfOther($0) }.map { items.group(of: $0) }, ids)
  }

  /// As for hits of which none is told with another.
  public func verdict(_ response: HTTPResponse, for hits: [HitID]) -> Verdict {
    verdict(response, groups: hits.indices.map { [$0] }, hits)
  }

  private struct Answer: Decodable {
    var status: String
    var invalid: Int?
    var invalidPlaces: [Int]?

    private enum CodingKeys: String, CodingKey {
      case status
      case invalid
      case invalidPlaces = "invalid_indices"
    }
  }

  private func verdict(_ response: HTTPResponse, groups: [[Int]], _ ids: [HitID]) -> Verdict {
    guard 200..<300 ~= response.status else { return .ofFailure(response) }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body)), answer.status == "success"
    else { return .retry(after: nil) }
    let named = (answer.invalidPlaces ?? []).filter(groups.indices.contains)
    let rejected = named.flatMap { groups[$0] }.map { (ids[$0], "invalid") }
    let unknown = answer.invalidPlaces == nil ? min(max(answer.invalid ?? 0, 0), ids.count) : 0
    return .settled(rejected: Dictionary(rejected, uniquingKeysWith: { first, _ in first }), unknown: unknown)
  }

  /// Quotes, a comma, and the user agent of a request.
  private static let overhead = 3 + 256
}

extension Destination {
  /// A destination of a Matomo server (HQ-640); `/matomo.php` is below the address.
  public static func matomo(_ base: String, token: String? = nil) -> Destination {
    Destination(protocol: MatomoProtocol(token: token), endpoint: base)
  }
}
