/// The one clock port of all engines: wall time, and a clock that runs on while the device sleeps.
public protocol HitClock: Sendable {
  /// The time now, with all that a hit records of it (HQ-102).
  func now() -> HitTime

  /// Milliseconds since 1970 UTC.
  var wallMilliseconds: Int64 { get }

  /// Nanoseconds of a clock that never steps; only differences inside one boot have a meaning.
  var ageClock: UInt64 { get }

  /// Waits, by the age clock.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func sleep(for duration: Duration) async throws
}

extension HitClock {
  /// Milliseconds since 1970 UTC, read from `now()`.
  public var wallMilliseconds: Int64 { now().wallMilliseconds }

  /// Nanoseconds of the age clock, read from `now()`.
  public var ageClock: UInt64 { now().ageClock }
}
