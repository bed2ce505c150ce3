/// What became of rows given to a `GroupWriter`.
package enum WriteOutcome<Stored: Sendable>: Sendable {
  /// Committed: they survive the death of the process.
  case stored([Stored])
  /// In memory, in order; the commit goes on. Nil: it only takes its time. The error: what it waits for.
  case waiting(StoreError?)
  /// Not committed, and no longer in memory.
  case failed(StoreError)
}

/// What a `GroupWriter` does with rows whose commit failed.
package enum FailurePolicy: Sendable {
  /// Tells the callers; the rows are theirs again.
  case report
  /// Keeps the rows in memory, in order, and tries again: every 50 ms behind another connection's lock (HQ-314), every
  /// 5 s and after each operation that succeeds for all else. Above the bounds the oldest fail (HQ-340).
  case keep(rows: Int, bytes: Int)
}

/// The most that one transaction takes; a caller's rows stay together, whatever their number.
package struct GroupLimits: Sendable {
  package var rows: Int
  package var bytes: Int

  package init(rows: Int = 512, bytes: Int = 256 << 10) {
    self.rows = rows
    self.bytes = bytes
  }
}
