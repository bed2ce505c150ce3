import DurableStore
import Hits

/// The statements that write hits, each only when its id is new (HQ-721).
///
/// Many hits go in one statement: to begin and end one costs more than the rows in it.
final class HitInsertion {
  /// Hits of the longer statement; SQLite has had room for 999 parameters from the first.
  private static let width = 20
  private static let columns = 16

  private let connection: Connection
  private let insertMany: Statement
  private let insertOne: Statement
  private let selectLast: Statement
  private let selectAfter: Statement
  private var texts = BoundBytes()

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    insertMany = try connection.prepare(Self.sql(rows: Self.width))
    insertOne = try connection.prepare(Self.sql(rows: 1))
    selectLast = try connection.prepare("SELECT MAX(pos) FROM hit")
    selectAfter = try connection.prepare("SELECT id, pos FROM hit WHERE pos > ?1")
  }

  private static func sql(rows: Int) -> String {
    let values = (0..<rows).map { row in
      "(" + (1...columns).map { "?\(row * columns + $0)" }.joined(separator: ",") + ")"
    }
    return "INSERT OR IGNORE INTO hit(\(IntakeSchema.columns)) SELECT * FROM (VALUES \(values.joined(separator: ","))) "
      + "WHERE NOT EXISTS (SELECT 1 FROM seen WHERE id = column1)"
  }

  /// Writes hits, inside a transaction; of one id that comes twice, the first is new.
  func insert(_ hits: [IntakeHit]) throws(StoreError) -> [StoredHit] {
    var stored: [StoredHit] = []
    stored.reserveCapacity(hits.count)
    var next = 0
    while hits.count - next >= Self.width {
      stored += try insertMany(hits[next..<next + Self.width])
      next += Self.width
    }
    for hit in hits[next...] { stored.append(try insertOne(hit)) }
    return stored
  }

  private func insertOne(_ hit: IntakeHit) throws(StoreError) -> StoredHit {
    texts.removeAll()
    bind(hit, to: insertOne, at: 0)
    try insertOne.run(with: texts)
    return connection.changes == 1 ? .inserted(connection.lastInsertedRow) : .duplicate
  }

  private func insertMany(_ hits: ArraySlice<IntakeHit>) throws(StoreError) -> [StoredHit] {
    let last = try selectLast.query { row throws(StoreError) in try row.step() ? row.integer(at: 0) : 0 }
    texts.removeAll()
    for (row, hit) in hits.enumerated() { bind(hit, to: insertMany, at: Int32(row * Self.columns)) }
    try insertMany.run(with: texts)
    if connection.changes == hits.count {
      let end = connection.lastInsertedRow
      return (end - Int64(hits.count) + 1...end).map { .inserted($0) }
    }
    var positions = try positions(after: last)
    return hits.map { hit in positions.removeValue(forKey: hit.id).map { .inserted($0) } ?? .duplicate }
  }

  private func positions(after last: Int64) throws(StoreError) -> [HitID: Int64] {
    selectAfter.bind(last, at: 1)
    return try selectAfter.query { row throws(StoreError) in
      var positions: [HitID: Int64] = [:]
      while try row.step() {
        if let id = row.withBlob(at: 0, { HitID($0) }) { positions[id] = row.integer(at: 1) }
      }
      return positions
    }
  }

  /// Binds the numbers of a hit, and keeps the rest for `run`; what the hit has not is not bound, and so NULL.
  private func bind(_ hit: IntakeHit, to statement: Statement, at first: Int32) {
    hit.id.withBytes { texts.add($0, at: first + 1) }
    texts.add(hit.property, at: first + 2)
    texts.add(hit.kind, at: first + 3)
    texts.add(hit.client, at: first + 4)
    texts.add(hit.user, at: first + 5)
    statement.bind(hit.occurred, at: first + 6)
    if let time = hit.clientTime { statement.bind(time, at: first + 7) }
    statement.bind(hit.received, at: first + 8)
    if let sequence = hit.sequence { statement.bind(sequence, at: first + 9) }
    texts.add(hit.tracker, at: first + 10)
    texts.add(hit.source.rawValue, at: first + 11)
    texts.add(hit.address, at: first + 12)
    texts.add(hit.userAgent, at: first + 13)
    texts.add(hit.library, at: first + 14)
    texts.add(hit.consent, at: first + 15)
    texts.add(hit.body, at: first + 16)
  }
}
