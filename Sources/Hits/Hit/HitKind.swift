/// What a hit reports (HQ-110).
public enum HitKind: Sendable, Hashable {
  case screenView
  case pageView
  case event
  case exception
  case timing
  case social
  case transaction
  case item
  /// An event of its own name with free parameters; GA4 and our collector carry it.
  case custom(String)
  /// One plain GET of an absolute URL; the answer is never read (HQ-116).
  case beacon
}

extension HitKind {
  /// The kind's value of `t` on the wire; nil where Measurement Protocol v1 has none.
  public var wireName: String? {
    switch self {
    case .screenView: "screenview"
    case .pageView: "pageview"
    case .event: "event"
    case .exception: "exception"
    case .timing: "timing"
    case .social: "social"
    case .transaction: "transaction"
    case .item: "item"
    case .custom, .beacon: nil
    }
  }

  /// Reads a value of `t`; `appview` is an old name of `screenview`.
  public init?(wireName: String) {
    switch wireName {
    case "screenview", "appview": self = .screenView
    case "pageview": self = .pageView
    case "event": self = .event
    case "exception": self = .exception
    case "timing": self = .timing
    case "social": self = .social
    case "transaction": self = .transaction
    case "item": self = .item
    default: return nil
    }
  }
}
