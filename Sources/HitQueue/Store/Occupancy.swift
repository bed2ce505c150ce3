import DurableStore

/// How full a store is, and what goes when it is too full (HQ-331, HQ-332).
///
/// Counting all rows reads the whole file, so it is put off: as long as neither the span of sequences nor the size of the
/// file allows that a bound is exceeded, nothing is counted. After that the totals are kept up with this connection's own
/// rows, and counted again before anything is let go.
final class Occupancy {
  private let connection: Connection
  private let span: Statement
  private let totals: Statement
  private let victims: Statement
  private let deletion: Statement
  /// An upper bound while `isCounted` is false, else what this connection knows.
  private var hits = 0
  private var bytes = 0
  private var isCounted = false
  private var isSpanKnown = false

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    span = try connection.prepare(
      """
      SELECT (SELECT MAX(seq) FROM hit) - (SELECT MIN(seq) FROM hit) + 1,
        (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size)
      """)
    totals = try connection.prepare("SELECT COUNT(*), SUM(bytes) FROM hit")
    victims = try connection.prepare("SELECT seq, lane, bytes FROM hit WHERE priority = ? ORDER BY seq")
    deletion = try connection.prepare("DELETE FROM hit WHERE seq = ?")
  }

  /// Notes a row of the transaction under way.
  func add(bytes size: Int) {
    hits += 1
    bytes += size
  }

  /// Forgets what is known: rows were taken back, or removed by somebody else.
  func forget() {
    isCounted = false
    isSpanKnown = false
  }

  func hasRoom(for size: Int, within bounds: StoreBounds) throws(StoreError) -> Bool {
    guard try mayExceed(bounds, addedHits: 1, addedBytes: size) else { return true }
    try count()
    return !bounds.isExceeded(hits: hits + 1, bytes: bytes + size)
  }

  /// Lets the oldest hits go, in steps, those of normal priority first and never one that is in a request.
  func evict(within bounds: StoreBounds, counters: CounterTable, ledger: Ledger) throws(StoreError) {
    guard try mayExceed(bounds) else { return }
    try count()
    guard bounds.isExceeded(hits: hits, bytes: bytes) else { return }
    // A step is what a full store lets go at once; of a small one not more than half.
    let step = min(max(hits / 100, 100), max(1, hits / 2))
    try ledger.balance()
    let inFlight = try InFlight.sequences(in: connection)
    // Those of high priority go only as far as the bounds demand.
    for priority: Int64 in [0, 1] where bounds.isExceeded(hits: hits, bytes: bytes) {
      let slack = priority == 0 ? 1 : 0
      let targetHits = bounds.hits == 0 ? hits - slack * step : min(bounds.hits, hits - slack * step)
      let targetBytes = bounds.bytes == 0 ? Int.max : bounds.bytes - slack * (bounds.bytes / 100)
      for (sequence, lane, size) in try oldest(priority, inFlight, hits - targetHits, bytes - targetBytes) {
        deletion.bind(sequence, at: 1)
        try deletion.run()
        counters.add(1, to: .dropped(.evicted), lane: lane)
        hits -= 1
        bytes -= size
      }
    }
  }

  private func oldest(
    _ priority: Int64, _ inFlight: Set<Int64>, _ count: Int, _ size: Int
  ) throws(StoreError) -> [(Int64, Int64, Int)] {
    victims.bind(priority, at: 1)
    return try victims.query { row throws(StoreError) in
      var found: [(Int64, Int64, Int)] = []
      var foundBytes = 0
      while found.count < count || foundBytes < size, try row.step() {
        let sequence = row.integer(at: 0)
        guard !inFlight.contains(sequence) else { continue }
        found.append((sequence, row.integer(at: 1), Int(row.integer(at: 2))))
        foundBytes += Int(row.integer(at: 2))
      }
      return found
    }
  }

  /// Whether a bound may be exceeded, as far as that is known without counting.
  func mayExceed(
    _ bounds: StoreBounds, addedHits: Int = 0, addedBytes: Int = 0
  ) throws(StoreError) -> Bool {
    if !isSpanKnown, !isCounted {
      (hits, bytes) = try span.query { row throws(StoreError) in
        // A row takes at least 80 bytes of the file besides its body, and counts with 96.
        try row.step() ? (Int(row.integer(at: 0)), Int(row.integer(at: 1)) / 4 * 5) : (0, 0)
      }
      isSpanKnown = true
    }
    return bounds.isExceeded(hits: hits + addedHits, bytes: bytes + addedBytes)
  }

  private func count() throws(StoreError) {
    (hits, bytes) = try totals.query { row throws(StoreError) in
      try row.step() ? (Int(row.integer(at: 0)), Int(row.integer(at: 1))) : (0, 0)
    }
    isCounted = true
  }
}
