public import Hits

/// Which hits of a store to look at.
public struct HitQuery: Sendable, Hashable {
  /// What a hit waits for.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// To be sent.
    case ready
    /// Consent.
    case held
    /// The answer to its request.
    case inflight
    /// A person: the server refused it.
    case quarantined
  }

  /// Only hits in this state.
  public var state: State?
  /// Only hits of this lane, by its number.
  public var lane: Int64?
  /// Only the hit with this id.
  public var id: HitID?
  /// At most so many.
  public var limit: Int

  /// Makes a query; without arguments, of the 100 oldest hits.
  public init(state: State? = nil, lane: Int64? = nil, id: HitID? = nil, limit: Int = 100) {
    self.state = state
    self.lane = lane
    self.id = id
    self.limit = limit
  }
}

/// A hit in the store, for people.
public struct HitSummary: Sendable, Hashable {
  /// Its id.
  public var id: HitID
  /// Its place in the order of the store.
  public var sequence: Int64
  /// The number of its lane.
  public var lane: Int64
  /// What it waits for.
  public var state: HitQuery.State
  /// Its kind's name, such as `event`.
  public var kind: String
  /// Wall time of its making in milliseconds, as the clock said.
  public var created: Int64
  /// Requests that it was in without an end.
  public var attempts: Int
  /// Why it is in quarantine.
  public var reason: String?
  /// What it takes of the store's bound.
  public var bytes: Int
  /// Its fields by wire name; a beacon's only field is `url`.
  public var fields: [String: String]
}

/// A lane, for people.
public struct LaneSummary: Sendable, Hashable {
  /// Its number.
  public var id: Int64
  /// The tracker's name.
  public var tracker: String
  /// The account.
  public var property: String
  /// The protocol's name.
  public var protocolName: String
  /// The server's address.
  public var endpoint: String
  /// Hits by state.
  public var hits: [HitQuery.State: Int]
  /// Failing answers in a row.
  public var failures: Int
  /// Wall time in milliseconds until which it rests.
  public var restsUntil: Int64?
  /// Why it rests.
  public var restCause: String?
}

/// What a store holds, and what has happened to the rest.
public struct HitStatistics: Sendable, Hashable {
  /// All counters.
  public var counters: HitCounters
  /// All lanes.
  public var lanes: [LaneSummary]
  /// Hits in the store.
  public var hits: Int
  /// What they take of the store's bound.
  public var bytes: Int
  /// Wall time in milliseconds of the oldest hit's making.
  public var oldest: Int64?

  /// Whether every accepted hit is delivered, dropped with a count, lost in a damage, or still there (HQ-901).
  public var isConserved: Bool { counters.present == Int64(hits) }
}
