public import Hits

/// What an answer means (HQ-428).
public enum Verdict: Sendable, Equatable {
  /// Every hit has been judged: the rejected ones with a code, the deferred ones to be sent again, all others taken.
  /// `unknown` counts those among the others that the server refused without saying which (HQ-641).
  case settled(
    rejected: [HitID: String] = [:], duplicates: Set<HitID> = [], deferred: Set<HitID> = [], unknown: Int = 0)
  /// Later, the same again; the time when the server gave one.
  case retry(after: Duration?)
  /// Nothing of this lane will work for a while, doubling with each such answer.
  case park(ParkCause, Duration)
  /// Too much at once.
  case shrink
  /// Some hit of the request is refused, and the answer does not tell which (HQ-431).
  case isolate
  /// The server does not take compressed bodies.
  case withoutGzip
}

/// Why a lane rests: an open set of names, as they stand in the store.
public struct ParkCause: Sendable, Hashable, RawRepresentable {
  /// The name.
  public let rawValue: String

  /// Makes a cause of a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The server does not accept the credentials.
  public static let auth = ParkCause(rawValue: "auth")
  /// The server does not know the address.
  public static let endpoint = ParkCause(rawValue: "endpoint")
  /// The server wants the hits elsewhere.
  public static let redirect = ParkCause(rawValue: "redirect")
  /// The server refuses every hit (HQ-432).
  public static let allRejected = ParkCause(rawValue: "allRejected")
}

extension Verdict {
  /// Reads the status of an answer that is not 2xx, by the table of HQ-428.
  static func ofFailure(_ response: HTTPResponse) -> Verdict {
    switch response.status {
    case 300..<400: .park(.redirect, .seconds(3600))
    case 401, 403, 407: .park(.auth, .seconds(900))
    case 404, 405, 410, 501, 505: .park(.endpoint, .seconds(3600))
    case 408, 425, 429: .retry(after: RetryAfter.read(response.headers))
    case 413, 414, 431: .shrink
    case 415: .withoutGzip
    case 400..<500: .isolate
    default: .retry(after: RetryAfter.read(response.headers))
    }
  }
}
