/// Tells where content is (VA-1104).
@MainActor
public protocol ContentPlayhead: AnyObject, Sendable {
  /// Seconds; NaN or negative when it is not known, and then no break is due.
  var currentTime: Double { get }
  /// Seconds; nil while it is not known.
  var duration: Double? { get }
  /// Whether content runs.
  var isPlaying: Bool { get }
  /// The times as they change; nil for a playhead that is asked for them five times a second.
  var changes: AsyncStream<Double>? { get }
}

extension ContentPlayhead {
  /// Not known.
  public var duration: Double? { nil }
  /// Yes.
  public var isPlaying: Bool { true }
  /// None: it is asked.
  public var changes: AsyncStream<Double>? { nil }
}

/// A playhead that an app sets.
@MainActor
public final class ManualContentPlayhead: ContentPlayhead {
  /// Seconds.
  public var currentTime: Double
  /// Seconds; nil while it is not known.
  public var duration: Double?
  /// Whether content runs.
  public var isPlaying = true

  /// Makes a playhead at a time.
  public init(currentTime: Double = 0, duration: Double? = nil) {
    self.currentTime = currentTime
    self.duration = duration
  }
}
