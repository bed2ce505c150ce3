import Hits

/// A lane as the store knows it.
package struct LaneRow: Sendable, Hashable {
  package typealias ID = Int64

  package var id: Int64
  package var key: LaneKey
  /// What holds it back.
  package var rest: LaneRest
  /// The sequence of its oldest hit that may be sent; nil when there is none.
  package var oldest: Int64?
  /// Without one, the wall time in milliseconds at which the first hit may be sent that waits for its time.
  package var opensAt: Int64?
  /// The sequence up to which hits were looked for.
  package var line: Int64
}

/// What a lane has learnt from its server; it outlives the process (HQ-430).
package struct LaneRest: Sendable, Hashable {
  /// Failing answers in a row.
  package var failures = 0
  /// Wall time in milliseconds until which it rests.
  package var until: Int64?
  /// Why it rests.
  package var cause: LaneCause?
  /// The most hits its server takes at once, when that is fewer than the protocol's (HQ-428).
  package var batchLimit: Int?

  package init(failures: Int = 0, until: Int64? = nil, cause: LaneCause? = nil, batchLimit: Int? = nil) {
    self.failures = failures
    self.until = until
    self.cause = cause
    self.batchLimit = batchLimit
  }
}

/// Why a lane rests: an open set of names, as they stand in the store.
package struct LaneCause: RawRepresentable, Sendable, Hashable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// A request or an answer failed; a manual dispatch tries all the same (HQ-411).
  package static let backOff = LaneCause(rawValue: "backoff")
  /// The server asked to wait.
  package static let retryAfter = LaneCause(rawValue: "retryAfter")
  /// Another process sends the lane's hits.
  package static let busy = LaneCause(rawValue: "busy")

  /// A cause of parking.
  package init(_ cause: ParkCause) { rawValue = cause.rawValue }

  /// The cause, when it is one of parking.
  var parkCause: ParkCause? {
    [.backOff, .retryAfter, .busy].contains(self) ? nil : ParkCause(rawValue: rawValue)
  }
}
