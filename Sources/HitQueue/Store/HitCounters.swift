/// What happened to all hits of a store since it was made, by name and lane (HQ-900).
///
/// Conservation (HQ-901): accepted = delivered + all `dropped.…` + hits in the store + hits in memory.
public struct HitCounters: Sendable, Hashable {
  /// A counter's name: an open set.
  public struct Name: Sendable, Hashable, RawRepresentable, Comparable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Orders names by their text.
    public static func < (left: Name, right: Name) -> Bool { left.rawValue < right.rawValue }

    /// Hits taken in.
    public static let accepted = Name(rawValue: "accepted")
    /// Hits a server took.
    public static let delivered = Name(rawValue: "delivered")
    /// Hits of which a server said that it had them.
    public static let duplicatesAcked = Name(rawValue: "duplicatesAcked")
    /// Requests made.
    public static let requests = Name(rawValue: "requests")
    /// Requests that settled nothing.
    public static let requestsFailed = Name(rawValue: "requests.failed")
    /// Bytes of bodies before compression.
    public static let bodyBytes = Name(rawValue: "bytes.body")
    /// Bytes of bodies as they were sent.
    public static let wireBytes = Name(rawValue: "bytes.wire")
    /// Hits that were in a request again.
    public static let retries = Name(rawValue: "retries")
    /// Hits sent again to a server that cannot know them again.
    public static let maybeDuplicate = Name(rawValue: "maybeDuplicate")
    /// Hits that wait for a token of their tracker's rate limit (HQ-261).
    public static let delayed = Name(rawValue: "delayed")
    /// Hits that a server took when they were late.
    public static let sentLate = Name(rawValue: "sentLate")
    /// Hits sent without an age, for nobody can know it (HQ-545).
    public static let clockUnknown = Name(rawValue: "clockUnknown")
    /// Hits that a server refused without saying which (HQ-641).
    public static let rejectedUnknown = Name(rawValue: "rejectedUnknown")
    /// Values left out because they are none.
    public static let valuesRefused = Name(rawValue: "values.refused")
    /// Texts cut to their limit.
    public static let valuesTruncated = Name(rawValue: "values.truncated")

    /// Times that the store was damaged.
    public static let damageEvents = Name(rawValue: "damage.events")
    /// Hits that were read back out of a damaged store.
    public static let damageSalvaged = Name(rawValue: "damage.salvaged")
    /// Hits that could not be read back.
    public static let damageUnreadable = Name(rawValue: "damage.unreadable")

    /// Hits that were taken in and will never be delivered, by reason (HQ-802).
    public static func dropped(_ reason: DropReason) -> Name { Name(rawValue: "dropped." + reason.rawValue) }
    /// Hits that were not taken in, by reason (HQ-801).
    public static func refused(_ reason: String) -> Name { Name(rawValue: "refused." + reason) }
  }

  /// The values by name and lane; lane 0 holds what belongs to none.
  public var byLane: [Name: [Int64: Int64]]

  /// Makes counters.
  public init(byLane: [Name: [Int64: Int64]] = [:]) { self.byLane = byLane }

  /// The sum over all lanes.
  public subscript(name: Name) -> Int64 { byLane[name]?.values.reduce(0, +) ?? 0 }

  /// Hits that must be in the store, by all that became of the others.
  var present: Int64 { self[.accepted] - self[.delivered] - dropped - self[.damageUnreadable] }

  /// The sum over all drop reasons.
  public var dropped: Int64 {
    byLane.keys.filter { $0.rawValue.hasPrefix("dropped.") }.reduce(0) { $0 + self[$1] }
  }
}

/// Why a hit that was taken in is gone (HQ-802).
public enum DropReason: String, Sendable, Hashable, CaseIterable {
  case optedOut
  case consentDenied
  case pendingFull
  case expired
  case evicted
  case late
  case rejected
  case tooLarge
  case damaged
  case diskFull
  case uncertain
  case purged
}
