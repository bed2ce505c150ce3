import DurableStore
import HitQueue
import Hits

/// The removal of hits: in small transactions, so that new hits never wait long; ids stay known (HQ-711).
extension IntakeTables {
  /// What a property's hits fill.
  struct Usage: Sendable, Hashable {
    var property: String
    var hits: Int
    var bytes: Int64
  }

  /// A hit that goes.
  private struct Leaving {
    var position: Int64
    var property: String
    var bytes: Int64
  }

  /// The properties that have hits, with what these fill.
  func usage() throws(StoreError) -> [Usage] {
    try connection.prepare("SELECT property, hits, bytes FROM usage WHERE hits > 0 ORDER BY property").query {
      row throws(StoreError) in
      var usage: [Usage] = []
      while try row.step() {
        usage.append(Usage(property: row.text(at: 0), hits: Int(row.integer(at: 1)), bytes: row.integer(at: 2)))
      }
      return usage
    }
  }

  /// Removes a property's oldest hits beyond its bounds, at most as many as the limit: then there may be more.
  func purge(
    _ property: String, _ bounds: RetentionPolicy.Bounds, at now: Int64, limit: Int
  ) throws(StoreError) -> Int {
    let firstKept = bounds.days.map { now - Int64($0) * Self.day } ?? .min
    return try connection.transaction { () throws(StoreError) in
      let filled = try connection.prepare("SELECT bytes FROM usage WHERE property = ?1")
      filled.bind(property, at: 1)
      let bytes = try filled.query { row throws(StoreError) in try row.step() ? row.integer(at: 0) : 0 }
      var excess = bounds.bytes.map { bytes - $0 } ?? 0
      let oldest = try connection.prepare(
        "SELECT pos, \(IntakeSchema.bytesOfHit), received FROM hit WHERE property = ?1 ORDER BY received, pos LIMIT ?2")
      oldest.bind(property, at: 1)
      oldest.bind(limit, at: 2)
      let leaving = try oldest.query { row throws(StoreError) in
        var leaving: [Leaving] = []
        while try row.step(), excess > 0 || row.integer(at: 2) < firstKept {
          leaving.append(Leaving(position: row.integer(at: 0), property: property, bytes: row.integer(at: 1)))
          excess -= row.integer(at: 1)
        }
        return leaving
      }
      try remove(leaving)
      return leaving.count
    }
  }

  /// The positions that there are; nil without a hit.
  func positions() throws(StoreError) -> ClosedRange<Int64>? { try positions(of: "hit") }

  /// The same of refused hits.
  func rejectedPositions() throws(StoreError) -> ClosedRange<Int64>? { try positions(of: "reject") }

  private func positions(of table: String) throws(StoreError) -> ClosedRange<Int64>? {
    guard let first = try connection.integer("SELECT pos FROM \(table) ORDER BY pos LIMIT 1"),
      let last = try connection.integer("SELECT pos FROM \(table) ORDER BY pos DESC LIMIT 1"), first <= last
    else { return nil }
    return first...last
  }

  /// Removes the hits of a client among some positions; what they said is overwritten in the file.
  func purge(client: String, property: String?, in positions: ClosedRange<Int64>) throws(StoreError) -> Int {
    try overwriting { () throws(StoreError) in
      let matching = try connection.prepare(
        "SELECT pos, property, \(IntakeSchema.bytesOfHit) FROM hit "
          + "WHERE pos BETWEEN ?1 AND ?2 AND client = ?3 AND (?4 IS NULL OR property = ?4)")
      matching.bind(positions.lowerBound, at: 1)
      matching.bind(positions.upperBound, at: 2)
      matching.bind(client, at: 3)
      matching.bind(property, at: 4)
      let leaving = try matching.query { row throws(StoreError) in
        var leaving: [Leaving] = []
        while try row.step() {
          leaving.append(Leaving(position: row.integer(at: 0), property: row.text(at: 1), bytes: row.integer(at: 2)))
        }
        return leaving
      }
      try remove(leaving)
      return leaving.count
    }
  }

  /// Removes the refused hits that name a client, among some positions.
  func purgeRejected(client: String, property: String?, in positions: ClosedRange<Int64>) throws(StoreError) -> Int {
    try overwriting { () throws(StoreError) in
      let rejected = try connection.prepare(
        "SELECT pos, raw FROM reject WHERE pos BETWEEN ?1 AND ?2 AND (?3 IS NULL OR property = ?3)")
      rejected.bind(positions.lowerBound, at: 1)
      rejected.bind(positions.upperBound, at: 2)
      rejected.bind(property, at: 3)
      let leaving = try rejected.query { row throws(StoreError) in
        var leaving: [Int64] = []
        while try row.step() {
          if RejectedHit.names(client, in: row.blob(at: 1)) { leaving.append(row.integer(at: 0)) }
        }
        return leaving
      }
      let delete = try connection.prepare("DELETE FROM reject WHERE pos = ?1")
      for position in leaving {
        delete.bind(position, at: 1)
        try delete.run()
      }
      return leaving.count
    }
  }

  /// Brings the file up to date, so that what was overwritten is in no older page of the log either.
  ///
  /// A reader at work keeps those pages until it ends, and the log is cut by a later checkpoint.
  func emptyLog() throws(StoreError) { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }

  private func overwriting<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try connection.execute("PRAGMA secure_delete=ON")
    let result: Result
    do throws(StoreError) {
      result = try connection.transaction(work)
    } catch {
      try connection.execute("PRAGMA secure_delete=OFF")
      throw error
    }
    try connection.execute("PRAGMA secure_delete=OFF")
    return result
  }

  /// Removes hits inside a transaction, remembers their ids, and counts them off.
  private func remove(_ leaving: [Leaving]) throws(StoreError) {
    guard !leaving.isEmpty else { return }
    let remember = try connection.prepare(
      "INSERT OR IGNORE INTO seen(id, day) SELECT id, received / \(Self.day) FROM hit WHERE pos = ?1")
    let delete = try connection.prepare("DELETE FROM hit WHERE pos = ?1")
    var removed: [String: (hits: Int, bytes: Int64)] = [:]
    for hit in leaving {
      for statement in [remember, delete] {
        statement.bind(hit.position, at: 1)
        try statement.run()
      }
      removed[hit.property, default: (0, 0)].hits += 1
      removed[hit.property, default: (0, 0)].bytes += hit.bytes
    }
    for (property, count) in removed { try addUsage(property, hits: -count.hits, bytes: -count.bytes) }
  }

  /// Forgets the ids whose window is over (HQ-711), at most as many as the limit.
  func forget(before day: Int64, limit: Int) throws(StoreError) -> Int {
    let forget = try connection.prepare(
      "DELETE FROM seen WHERE id IN (SELECT id FROM seen WHERE day < ?1 LIMIT ?2)")
    forget.bind(day, at: 1)
    forget.bind(limit, at: 2)
    return try connection.transaction { () throws(StoreError) in
      try forget.run()
      return connection.changes
    }
  }
}

extension RejectedHit {
  /// Whether a refused hit, in whichever language it came, is of a client; of JSON that cannot be read, whether it has
  /// its text anywhere.
  static func names(_ client: String, in raw: [UInt8]) -> Bool {
    guard raw.first == UInt8(ascii: "{") else { return FormFields(raw)["cid"] == client }
    guard let line = try? Value(json: raw) else { return raw.contains(Array(client.utf8)) }
    return line.map?["client"]?.string == client
  }
}
