import Hits

/// The lease of a batch: its hits are named in the lane's row until they are settled or released (HQ-422).
struct Claim: Sendable {
  var lane: Int64
  /// The id of the request.
  var request: HitID
  /// The hits in the order of the wire.
  var hits: [QueuedHit]
  /// Those of them that are late.
  var late: Set<HitID> = []
  /// The moment of the claim, against which the batch was measured and is encoded.
  var now: HitTime

  /// What the lane's row says of it.
  var inFlight: [UInt8] { InFlight(request: request, sequences: hits.map(\.sequence)).bytes }
}

/// Which hits a claim may take.
struct ClaimScope: Sendable, Equatable {
  /// At most so many; the lane's learnt limit.
  var hits: Int
  /// Only these sequences, while a refused batch is taken apart; nil for all.
  var sequences: ClosedRange<Int64>?
}

/// What becomes of a claim's hits and of their lane.
struct ClaimDecision: Sendable, Equatable {
  /// Refused hits with the server's codes.
  var rejected: [HitID: String] = [:]
  /// How many of the others the server refused without saying which.
  var unknownRejections = 0
  /// How many of the others the server had already.
  var duplicates = 0
  /// Hits to be sent again later.
  var deferred: Set<HitID> = []
  /// The wall time in milliseconds before which deferred hits stay.
  var notBefore: Int64 = 0
  /// Why the only hit goes to quarantine.
  var quarantine: DropReason?
  /// Hits that come back from quarantine, for it was not they (HQ-432).
  var restored: [Int64] = []
  /// Whether the server may have got the hits without saying so (HQ-423).
  var isUncertain = false
  /// Whether no request was made.
  var isUnsent = false
  /// What the lane has learnt.
  var rest: LaneRest
}

/// The bytes of a request (HQ-900).
struct Traffic: Sendable, Hashable {
  var body = 0
  var wire = 0
}
