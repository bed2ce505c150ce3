/// How a simulated media file behaves (VA-1103).
///
/// Times are milliseconds; those of stalls, failure and end are of media time.
public struct SimulatedMedia: Sendable, Hashable {
  /// A stop of the media while more of it would be loaded.
  public struct Stall: Sendable, Hashable {
    /// Where.
    public var at: Int64
    /// How long.
    public var lasts: Int64

    /// Makes a stall.
    public init(at: Int64, lasts: Int64) {
      self.at = at
      self.lasts = lasts
    }
  }

  /// Where and how it fails.
  public struct Failure: Sendable, Hashable {
    /// 0 is before the first frame.
    public var at: Int64
    /// How.
    public var kind: PlayerFailure

    /// Makes a failure.
    public init(at: Int64, kind: PlayerFailure) {
      self.at = at
      self.kind = kind
    }
  }

  /// Its duration.
  public var duration: Int64
  /// From load to the moment it could play; nil for never.
  public var readyDelay: Int64?
  /// From play, once ready, to the first frame.
  public var frameDelay: Int64
  /// The picture's size; nil for sound alone.
  public var size: AdSize?
  /// Where it stops for a while.
  public var stalls: [Stall]
  /// Where and how it fails.
  public var failure: Failure?
  /// Where a cut file ends; nil for at its duration.
  public var end: Int64?
  /// The time between two positions.
  public var tick: Int64

  /// Makes media of ten seconds that plays at once, or as the arguments say.
  public init(
    duration: Int64 = 10_000, readyDelay: Int64? = 0, frameDelay: Int64 = 0,
    size: AdSize? = AdSize(width: 640, height: 360), stalls: [Stall] = [], failure: Failure? = nil, end: Int64? = nil,
    tick: Int64 = 250
  ) {
    self.duration = duration
    self.readyDelay = readyDelay
    self.frameDelay = frameDelay
    self.size = size
    self.stalls = stalls
    self.failure = failure
    self.end = end
    self.tick = tick
  }
}
