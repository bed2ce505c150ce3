import DurableStore
package import HitQueue
public import Hits

/// Reads a collector's store beside the running server: for `tagworks hits list|show|stats --intake DIR` (HQ-910).
public final class IntakeReader {
  private let connection: Connection

  /// Opens the store of a data directory for reading.
  ///
  /// - Throws: `storeUnavailable` when there is none, or it cannot be read.
  public init(directory: String) throws(ConsoleError) {
    do throws(StoreError) {
      connection = try Connection(readingFrom: directory + "/" + IntakeSchema.fileName)
      try IntakeSchema.schema.check(connection)
    } catch {
      throw ConsoleError(code: .storeUnavailable, message: error.message, cause: error)
    }
  }

  /// The last hits, oldest first.
  public func summaries(limit: Int = 100) throws(ConsoleError) -> [IntakeSummary] {
    try read { () throws(StoreError) in
      let statement = try connection.prepare(
        "SELECT pos, \(IntakeSchema.columns) FROM (SELECT * FROM hit ORDER BY pos DESC LIMIT ?1) ORDER BY pos")
      statement.bind(max(0, limit), at: 1)
      return try Self.summaries(of: statement)
    }
  }

  /// The hit of an id; nil when the store does not have it.
  public func summary(of id: HitID) throws(ConsoleError) -> IntakeSummary? {
    try read { () throws(StoreError) in
      let statement = try connection.prepare("SELECT pos, \(IntakeSchema.columns) FROM hit WHERE id = ?1")
      statement.bind(id.bytes, at: 1)
      return try Self.summaries(of: statement).first
    }
  }

  /// Gives hits to a reader in the form of an app's store, oldest first, one at a time, each with its tracker.
  ///
  /// - Returns: how many damaged ones were left out.
  package func export(
    limit: Int, to reader: (QueuedHit, _ tracker: String?) -> Void
  ) throws(ConsoleError) -> Int {
    try read { () throws(StoreError) in
      let statement = try connection.prepare("SELECT pos, \(IntakeSchema.columns) FROM hit ORDER BY pos LIMIT ?1")
      statement.bind(Int64(clamping: limit), at: 1)
      return try statement.query { row throws(StoreError) in
        var leftOut = 0
        while try row.step() {
          let stored = PositionedHit(row).hit
          if let hit = stored.queued { reader(hit, stored.tracker) } else { leftOut += 1 }
        }
        return leftOut
      }
    }
  }

  /// Looks at every page and every row.
  public func check() throws(ConsoleError) -> IntakeCheck {
    try read { () throws(StoreError) in
      try connection.execute("BEGIN")
      defer { connection.endReading() }
      let pages = try connection.prepare("PRAGMA quick_check(1)").query { row throws(StoreError) in
        try row.step() ? row.text(at: 0) : "no answer"
      }
      var check = IntakeCheck(pages: pages, isCounted: try isCounted())
      let statement = try connection.prepare("SELECT pos, \(IntakeSchema.columns) FROM hit ORDER BY pos")
      try statement.query { row throws(StoreError) in
        while try row.step() {
          check.hits += 1
          let stored = PositionedHit(row)
          if stored.hit.queued == nil, check.damaged.count < 100 { check.damaged.append(stored.position) }
        }
      }
      return check
    }
  }

  /// Whether the sums by property agree with the hits; a store of the first version has none.
  private func isCounted() throws(StoreError) -> Bool {
    guard try connection.integer("PRAGMA user_version") ?? 0 >= 2 else { return true }
    let kept = "SELECT property, hits, bytes FROM usage WHERE hits <> 0 OR bytes <> 0"
    let counted = IntakeSchema.countedUsage
    return try connection.integer(
      "SELECT (SELECT COUNT(*) FROM (\(kept) EXCEPT \(counted))) + (SELECT COUNT(*) FROM (\(counted) EXCEPT \(kept)))"
    ) == 0
  }

  /// The tally of the store.
  public func statistics() throws(ConsoleError) -> IntakeStatistics {
    try read { () throws(StoreError) in
      var statistics = IntakeStatistics()
      let hits = try connection.prepare(
        "SELECT property, kind, COUNT(*), SUM(\(IntakeSchema.bytesOfHit)) FROM hit "
          + "GROUP BY property, kind ORDER BY property, kind")
      while try hits.step() {
        statistics.hits.append(
          IntakeStatistics.Hits(
            property: hits.text(at: 0), kind: hits.text(at: 1), count: Int(hits.integer(at: 2)),
            bytes: hits.integer(at: 3)))
      }
      let rejected = try connection.prepare(
        "SELECT property, code, field, COUNT(*) FROM reject GROUP BY property, code, field ORDER BY property, code, field"
      )
      while try rejected.step() {
        statistics.rejected.append(
          IntakeStatistics.Rejected(
            property: rejected.optionalText(at: 0), code: rejected.text(at: 1), field: rejected.optionalText(at: 2),
            count: Int(rejected.integer(at: 3))))
      }
      return statistics
    }
  }

  private func read<Result>(_ work: () throws(StoreError) -> Result) throws(ConsoleError) -> Result {
    do throws(StoreError) {
      return try work()
    } catch {
      throw ConsoleError(code: .storeUnavailable, message: error.message, cause: error)
    }
  }

  private static func summaries(of statement: Statement) throws(StoreError) -> [IntakeSummary] {
    try statement.query { row throws(StoreError) in
      var summaries: [IntakeSummary] = []
      while try row.step() { summaries.append(IntakeSummary(PositionedHit(row))) }
      return summaries
    }
  }
}
