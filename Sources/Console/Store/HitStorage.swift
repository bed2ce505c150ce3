/// The port by which the collector keeps hits (HQ-720); one contract suite runs on every implementation.
package protocol HitStorage: Sendable {
  /// Stores hits and refusals, all or nothing, durable on return.
  ///
  /// - Returns: for each hit, in order, whether it is new; of one id that comes twice, the first is.
  func store(_ hits: [IntakeHit], rejected: [RejectedHit]) async throws(StorageError) -> [StoredHit]

  /// Reads hits in the order of their positions, above a position.
  func scan(after position: Int64, limit: Int) async throws(StorageError) -> [PositionedHit]

  /// Removes the oldest hits of each property that are beyond its bounds (CO-702); their ids are known for as long as the
  /// dedupe window lasts, and others are forgotten (HQ-711).
  ///
  /// It gives way to hits that come in meanwhile.
  ///
  /// - Returns: how many hits were removed.
  func purge(by policy: RetentionPolicy) async throws(StorageError) -> Int

  /// Removes the hits of a client id, and refused ones that name it, from one property or from all (CO-703).
  ///
  /// - Returns: how many were removed.
  func purge(client: String, property: String?) async throws(StorageError) -> Int

  /// Whether there is room for more (HQ-725); cheap.
  func health() -> StorageHealth
}

/// What became of one hit.
package enum StoredHit: Sendable, Hashable {
  /// New, at this position.
  case inserted(Int64)
  /// The id was known.
  case duplicate
}

/// A stored hit with its place.
package struct PositionedHit: Sendable, Hashable {
  /// Rises with each hit, and is never used again.
  package var position: Int64
  package var hit: IntakeHit

  package init(position: Int64, hit: IntakeHit) {
    self.position = position
    self.hit = hit
  }
}

/// The state of a storage.
package enum StorageHealth: Sendable, Hashable {
  case good
  /// The disk is below its reserve.
  case full
}

/// Why hits could not be stored or read; the text holds no user data.
package struct StorageError: Error, Sendable {
  /// What went wrong: an open set.
  package struct Code: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Try again soon.
    package static let busy = Code(rawValue: "busy")
    /// There is no room.
    package static let full = Code(rawValue: "full")
    /// The storage does not work.
    package static let failed = Code(rawValue: "failed")
  }

  package var code: Code
  package var message: String
  package var cause: (any Error)?

  package init(code: Code, message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}
