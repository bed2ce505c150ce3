import Hits

/// A hit on its way into the store.
struct HitRow: Sendable {
  var lane: LaneKey
  var id: HitID
  var kind: HitKind
  var priority: HitPriority
  var purposes: ConsentPurposes
  var consent: ConsentSnapshot
  var created: HitTime
  /// Seconds after which the hit is not worth sending; nil for the store's bound.
  var maxAge: Int64?
  /// Held hits wait for consent (HQ-222).
  var state = HitState.ready
  /// The wall time in milliseconds before which the hit stays; nil for none (HQ-261).
  var notBefore: Int64?
  /// The form of the bytes and the bytes (HQ-305).
  var body: [UInt8]
  /// Counted when the row is committed: what hygiene did to the hit's values.
  var truncatedValues = 0
  var refusedValues = 0

  /// What the row takes of the store's bound (HQ-305).
  var bytes: Int { body.count + 96 }
}

/// A committed hit.
struct StoredHit: Sendable {
  var lane: Int64
  /// Its place in the order of the store; nil when it was not taken in.
  var sequence: Int64?
  /// The wall time in milliseconds before which it stays.
  var notBefore: Int64?
  /// Why it was not: the store is full (HQ-331), or the person does not allow it any more.
  var refusal: Refusal?
}

extension HitKind {
  /// The number of the kind in the store.
  var storedCode: Int64 {
    switch self {
    case .screenView: 1
    case .pageView: 2
    case .event: 3
    case .exception: 4
    case .timing: 5
    case .social: 6
    case .transaction: 7
    case .item: 8
    case .custom: 9
    case .beacon: 10
    }
  }

  /// The name of a number in the store; nil for one that no version has given.
  static func name(ofStoredCode code: Int64) -> String? {
    let names = [
      "screenview", "pageview", "event", "exception", "timing", "social", "transaction", "item", "custom", "beacon",
    ]
    return names.indices.contains(Int(clamping: code) - 1) ? names[Int(code) - 1] : nil
  }
}
