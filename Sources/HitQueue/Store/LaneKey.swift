/// What identifies a lane: the queue of one tracker and destination.
///
/// It goes with every hit, so it is one reference.
package struct LaneKey: Sendable, Hashable {
  private final class Parts: Sendable {
    let tracker: String
    let property: String
    let protocolName: String
    let endpoint: String

    init(tracker: String, property: String, protocolName: String, endpoint: String) {
      self.tracker = tracker
      self.property = property
      self.protocolName = protocolName
      self.endpoint = endpoint
    }
  }

  private let parts: Parts

  package init(tracker: String, property: String, protocolName: String, endpoint: String) {
    parts = Parts(tracker: tracker, property: property, protocolName: protocolName, endpoint: endpoint)
  }

  package var tracker: String { parts.tracker }
  package var property: String { parts.property }
  /// The name of the protocol.
  package var protocolName: String { parts.protocolName }
  package var endpoint: String { parts.endpoint }

  package static func == (left: LaneKey, right: LaneKey) -> Bool {
    left.parts === right.parts
      || (left.tracker == right.tracker && left.property == right.property && left.protocolName == right.protocolName
        && left.endpoint == right.endpoint)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(tracker)
    hasher.combine(property)
    hasher.combine(protocolName)
    hasher.combine(endpoint)
  }
}
