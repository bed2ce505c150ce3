import Foundation
public import Hits

/// Beacons: one plain GET each, whose answer is never read (HQ-116).
///
/// A beacon is stored as the document `{"url":"…"}`. Its lane is `$beacon` with the URL's scheme, host and port as
/// endpoint, so that a host that is down holds up no other.
public struct BeaconProtocol: HitProtocol {
  /// The tracker and property of every beacon's lane.
  public static let lane = "$beacon"
  static let name = "beacon"

  /// Makes the protocol; it has no settings.
  public init() {}

  /// The name in the store's lane rows.
  public var name: String { Self.name }
  /// One beacon a request; a URL of at most 8,192 bytes.
  public let limits = BatchLimits(hits: 1, bytes: WebURL.longest, hitBytes: WebURL.longest)
  /// Nobody knows a beacon again, nobody looks at refused ones, and a day later nobody wants them.
  public let traits = DeliveryTraits(
    dedupes: false, keepsRejected: false, lateness: .maxAge(.seconds(86_400)), latePolicy: .drop)

  /// Beacons and nothing else.
  public func carries(_ kind: HitKind) -> Bool { kind == .beacon }

  /// The bytes of the URL.
  public func size(of hit: QueuedHit, at now: HitTime?) -> Int { Self.url(of: hit)?.utf8.count ?? 0 }

  /// A GET without cookies that follows five redirects.
  public func encode(_ hits: ArraySlice<QueuedHit>, _ context: EncodingContext) throws(EncodingError) -> HTTPRequest {
    guard let hit = hits.first, hits.count == 1, let url = Self.url(of: hit) else {
      throw EncodingError(message: "not one beacon")
    }
    return HTTPRequest(
      method: "GET", url: url, headers: ["User-Agent": context.userAgent], redirects: .follow(5))
  }

  /// 2xx and a last 3xx are delivered, 4xx is dropped, all else comes again.
  public func verdict(_ response: HTTPResponse, for hits: [HitID]) -> Verdict {
    switch response.status {
    case 200..<400: .settled()
    case 400..<500: .settled(rejected: Dictionary(hits.map { ($0, "HTTP \(response.status)") }, uniquingKeysWith: max))
    default: .retry(after: RetryAfter.read(response.headers))
    }
  }

  private struct Document: Codable {
    var url: String
  }

  /// The stored form of a beacon; nil for a URL that cannot be one.
  static func body(url: String) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    guard let document = try? encoder.encode(Document(url: url)) else { return nil }
    return [QueuedHit.documentMark] + document
  }

  static func url(of hit: QueuedHit) -> String? {
    guard !hit.isForm else { return nil }
    return try? JSONDecoder().decode(Document.self, from: Data(hit.content)).url
  }

  /// The lane of a URL: its scheme, host and port.
  static func lane(of url: String) -> LaneKey? {
    guard let origin = WebURL(url)?.origin else { return nil }
    return LaneKey(tracker: lane, property: lane, protocolName: name, endpoint: origin)
  }
}

extension WebURL {
  /// Scheme, host and port, as text.
  var origin: String { (isSecure ? "https://" : "http://") + host + (port.map { ":\($0)" } ?? "") }
}
