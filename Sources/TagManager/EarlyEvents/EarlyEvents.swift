/// What becomes of events that come before a container is ready (TM-560).
public enum EarlyEvents: Sendable, Hashable {
  /// They wait for it: so many, so long; the oldest are lost first.
  case buffer(limit: Int, maximumAge: Duration)
  /// A container that is not open misses them, as in the original SDK.
  case discard

  /// 100 events, a minute.
  public static let standard = EarlyEvents.buffer(limit: 100, maximumAge: .seconds(60))
}
