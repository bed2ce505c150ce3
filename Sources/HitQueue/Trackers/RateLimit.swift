import Hits

/// How many hits of a tracker go out in a burst (HQ-260, HQ-261).
///
/// Each hit of normal priority takes a token; the bucket holds `capacity`, is full at the start, and gets `perSecond` new
/// ones.
public enum RateLimit: Sendable, Hashable {
  /// Takes every hit at once.
  case off
  /// Refuses a hit for which there is no token, with `rateLimited`, as the original did.
  case drop(capacity: Int = 60, perSecond: Double = 0.5)
  /// Stores every hit at once and sends it when its token is there; with more than 3,600 hits waiting for theirs, refuses.
  case delay(capacity: Int = 60, perSecond: Double = 0.5)

  /// What a tracker has unless set: `delay` towards Google's servers, which count hits, `off` towards all others.
  static func standard(for destination: Destination) -> RateLimit {
    guard destination.language is MeasurementProtocol, let host = WebURL(destination.endpoint)?.host else {
      return .off
    }
    let isGoogle = ["google-analytics.com", "google.com"].contains { host == $0 || host.hasSuffix("." + $0) }
    return isGoogle ? .delay() : .off
  }
}

/// A bucket of tokens on the age clock: it does not care what the wall clock does (HQ-260).
///
///     tokens(now) = min(capacity, tokens(then) + (now - then) × perSecond)     below 0: hits that wait for theirs
struct TokenBucket: Sendable {
  /// What becomes of a hit.
  enum Decision: Sendable, Hashable {
    case pass
    /// Its token comes after so many nanoseconds.
    case wait(UInt64)
    case refuse
  }

  /// The most hits that wait for their tokens.
  static let longestQueue = 3_600

  private let limit: RateLimit
  private let capacity: Double
  private let perSecond: Double
  private var tokens: Double
  private var then: UInt64?

  /// Makes a full bucket; a limit that is none lets everything pass.
  init(_ limit: RateLimit) {
    switch limit {
    case .off: (capacity, perSecond) = (0, 0)
    case .drop(let capacity, let perSecond), .delay(let capacity, let perSecond):
      self.capacity = Double(max(capacity, 0))
      self.perSecond = perSecond.isFinite ? max(perSecond, 0) : 0
    }
    self.limit = limit
    tokens = capacity
  }

  /// Takes a token for a hit made at a time of the age clock.
  mutating func take(at now: UInt64) -> Decision {
    if let then, now > then { tokens = min(capacity, tokens + Double(now - then) / 1e9 * perSecond) }
    then = max(then ?? 0, now)
    // A whole token's worth of rounding errors is far more than a year of additions makes.
    let isThere = tokens >= 1 - 1e-6
    switch limit {
    case .off: return .pass
    case .drop:
      guard isThere else { return .refuse }
      tokens -= 1
      return .pass
    case .delay:
      guard isThere || (perSecond > 0 && tokens >= 1 - Double(Self.longestQueue) - 1e-6) else { return .refuse }
      tokens -= 1
      // A century is the longest that anybody waits.
      return isThere ? .pass : .wait(UInt64(min(-tokens / perSecond * 1e9, 3e18)))
    }
  }
}
