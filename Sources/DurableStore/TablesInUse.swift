import Dispatch

/// The tables that a writer works on.
///
/// They are opened, opened again in a forked process, and brought back when they are damaged or their file is gone. Where
/// their file may not be read yet, they are opened when it may.
///
/// One thread at a time touches it: the one that has the writer's turn.
final class TablesInUse<Tables: StoreTables> {
  private var tables: Tables?
  private let open: @Sendable () throws(StoreError) -> Tables
  private let recover: @Sendable (StoreError, Tables) throws(StoreError) -> Tables
  private var forks = Forks.count
  private var recoveredAt: UInt64?

  init(
    recover: @escaping @Sendable (StoreError, Tables) throws(StoreError) -> Tables,
    open: @escaping @Sendable () throws(StoreError) -> Tables
  ) throws(StoreError) {
    self.open = open
    self.recover = recover
    do throws(StoreError) { tables = try open() } catch {
      guard error.isLockout else { throw error }
    }
  }

  /// Runs work that makes its own transaction, waiting so long for another connection's lock.
  func perform<Result>(
    waitingForLock timeout: Duration, _ work: (Tables) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try recovering { () throws(StoreError) in
      try work(try prepared(waitingForLock: timeout))
    }
  }

  /// Runs work in one transaction, waiting so long for another connection's lock.
  func transact<Result>(
    waitingForLock timeout: Duration, _ work: (Tables) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try recovering { () throws(StoreError) in
      let tables = try prepared(waitingForLock: timeout)
      do throws(StoreError) {
        let result = try tables.connection.transaction { () throws(StoreError) in
          let result = try work(tables)
          try tables.willCommit()
          return result
        }
        tables.didCommit()
        // A commit to a file without a name is none.
        guard tables.connection.isInPlace else { throw Self.replaced(tables) }
        return result
      } catch {
        tables.didRollBack()
        throw error
      }
    }
  }

  /// Commits one row without waiting for a lock; nil when that cannot be done, and the row is as it was.
  func commitAlone(_ row: Tables.Row) -> Tables.Stored? {
    guard let tables, forks == Forks.count else { return nil }
    do throws(StoreError) {
      tables.connection.setBusyTimeout(.zero)
      let stored = try tables.commitAlone(row)
      // The row went with its file: a transaction sees to it.
      return stored == nil || tables.connection.isInPlace ? stored : nil
    } catch {
      // A transaction meets the same obstacle, and knows what to do.
      tables.didRollBack()
      return nil
    }
  }

  /// Does the work, and once more with other tables when these are damaged or gone.
  private func recovering<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) { return try work() } catch {
      guard error.code == .damaged || error.code == .replaced, let tables else { throw error }
      let now = DispatchTime.now().uptimeNanoseconds
      // Once a second at most: whatever keeps breaking the store gets no storm.
      guard recoveredAt.map({ now - $0 >= 1_000_000_000 }) ?? true else { throw error }
      recoveredAt = now
      self.tables = try recover(error, tables)
      return try work()
    }
  }

  private static func replaced(_ tables: Tables) -> StoreError {
    StoreError(code: .replaced, message: "\(tables.connection.path) was removed or replaced")
  }

  private func prepared(waitingForLock timeout: Duration) throws(StoreError) -> Tables {
    let tables = try current()
    guard tables.connection.isInPlace else { throw Self.replaced(tables) }
    tables.connection.setBusyTimeout(timeout)
    return tables
  }

  private func current() throws(StoreError) -> Tables {
    if let tables, forks == Forks.count { return tables }
    // The parent's connection is left open: closing it here would touch the parent's locks and log.
    if let tables { _ = Unmanaged.passRetained(tables) }
    let opened = try open()
    tables = opened
    forks = Forks.count
    return opened
  }
}
