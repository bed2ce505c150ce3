/// What the device is connected by.
public enum NetworkState: Sendable, Hashable {
  case offline
  case wired
  case wifi
  case cellular
  case unknown
}

/// The optional port that tells whether there is a network; without one, engines assume there is (HQ-413).
public protocol Connectivity: Sendable {
  /// The state now.
  var state: NetworkState { get }
  /// Whether data costs money.
  var isMetered: Bool { get }
  /// The states as they change, from now on.
  var changes: AsyncStream<NetworkState> { get }
}

extension Connectivity {
  /// Whether a request is worth trying.
  public var isOnline: Bool { state != .offline }
}
