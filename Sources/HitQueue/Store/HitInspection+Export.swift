import DurableStore
import Hits

/// A stored hit with all that is needed to tell it elsewhere.
package struct ExportedHit: Sendable, Hashable {
  package var hit: QueuedHit
  package var tracker: String
  /// The name of its lane's protocol.
  package var protocolName: String
  /// The address of its lane; it holds no secret (HQ-600).
  package var endpoint: String
  package var state: HitQuery.State
}

extension HitInspection {
  /// Gives hits to a reader, oldest first, one at a time; damaged rows are left out.
  ///
  /// - Returns: how many were left out.
  func export(_ query: HitQuery, to reader: (ExportedHit) -> Void) throws(StoreError) -> Int {
    let inFlight = try InFlight.sequences(in: connection)
    let statement = try connection.prepare(
      """
      SELECT seq, hit.id, state, created, age_clock, boot.uuid, zone.name, flags, consent, crc, body, tracker, protocol,
        endpoint
      FROM hit JOIN lane ON lane.id = hit.lane LEFT JOIN boot ON boot.id = hit.boot LEFT JOIN zone ON zone.id = hit.zone
      WHERE (?1 IS NULL OR hit.lane = ?1) ORDER BY seq
      """)
    statement.bind(query.lane, at: 1)
    return try statement.query { row throws(StoreError) in
      var (given, leftOut) = (0, 0)
      while given < query.limit, try row.step() {
        guard let hit = Self.exported(row, inFlight) else {
          leftOut += 1
          continue
        }
        guard query.state == nil || hit.state == query.state else { continue }
        given += 1
        reader(hit)
      }
      return leftOut
    }
  }

  private static func exported(_ row: Statement, _ inFlight: Set<Int64>) -> ExportedHit? {
    let body = row.blob(at: 10)
    guard let id = row.withBlob(at: 1, { HitID($0) }), Int64(CRC32.checksum(body)) == row.integer(at: 9) else {
      return nil
    }
    let sequence = row.integer(at: 0)
    let created = HitTime(
      wallMilliseconds: row.integer(at: 3), ageClock: UInt64(bitPattern: row.integer(at: 4)),
      boot: BootID(storedBytes: row.blob(at: 5)), zone: row.optionalText(at: 6) ?? "UTC")
    return ExportedHit(
      hit: QueuedHit(
        id: id, sequence: sequence, created: created,
        isClockSuspect: row.integer(at: 7) & HitFlags.clockSuspect != 0,
        consent: ConsentSnapshot(rawValue: Int(truncatingIfNeeded: row.integer(at: 8))), body: body),
      tracker: row.text(at: 11), protocolName: row.text(at: 12), endpoint: row.text(at: 13),
      state: state(row.integer(at: 2), inFlight, sequence))
  }
}
