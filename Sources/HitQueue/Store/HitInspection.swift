import DurableStore
import Hits

/// Reads a store for people, on any connection: that of a running queue, or one for reading only.
struct HitInspection {
  let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Hits, oldest first.
  func hits(_ query: HitQuery) throws(StoreError) -> [HitSummary] {
    let inFlight = try InFlight.sequences(in: connection)
    var conditions: [String] = []
    switch query.state {
    case .ready, .inflight: conditions.append("state = 0")
    case .held: conditions.append("state = 1")
    case .quarantined: conditions.append("state = 2")
    case nil: break
    }
    if query.lane != nil { conditions.append("lane = ?1") }
    if query.id != nil { conditions.append("id = ?2") }
    let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    let statement = try connection.prepare(
      "SELECT seq, id, lane, state, kind, created, attempts, reason, bytes, body FROM hit \(filter) ORDER BY seq")
    if let lane = query.lane { statement.bind(lane, at: 1) }
    if let id = query.id { statement.bind(id.bytes, at: 2) }
    return try statement.query { row throws(StoreError) in
      var found: [HitSummary] = []
      while found.count < query.limit, try row.step() {
        guard let hit = summary(row, inFlight), query.state == nil || hit.state == query.state else { continue }
        found.append(hit)
      }
      return found
    }
  }

  private func summary(_ row: Statement, _ inFlight: Set<Int64>) -> HitSummary? {
    guard let id = row.withBlob(at: 1, { HitID($0) }) else { return nil }
    let sequence = row.integer(at: 0)
    let hit = QueuedHit(
      id: id, sequence: sequence, created: HitTime(wallMilliseconds: row.integer(at: 5), ageClock: 0, boot: BootID("")),
      body: row.blob(at: 9))
    return HitSummary(
      id: id, sequence: sequence, lane: row.integer(at: 2), state: Self.state(row.integer(at: 3), inFlight, sequence),
      kind: HitKind.name(ofStoredCode: row.integer(at: 4)) ?? "unknown", created: row.integer(at: 5),
      attempts: Int(clamping: row.integer(at: 6)), reason: row.optionalText(at: 7),
      bytes: Int(clamping: row.integer(at: 8)),
      fields: hit.fields)
  }

  static func state(_ stored: Int64, _ inFlight: Set<Int64>, _ sequence: Int64) -> HitQuery.State {
    switch HitState(rawValue: stored) {
    case .held: .held
    case .quarantined: .quarantined
    case .ready, nil: inFlight.contains(sequence) ? .inflight : .ready
    }
  }

  /// Counters, lanes and totals, all of one moment.
  func statistics() throws(StoreError) -> HitStatistics {
    // A read transaction of its own, so that the counters are those of the hits that are counted.
    try connection.execute("BEGIN")
    defer { connection.endReading() }
    let totals = try connection.prepare("SELECT COUNT(*), COALESCE(SUM(bytes), 0), MIN(created) FROM hit")
    let (hits, bytes, oldest) = try totals.query { row throws(StoreError) in
      _ = try row.step()
      return (Int(row.integer(at: 0)), Int(row.integer(at: 1)), row.optionalInteger(at: 2))
    }
    return HitStatistics(counters: try counters(), lanes: try lanes(), hits: hits, bytes: bytes, oldest: oldest)
  }

  /// Hits that are ready, in all lanes: those that must be there, but for the few that are set aside.
  func readyCount() throws(StoreError) -> Int {
    try connection.execute("BEGIN")
    defer { connection.endReading() }
    let aside = try connection.integer("SELECT COUNT(*) FROM hit WHERE state <> 0") ?? 0
    return Int(clamping: try counters().present - aside)
  }

  /// The counters with the hits that the ledger has not counted yet.
  private func counters() throws(StoreError) -> HitCounters {
    var counters = try CounterTable.read(connection)
    let uncounted = try connection.prepare(
      """
      SELECT lane, COUNT(*) FROM hit WHERE seq > COALESCE((SELECT value FROM meta WHERE key = 'sequence'), 0)
      GROUP BY lane
      """)
    return try uncounted.query { row throws(StoreError) in
      while try row.step() {
        counters.byLane[.accepted, default: [:]][row.integer(at: 0), default: 0] += row.integer(at: 1)
      }
      return counters
    }
  }

  private func lanes() throws(StoreError) -> [LaneSummary] {
    let inFlight = try InFlight.sequences(in: connection)
    let hits = try connection.prepare("SELECT lane, state, seq FROM hit")
    let counts = try hits.query { row throws(StoreError) in
      var counts: [Int64: [HitQuery.State: Int]] = [:]
      while try row.step() {
        counts[row.integer(at: 0), default: [:]][
          Self.state(row.integer(at: 1), inFlight, row.integer(at: 2)), default: 0] += 1
      }
      return counts
    }
    let lanes = try connection.prepare(
      "SELECT id, tracker, property, protocol, endpoint, failures, wait_until, wait_cause FROM lane ORDER BY id")
    return try lanes.query { row throws(StoreError) in
      var found: [LaneSummary] = []
      while try row.step() {
        found.append(
          LaneSummary(
            id: row.integer(at: 0), tracker: row.text(at: 1), property: row.text(at: 2), protocolName: row.text(at: 3),
            endpoint: row.text(at: 4), hits: counts[row.integer(at: 0)] ?? [:],
            failures: Int(clamping: row.integer(at: 5)), restsUntil: row.optionalInteger(at: 6),
            restCause: row.optionalText(at: 7)))
      }
      return found
    }
  }
}
