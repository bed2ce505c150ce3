import Hits

/// Where a tracker's hits go, and in which language.
public struct Destination: Sendable {
  /// The language.
  public var language: any HitProtocol
  /// The server's address, without a slash at its end.
  public var endpoint: String
  /// Whether http is allowed to hosts other than this machine (HQ-600).
  public var allowInsecure: Bool

  /// Makes a destination of any protocol.
  public init(protocol language: any HitProtocol, endpoint: String, allowInsecure: Bool = false) {
    self.language = language
    self.endpoint = endpoint
    while self.endpoint.hasSuffix("/") { self.endpoint.removeLast() }
    self.allowInsecure = allowInsecure
  }

  /// Makes a destination of Measurement Protocol v1; `/collect` and `/batch` are below the address (HQ-610).
  public static func measurementProtocol(_ endpoint: String, allowInsecure: Bool = false) -> Destination {
    Destination(protocol: MeasurementProtocol(), endpoint: endpoint, allowInsecure: allowInsecure)
  }

  /// Whether hits may go there: over https, or over http to this machine or where the app allows it.
  var isAllowed: Bool {
    guard let url = WebURL(endpoint), url.fragment == nil, language.accepts(endpoint: endpoint) else { return false }
    return url.isSecure || allowInsecure || url.isLoopback
  }

  func lane(tracker: String, property: String) -> LaneKey {
    LaneKey(tracker: tracker, property: property, protocolName: language.name, endpoint: endpoint)
  }
}
