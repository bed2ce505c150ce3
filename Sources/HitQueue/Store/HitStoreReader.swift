import DurableStore

/// Looks into the store of a directory without taking part in it; works while an app has it open (HQ-910).
public struct HitStoreReader: Sendable {
  private let path: String

  /// Looks into the store of a directory.
  ///
  /// - Throws: `storeUnavailable` when there is none.
  public init(directory: String) throws(HitQueueError) {
    path = directory + "/hits.sqlite3"
    _ = try statistics()
  }

  /// Looks whether there is a store in a directory, sound or damaged: a damaged one is mended when it is opened for work.
  ///
  /// - Throws: `storeUnavailable` when there is none.
  package static func find(in directory: String) throws(HitQueueError) {
    do throws(HitQueueError) { _ = try HitStoreReader(directory: directory) } catch {
      guard error.isDamage else { throw error }
    }
  }

  /// Looks at every page and every row of the store in a directory, in what state ever it is.
  ///
  /// - Throws: `storeUnavailable` when there is none.
  package static func check(in directory: String) throws(HitQueueError) -> HitStoreCheck {
    do throws(HitQueueError) { return try HitStoreReader(directory: directory).check() } catch {
      guard error.isDamage else { throw error }
      return HitStoreCheck(isConserved: false, pages: error.message, hits: 0, damaged: [])
    }
  }

  /// Hits, oldest first.
  public func inspect(_ query: HitQuery) throws(HitQueueError) -> [HitSummary] {
    try read { inspection throws(StoreError) in try inspection.hits(query) }
  }

  /// Counters, lanes and totals, all of one moment.
  public func statistics() throws(HitQueueError) -> HitStatistics {
    try read { inspection throws(StoreError) in try inspection.statistics() }
  }

  /// Gives hits to a reader, oldest first, one at a time.
  ///
  /// - Returns: how many damaged ones were left out.
  package func export(_ query: HitQuery, to reader: (ExportedHit) -> Void) throws(HitQueueError) -> Int {
    try read { inspection throws(StoreError) in try inspection.export(query, to: reader) }
  }

  /// Looks at every page and every row.
  public func check() throws(HitQueueError) -> HitStoreCheck {
    try read { inspection throws(StoreError) in try inspection.check() }
  }

  private func read<Result>(
    _ body: (HitInspection) throws(StoreError) -> Result
  ) throws(HitQueueError) -> Result {
    do throws(StoreError) {
      let connection = try Connection(readingFrom: path)
      try HitSchema.schema.check(connection)
      guard try connection.integer("PRAGMA user_version") ?? 0 > 0 else {
        throw StoreError(code: .cannotOpen, message: "\(path) is only being made")
      }
      return try body(HitInspection(connection))
    } catch {
      throw HitQueueError(error)
    }
  }
}
