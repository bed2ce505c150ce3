/// The part of a sink that decides when hits leave (HQ-400 to HQ-408).
public protocol HitDispatcher: Sendable {
  /// Seconds between two automatic passes: 120 unless set; below 1, only a call sends.
  var dispatchInterval: Double { get nonmutating set }
  /// Starts a pass and returns at once.
  func dispatch()
  /// Makes at most one request and tells how it went.
  func dispatchNext() async -> DispatchReport
}

/// How one dispatch went; the raw values are the original SDK's.
public enum DispatchResult: Int, Sendable, Hashable {
  /// Nothing may be sent now.
  case noData = 0
  /// One request was answered and settled.
  case good = 1
  /// The request failed, its answer settles nothing, or the store failed.
  case error = 2
}

/// What a dispatch did.
public struct DispatchReport: Sendable, Hashable {
  /// The result in the original's three words.
  public var result: DispatchResult
  /// Hits that were in requests.
  public var sent: Int
  /// Hits the server took.
  public var accepted: Int
  /// Hits the server refused for good.
  public var rejected: Int
  /// Hits still in the store.
  public var remaining: Int
  /// Why there was nothing to send, or what failed.
  public var reason: Reason?
  /// How long until another try can succeed.
  public var nextEligible: Duration?

  /// Makes a report.
  public init(
    result: DispatchResult, sent: Int = 0, accepted: Int = 0, rejected: Int = 0, remaining: Int = 0,
    reason: Reason? = nil, nextEligible: Duration? = nil
  ) {
    self.result = result
    self.sent = sent
    self.accepted = accepted
    self.rejected = rejected
    self.remaining = remaining
    self.reason = reason
    self.nextEligible = nextEligible
  }

  /// Why there was nothing to send, or what failed: an open set of names.
  public struct Reason: Sendable, Hashable, RawRepresentable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a reason of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing waits.
    public static let empty = Reason(rawValue: "empty")
    /// No network.
    public static let offline = Reason(rawValue: "offline")
    /// The person opted out.
    public static let optedOut = Reason(rawValue: "optedOut")
    /// The app lets nothing leave.
    public static let dryRun = Reason(rawValue: "dryRun")
    /// Another process sends this lane.
    public static let busy = Reason(rawValue: "busy")
    /// A server asked to wait, or a lane is parked.
    public static let waiting = Reason(rawValue: "waiting")
    /// The request failed on its way.
    public static let network = Reason(rawValue: "network")
    /// The server's answer settles nothing.
    public static let server = Reason(rawValue: "server")
    /// The store failed.
    public static let store = Reason(rawValue: "store")
    /// The work was cancelled.
    public static let cancelled = Reason(rawValue: "cancelled")
    /// The destination of the hits is not known in this process.
    public static let noDestination = Reason(rawValue: "noDestination")
  }
}
