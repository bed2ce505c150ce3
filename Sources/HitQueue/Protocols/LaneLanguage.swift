extension Analytics {
  /// Serves a lane of an earlier run, or of another process, with a secret that was found elsewhere (HQ-910).
  ///
  /// - Returns: false when the lane's protocol needs none, or cannot work with this one.
  package func serve(_ lane: LaneSummary, secret: String) -> Bool {
    let language = LaneLanguage.of(protocolName: lane.protocolName, endpoint: lane.endpoint, secret: secret)
    guard let language else { return false }
    couriers.add(
      Destination(protocol: language, endpoint: lane.endpoint),
      for: LaneKey(
        tracker: lane.tracker, property: lane.property, protocolName: lane.protocolName, endpoint: lane.endpoint))
    return true
  }
}

extension LaneSummary {
  /// Whether requests of this lane carry a secret that the store does not have (HQ-600).
  package var needsSecret: Bool {
    [GA4Protocol.name, MatomoProtocol.name, CollectorProtocol.name].contains(protocolName)
  }
}

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
