/// The language of a lane that no tracker of this process has named (HQ-600).
enum LaneLanguage {
  /// The language of a lane by what the store knows of it; nil when it needs a secret, or is not known.
  static func withoutSecret(_ lane: LaneKey) -> (any HitProtocol)? {
    switch lane.protocolName {
    case MeasurementProtocol.name: MeasurementProtocol()
    case BeaconProtocol.name: BeaconProtocol()
    default: nil
    }
  }

  /// The language of a lane whose secret was found elsewhere; an empty one stands for a Matomo server without a token.
  static func of(protocolName: String, endpoint: String, secret: String) -> (any HitProtocol)? {
    switch protocolName {
    case GA4Protocol.name: GA4Protocol(endpoint: endpoint, secret: secret)
    case MatomoProtocol.name: MatomoProtocol(token: secret.isEmpty ? nil : secret)
    case CollectorProtocol.name: secret.isEmpty ? nil : CollectorProtocol(key: secret)
    default: nil
    }
  }
}
