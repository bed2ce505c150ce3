import DurableStore
import Hits

/// Claims, settlements and releases: the way of a batch out of the store.
///
///     ready rows ── claim ──▶ named in lane.inflight ──┬─ settle ──▶ gone, counted
///          ▲                                           └─ release ─▶ ready again
///          └── a claim found here belongs to a process that died: its hits keep their place (HQ-423)
///
/// Each step is one transaction. The caller holds the lane's lock from the claim on.
///
/// Ready rows are found in the order of their sequences: of those up to the ledger's line, none of a lane is below its
/// `first`. The ledger lowers it for new hits, a claim raises it when it had to pass many rows of others, and whoever
/// makes old rows ready sets it to 0 (`widen`).
final class DeliveryTable {
  let connection: Connection
  let counters: CounterTable
  private let ledger: Ledger
  let maxAge: Int64
  let lane: Statement
  let lanes: Statement
  private let opening: Statement
  private let beginning: Statement
  private let advance: Statement
  private let widening: Statement
  private let moment: Statement
  let candidates: Statement
  let flight: Statement
  let rest: Statement
  let deletion: Statement
  let runDeletion: Statement
  let attempt: Statement
  let deferral: Statement
  let quarantining: Statement
  let restoration: Statement
  let quarantined: Statement
  let oldestQuarantined: Statement
  let boots: NamesByID<BootID>
  let zones: NamesByID<String>
  /// Kept for inspection; counted at first need.
  var quarantineCount: Int64?

  /// The most hits in quarantine (HQ-433).
  static let quarantineLimit: Int64 = 1_000
  /// To pass so many rows costs less than to write down that they were passed.
  private static let farAhead: Int64 = 1_000

  init(_ connection: Connection, counters: CounterTable, ledger: Ledger, maxAge: Duration) throws(StoreError) {
    self.connection = connection
    self.counters = counters
    self.ledger = ledger
    self.maxAge = maxAge.components.seconds
    lane = try connection.prepare("SELECT inflight, tracker, property, protocol, endpoint FROM lane WHERE id = ?")
    lanes = try connection.prepare(
      """
      SELECT id, tracker, property, protocol, endpoint, failures, wait_until, wait_cause, batch_limit,
        (SELECT seq FROM hit WHERE lane = lane.id AND state = 0 AND seq >= lane.first
          AND (not_before IS NULL OR not_before <= ?) ORDER BY seq LIMIT 1),
        (SELECT value FROM meta WHERE key = 'sequence')
      FROM lane
      """)
    moment = try connection.prepare("SELECT created, age_clock, boot, zone, flags FROM hit WHERE seq = ?")
    opening = try connection.prepare(
      "SELECT MIN(not_before) FROM hit WHERE lane = ?1 AND state = 0 AND seq >= (SELECT first FROM lane WHERE id = ?1)")
    beginning = try connection.prepare("SELECT first FROM lane WHERE id = ?")
    advance = try connection.prepare("UPDATE lane SET first = ? WHERE id = ?")
    widening = try connection.prepare("UPDATE lane SET first = 0")
    candidates = try connection.prepare(
      """
      SELECT seq, id, created, age_clock, boot, flags, max_age, attempts, crc, body, zone, consent, not_before
      FROM hit WHERE lane = ? AND state = 0 AND seq BETWEEN ? AND ? ORDER BY seq
      """)
    flight = try connection.prepare("UPDATE lane SET inflight = ? WHERE id = ?")
    rest = try connection.prepare(
      "UPDATE lane SET inflight = ?6, failures = ?1, wait_until = ?2, wait_cause = ?3, batch_limit = ?4 WHERE id = ?5")
    deletion = try connection.prepare("DELETE FROM hit WHERE seq = ?")
    runDeletion = try connection.prepare("DELETE FROM hit WHERE seq BETWEEN ? AND ?")
    attempt = try connection.prepare("UPDATE hit SET attempts = attempts + 1 WHERE seq = ?")
    deferral = try connection.prepare("UPDATE hit SET attempts = attempts + 1, not_before = ? WHERE seq = ?")
    quarantining = try connection.prepare("UPDATE hit SET state = 2, reason = ?, not_before = ? WHERE seq = ?")
    restoration = try connection.prepare(
      "UPDATE hit SET state = 0, reason = NULL, not_before = NULL WHERE seq = ? AND state = 2")
    // The condition of the index, word for word, lets SQLite use it.
    quarantined = try connection.prepare("SELECT COUNT(*) FROM hit WHERE state <> 0 AND state = 2")
    oldestQuarantined = try connection.prepare(
      "SELECT seq, lane FROM hit WHERE state <> 0 AND state = 2 ORDER BY seq LIMIT 1")
    boots = NamesByID(try connection.prepare("SELECT uuid FROM boot WHERE id = ?")) {
      BootID(storedBytes: $0.blob(at: 0))
    }
    zones = NamesByID(try connection.prepare("SELECT name FROM zone WHERE id = ?")) { $0.text(at: 0) }
  }

  /// One transaction with the counts of what it does, and of the hits that came since the last.
  func transaction<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let result = try connection.transaction { () throws(StoreError) in
      try ledger.balance()
      let result = try work()
      try counters.write()
      return result
    }
    counters.didCommit()
    return result
  }

  /// What identifies a lane; nil for a number that no lane has.
  func key(of id: LaneRow.ID) throws(StoreError) -> LaneKey? {
    lane.bind(id, at: 1)
    return try lane.query { row throws(StoreError) in
      guard try row.step() else { return nil }
      return LaneKey(
        tracker: row.text(at: 1), property: row.text(at: 2), protocolName: row.text(at: 3), endpoint: row.text(at: 4))
    }
  }

  /// All lanes, each with its oldest hit that may be sent at a wall time.
  func lanes(at wallMilliseconds: Int64) throws(StoreError) -> [LaneRow] {
    // The ledger's line is drawn: hits above it would not be found.
    try transaction { () throws(StoreError) in
      var rows = try rows(at: wallMilliseconds)
      for index in rows.indices where rows[index].oldest == nil {
        let lane = rows[index].id
        rows[index].opensAt = try opening(of: lane)
        if rows[index].opensAt == nil { try advance(lane, from: first(of: lane), to: nil) }
      }
      return rows
    }
  }

  private func rows(at wallMilliseconds: Int64) throws(StoreError) -> [LaneRow] {
    lanes.bind(wallMilliseconds, at: 1)
    return try lanes.query { row throws(StoreError) in
      var found: [LaneRow] = []
      while try row.step() {
        let key = LaneKey(
          tracker: row.text(at: 1), property: row.text(at: 2), protocolName: row.text(at: 3), endpoint: row.text(at: 4))
        let rest = LaneRest(
          failures: Int(clamping: row.integer(at: 5)), until: row.optionalInteger(at: 6),
          cause: row.optionalText(at: 7).map(LaneCause.init(rawValue:)),
          batchLimit: row.optionalInteger(at: 8).map { Int(clamping: $0) })
        found.append(
          LaneRow(
            id: row.integer(at: 0), key: key, rest: rest, oldest: row.optionalInteger(at: 9), line: row.integer(at: 10))
        )
      }
      return found
    }
  }

  /// The sequence below which no hit of a lane is ready.
  func first(of lane: LaneRow.ID) throws(StoreError) -> Int64 {
    beginning.bind(lane, at: 1)
    return try beginning.query { row throws(StoreError) in try row.step() ? row.integer(at: 0) : 0 }
  }

  /// Notes the first ready hit of a lane, or that it has none, when that saves the next look many rows.
  func advance(_ lane: LaneRow.ID, from old: Int64, to first: Int64?) throws(StoreError) {
    let first = first ?? .max
    guard first - old > Self.farAhead else { return }
    advance.bind(first, at: 1)
    advance.bind(lane, at: 2)
    try advance.run()
  }

  /// Has all rows looked at again: some that a claim has passed are ready now.
  func widen() throws(StoreError) { try widening.run() }

  /// The wall time at which the first hit of a lane may be sent, when all of them wait for their time (HQ-261).
  func opening(of lane: LaneRow.ID) throws(StoreError) -> Int64? {
    opening.bind(lane, at: 1)
    return try opening.query { row throws(StoreError) in try row.step() ? row.optionalInteger(at: 0) : nil }
  }

  /// When a hit was made; nil when it is gone, or its age cannot be known.
  func created(_ sequence: Int64, at now: HitTime) throws(StoreError) -> HitTime? {
    moment.bind(sequence, at: 1)
    return try moment.query { row throws(StoreError) in
      guard try row.step(), let boot = try boots.name(of: row.integer(at: 2)),
        let zone = try zones.name(of: row.integer(at: 3)),
        row.integer(at: 4) & HitFlags.clockSuspect == 0 || boot == now.boot
      else { return nil }
      return HitTime(
        wallMilliseconds: row.integer(at: 0), ageClock: UInt64(bitPattern: row.integer(at: 1)), boot: boot, zone: zone)
    }
  }

  /// How many hits there are, what they take of the store's bound, and when the oldest was made.
  func depth() throws(StoreError) -> (hits: Int, bytes: Int, oldest: HitTime?) {
    let totals = try connection.prepare("SELECT COUNT(*), COALESCE(SUM(bytes), 0) FROM hit")
    let (hits, bytes) = try totals.query { row throws(StoreError) in
      try row.step() ? (Int(row.integer(at: 0)), Int(row.integer(at: 1))) : (0, 0)
    }
    let oldest = try connection.prepare("SELECT created, age_clock, boot FROM hit ORDER BY seq LIMIT 1")
    let created = try oldest.query { row throws(StoreError) -> HitTime? in
      guard try row.step(), let boot = try boots.name(of: row.integer(at: 2)) else { return nil }
      return HitTime(
        wallMilliseconds: row.integer(at: 0), ageClock: UInt64(bitPattern: row.integer(at: 1)), boot: boot)
    }
    return (hits, bytes, created)
  }
}
