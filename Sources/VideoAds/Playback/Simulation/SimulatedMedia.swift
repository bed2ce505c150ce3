/// How a simulated media file behaves (VA-1103).
///
/// Times are milliseconds; those of stalls, failure and end are of media time.
struct SimulatedMedia: Sendable, Hashable {
  /// A stop of the media while more of it would be loaded.
  struct Stall: Sendable, Hashable {
    var at: Int64
    var lasts: Int64
  }

  /// Where and how it fails.
  struct Failure: Sendable, Hashable {
    /// 0 is before the first frame.
    var at: Int64
    var kind: PlayerFailure
  }

  var duration: Int64 = 10_000
  /// From load to the moment it could play.
  var readyDelay: Int64 = 0
  /// From play, once ready, to the first frame.
  var frameDelay: Int64 = 0
  var stalls: [Stall] = []
  var failure: Failure?
  /// Where a cut file ends; nil for at its duration.
  var end: Int64?
  /// The time between two positions.
  var tick: Int64 = 250
}
