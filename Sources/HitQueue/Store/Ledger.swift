import DurableStore

/// Sequences and the count of accepted hits, at no cost to the commit of a hit (HQ-104, HQ-900).
///
/// `meta.sequence` is a line under the books: every sequence that a removed hit ever had is at or below it, and all hits
/// up to it are counted in `accepted`. Hits above it are still there, so that the next sequence follows from the largest
/// one in the table, and the hits that are not counted yet can be. The line is drawn by every transaction that removes
/// hits, before it does, and by every look for ready ones: with it `lane.first` is lowered to the hits that it passes.
///
/// The identity file names a mark that no sequence passes, raised in steps while it is still ahead: a new store beside an
/// old identity starts above all that was ever given.
final class Ledger {
  /// The next sequence, in SQL.
  static let next =
    "MAX(COALESCE((SELECT MAX(seq) FROM hit), 0), COALESCE((SELECT value FROM meta WHERE key = 'sequence'), 0)) + 1"

  private static let step: Int64 = 10_000
  private static let headroom: Int64 = 1_000

  private let counters: CounterTable
  private let identity: IdentityFile
  private let line: Statement
  private let uncounted: Statement
  private let lowering: Statement
  private let drawing: Statement
  private let reserve: Statement
  private var mark: Int64

  init(_ connection: Connection, counters: CounterTable, identity: IdentityFile) throws(StoreError) {
    self.counters = counters
    self.identity = identity
    line = try connection.prepare(
      "SELECT COALESCE((SELECT value FROM meta WHERE key = 'sequence'), 0), COALESCE((SELECT MAX(seq) FROM hit), 0)")
    uncounted = try connection.prepare("SELECT lane, seq FROM hit WHERE seq > ? ORDER BY seq")
    lowering = try connection.prepare("UPDATE lane SET first = ?1 WHERE id = ?2 AND first > ?1")
    drawing = try connection.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES('sequence', ?)")
    reserve = try connection.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'hit' AND seq < ?1")
    mark = try identity.read()?.sequence ?? 0
    let start = try connection.prepare(
      "INSERT INTO meta(key, value) SELECT 'sequence', ? WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'sequence')")
    try connection.transaction { () throws(StoreError) in
      start.bind(mark, at: 1)
      try start.run()
    }
  }

  /// Whether a hit after this one can be given its sequence without raising the mark.
  func isReserved(after sequence: Int64) -> Bool { sequence > 0 && sequence < mark - Self.headroom }

  /// Raises the mark when a sequence of the transaction under way has come near it.
  func use(_ sequence: Int64) throws(StoreError) {
    guard sequence > mark - Self.headroom else { return }
    mark = try identity.update { $0.sequence = max($0.sequence, sequence) + Self.step }.sequence
    // SQLite's own mark goes along, so that it need not be written with every hit.
    reserve.bind(mark, at: 1)
    try reserve.run()
  }

  /// Counts the hits above the line and draws it under them, inside a transaction.
  func balance() throws(StoreError) {
    let (counted, last) = try line.query { row throws(StoreError) in
      _ = try row.step()
      return (row.integer(at: 0), row.integer(at: 1))
    }
    guard last > counted else { return }
    for (lane, new) in try hits(after: counted) {
      counters.add(new.count, to: .accepted, lane: lane)
      lowering.bind(new.first, at: 1)
      lowering.bind(lane, at: 2)
      try lowering.run()
    }
    try draw(at: last)
  }

  /// The hits above a line by their lanes.
  ///
  /// To have SQLite group them would cost several times as much: it sorts.
  private func hits(after line: Int64) throws(StoreError) -> [Int64: (count: Int, first: Int64)] {
    uncounted.bind(line, at: 1)
    return try uncounted.query { row throws(StoreError) in
      var hits: [Int64: (count: Int, first: Int64)] = [:]
      var (lane, count, first): (Int64, Int, Int64) = (0, 0, 0)
      // Hits in a row are mostly of one lane.
      func note() { if count > 0 { hits[lane] = (count + (hits[lane]?.count ?? 0), hits[lane]?.first ?? first) } }
      while try row.step() {
        let next = row.integer(at: 0)
        if next != lane {
          note()
          (lane, count, first) = (next, 0, row.integer(at: 1))
        }
        count += 1
      }
      note()
      return hits
    }
  }

  /// Draws the line under all hits, which have been counted otherwise, inside a transaction.
  func drawLine() throws(StoreError) {
    let (counted, last) = try line.query { row throws(StoreError) in
      _ = try row.step()
      return (row.integer(at: 0), row.integer(at: 1))
    }
    if last > counted { try draw(at: last) }
  }

  private func draw(at sequence: Int64) throws(StoreError) {
    drawing.bind(sequence, at: 1)
    try drawing.run()
  }
}
