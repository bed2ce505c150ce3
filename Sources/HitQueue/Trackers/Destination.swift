import Hits

/// Where a tracker's hits go, and in which language.
public struct Destination: Sendable {
  /// The language.
  public var language: any HitProtocol
  /// The server's address, without a slash at its end.
  public var endpoint: String
  /// Whether http is allowed to hosts other than this machine (HQ-600).
  public var allowInsecure: Bool

  /// When hits are late; nil for what the protocol says (HQ-530).
  public var lateness: LatenessRule?
  /// What becomes of late hits; nil for what the protocol says.
  public var latePolicy: LatePolicy?
  /// The zone of the reports, such as `Europe/Berlin`; nil for that in which a hit was made (HQ-512).
  public var reportZone: String?
  /// What becomes of hits that may have arrived, where the server cannot know them again (HQ-423).
  public var onUncertain = UncertainPolicy.resend

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

  var terms: DeliveryTerms {
    let traits = language.traits
    return DeliveryTerms(
      lateness: lateness ?? traits.lateness, latePolicy: latePolicy ?? traits.latePolicy, reportZone: reportZone,
      onUncertain: onUncertain)
  }

  func lane(tracker: String, property: String) -> LaneKey {
    LaneKey(tracker: tracker, property: property, protocolName: language.name, endpoint: endpoint)
  }
}
