/// When a break plays.
public enum BreakTime: Sendable, Hashable, Codable, Comparable {
  /// Before content.
  case preroll
  /// At a content time, in milliseconds.
  case midroll(Int64)
  /// After content.
  case postroll

  /// The seconds by which apps know it: 0, the time, −1 (VA-520).
  public var seconds: Double {
    switch self {
    case .preroll: 0
    case .midroll(let time): Double(time) / 1_000
    case .postroll: -1
    }
  }

  /// The last content time it is due by; nil for a post-roll.
  var milliseconds: Int64? {
    switch self {
    case .preroll: 0
    case .midroll(let time): time
    case .postroll: nil
    }
  }
}
