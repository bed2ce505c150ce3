import DurableStore
import Hits

/// What the collector writes for a request: its hits, and why others were refused.
struct IntakeBatch: Sendable {
  var hits: [IntakeHit]
  var rejected: [RejectedHit]
}

/// The statements on the collector's tables, used by one thread at a time.
final class IntakeTables: StoreTables {
  /// Refused hits are kept for inspection, within these bounds (HQ-701).
  static let rejectLimit = (count: 100_000, milliseconds: Int64(7 * 86_400_000))
  static let day: Int64 = 86_400_000

  let connection: Connection
  private let insertion: HitInsertion
  private let insertReject: Statement
  private let trimRejects: Statement
  private let selectHits: Statement
  private let updateUsage: Statement
  private var rejectsSinceTrim = 0
  /// What the transaction under way adds to each property.
  private var added: [String: (hits: Int, bytes: Int64)] = [:]

  init(path: String) throws(StoreError) {
    connection = try Connection(path: path, durability: .powerLoss)
    try IntakeSchema.schema.apply(to: connection)
    insertion = try HitInsertion(connection)
    insertReject = try connection.prepare(
      "INSERT INTO reject(received, property, code, field, raw) VALUES(?1,?2,?3,?4,?5)")
    trimRejects = try connection.prepare(
      "DELETE FROM reject WHERE received < ?1 OR pos <= (SELECT MAX(pos) FROM reject) - \(Self.rejectLimit.count)")
    selectHits = try connection.prepare(
      "SELECT pos, \(IntakeSchema.columns) FROM hit WHERE pos > ?1 ORDER BY pos LIMIT ?2")
    updateUsage = try connection.prepare(
      "INSERT INTO usage(property, hits, bytes) VALUES(?1,?2,?3) "
        + "ON CONFLICT(property) DO UPDATE SET hits = hits + ?2, bytes = bytes + ?3")
  }

  func insert(_ batch: IntakeBatch) throws(StoreError) -> [StoredHit] {
    let stored = try insertion.insert(batch.hits)
    for (hit, stored) in zip(batch.hits, stored) where stored != .duplicate {
      let count = added[hit.property] ?? (0, 0)
      added[hit.property] = (count.hits + 1, count.bytes + Int64(Self.bytes(of: hit)))
    }
    for hit in batch.rejected { try insert(hit) }
    return stored
  }

  func willCommit() throws(StoreError) {
    for (property, count) in added { try addUsage(property, hits: count.hits, bytes: count.bytes) }
    added.removeAll(keepingCapacity: true)
  }

  func didRollBack() { added = [:] }

  /// Counts a property's hits on, or off.
  func addUsage(_ property: String, hits: Int, bytes: Int64) throws(StoreError) {
    updateUsage.bind(property, at: 1)
    updateUsage.bind(hits, at: 2)
    updateUsage.bind(bytes, at: 3)
    try updateUsage.run()
  }

  static func bytes(of batch: IntakeBatch) -> Int {
    batch.hits.reduce(0) { $0 + bytes(of: $1) } + batch.rejected.reduce(0) { $0 + $1.raw.count + 64 }
  }

  static func count(of batch: IntakeBatch) -> Int { batch.hits.count + batch.rejected.count }

  /// As `IntakeSchema.bytesOfHit` has it.
  private static func bytes(of hit: IntakeHit) -> Int { hit.body.count + 256 }

  private func insert(_ hit: RejectedHit) throws(StoreError) {
    insertReject.bind(hit.received, at: 1)
    insertReject.bind(hit.property, at: 2)
    insertReject.bind(hit.code.rawValue, at: 3)
    insertReject.bind(hit.field, at: 4)
    insertReject.bind(hit.raw, at: 5)
    try insertReject.run()
    rejectsSinceTrim += 1
    guard rejectsSinceTrim >= 1000 else { return }
    rejectsSinceTrim = 0
    try trimRejects(at: hit.received)
  }

  /// Removes refused hits beyond their bounds.
  func trimRejects(at now: Int64) throws(StoreError) {
    trimRejects.bind(now - Self.rejectLimit.milliseconds, at: 1)
    try trimRejects.run()
  }

  func scan(after position: Int64, limit: Int) throws(StoreError) -> [PositionedHit] {
    selectHits.bind(position, at: 1)
    selectHits.bind(limit, at: 2)
    return try selectHits.query { row throws(StoreError) in
      var hits: [PositionedHit] = []
      while try row.step() { hits.append(PositionedHit(row)) }
      return hits
    }
  }
}

extension PositionedHit {
  /// Reads a row of `pos` and `IntakeSchema.columns`; its id has 16 bytes, as it was written.
  init(_ row: Statement) {
    self.init(
      position: row.integer(at: 0),
      hit: IntakeHit(
        id: HitID(bytes: row.blob(at: 1)) ?? HitID(high: 0, low: 0), property: row.text(at: 2), kind: row.text(at: 3),
        client: row.optionalText(at: 4), user: row.optionalText(at: 5), occurred: row.integer(at: 6),
        clientTime: row.optionalInteger(at: 7), received: row.integer(at: 8), sequence: row.optionalInteger(at: 9),
        tracker: row.optionalText(at: 10), source: IntakeHit.Source(rawValue: row.text(at: 11)),
        address: row.optionalText(at: 12), userAgent: row.optionalText(at: 13), library: row.optionalText(at: 14),
        consent: row.optionalText(at: 15), body: row.blob(at: 16)))
  }
}
