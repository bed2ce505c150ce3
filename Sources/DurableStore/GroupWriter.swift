import Dispatch
import Foundation

/// The one writer of a store: rows of many callers share transactions, a lone caller commits on its own thread.
///
/// While one transaction runs, new rows collect; the next takes them all, within the limits of a group. There is no
/// timer: an idle writer commits at once. Rows of one caller are committed in the order of its calls, and rows given in
/// one call in one transaction. A caller is told `stored` after COMMIT, never before (HQ-310 to HQ-313).
///
/// Operations (claims, settlements, reads) take their turn between transactions and run on the writer's queue.
package final class GroupWriter<Tables: StoreTables>: Sendable {
  package typealias Row = Tables.Row
  package typealias Outcome = WriteOutcome<Tables.Stored>
  private typealias Entry = WriteQueue<Row, Tables.Stored>.Entry

  private let queue = DispatchQueue(label: "tagworks.store")
  private let lock = NSLock()
  // Touched only under `lock`.
  nonisolated(unsafe) private var turns = WriteQueue<Row, Tables.Stored>()
  private let limits: GroupLimits
  private let policy: FailurePolicy
  private let busyTimeout: Duration
  private let open: @Sendable () throws(StoreError) -> Tables
  private let recover: @Sendable (StoreError, Tables) throws(StoreError) -> Tables
  // Touched only by the thread that holds the turn of `turns`.
  nonisolated(unsafe) private var recoveredAt: UInt64?
  // Touched only by the thread that holds the turn of `turns`.
  nonisolated(unsafe) private var tables: Tables
  nonisolated(unsafe) private var process: pid_t
  // Whether the last transaction took longer than `slowness`: the next callers then do not commit on their own threads,
  // where nothing could bound the wait for a stalled disk (HQ-311). Touched only under `lock`.
  nonisolated(unsafe) private var isSlow = false
  // Touched only under `lock`.
  nonisolated(unsafe) private var isRetryScheduled = false
  private let slowness: UInt64 = 20_000_000

  /// Opens the tables.
  ///
  /// - Parameters:
  ///   - recover: brings the tables back after an error, or throws it again (HQ-350, HQ-353).
  ///   - open: makes the connection and its statements; called again in a forked process, where a connection of the
  ///     parent may not be used (HQ-322).
  package init(
    limits: GroupLimits = GroupLimits(), policy: FailurePolicy, busyTimeout: Duration = .seconds(5),
    recover: @escaping @Sendable (StoreError, Tables) throws(StoreError) -> Tables = { error, _ throws(StoreError) in
      throw error
    },
    open: @escaping @Sendable () throws(StoreError) -> Tables
  ) throws(StoreError) {
    self.limits = limits
    self.policy = policy
    self.busyTimeout = busyTimeout
    self.open = open
    self.recover = recover
    tables = try open()
    process = getpid()
  }

  /// Why rows stand still in memory; nil while commits work.
  package var obstacle: StoreError? { lock.withLock { turns.obstacle } }

  /// Adds rows and returns at once; `done` is called on the writer's queue, at most once with `waiting` and then once
  /// with another outcome.
  package func submit(_ rows: [Row], done: @escaping @Sendable (Outcome) -> Void) {
    enter(Entry(rows: rows, bytes: Self.bytes(of: rows), done: done, late: done))
  }

  /// Commits rows and returns after the commit, or with `waiting` when it takes longer than the budget.
  ///
  /// Whoever calls while the writer is idle commits here, on the calling thread. `late` is called when rows that were
  /// answered `waiting` have come to an end.
  package func write(
    _ rows: [Row], within budget: Duration, late: @escaping @Sendable (Outcome) -> Void
  ) -> Outcome {
    if lock.withLock({ !isSlow && turns.takeIfIdle() }) { return commitHere(rows, within: budget, late: late) }
    let answer = FirstAnswer<Outcome>()
    let done: @Sendable (Outcome) -> Void = { outcome in
      if !answer.give(outcome) { late(outcome) }
    }
    enter(Entry(rows: rows, bytes: Self.bytes(of: rows), done: done, late: late))
    return answer.wait(for: budget) ?? .waiting(nil)
  }

  /// Commits one row here and now, when the writer is idle, no other connection holds the lock and the row needs no
  /// transaction; nil when not, and the row is as it was.
  ///
  /// It is the shortest way, for callers that send one row at a time: everything else has its place in `write`.
  package func writeAlone(_ row: Row) -> Tables.Stored? {
    guard lock.withLock({ !isSlow && turns.takeIfIdle() }) else { return nil }
    let start = DispatchTime.now().uptimeNanoseconds
    var stored: Tables.Stored?
    do throws(StoreError) {
      try prepareTables(waitingForLock: .zero)
      stored = try tables.commitAlone(row)
      // The row went with its file: `write` sees to it.
      if !tables.connection.isInPlace { stored = nil }
    } catch {
      // `write` meets the same obstacle, and knows what to do.
      tables.didRollBack()
    }
    let wasSlow = DispatchTime.now().uptimeNanoseconds - start > slowness
    let mustDrain = lock.withLock {
      isSlow = wasSlow
      return !turns.giveBack()
    }
    if mustDrain { queue.async { self.drain() } }
    return stored
  }

  /// Commits rows and returns after the commit, or with `waiting` when they stand still.
  ///
  /// `late` is called when rows that were answered `waiting` have come to an end.
  package func write(_ rows: [Row], late: @escaping @Sendable (Outcome) -> Void) async -> Outcome {
    await withCheckedContinuation { continuation in
      enter(
        Entry(
          rows: rows, bytes: Self.bytes(of: rows), done: { continuation.resume(returning: $0) }, late: late))
    }
  }

  /// Runs work on the tables, in turn; the work makes its own transaction, and is run again when another connection
  /// held the lock.
  package func perform<Result: Sendable>(
    _ work: @escaping @Sendable (Tables) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    if let result = performHere(work) { return try result.get() }
    let result = await withCheckedContinuation { continuation in
      enter(operation: work) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Runs work on the calling thread when the writer is idle and no other connection holds the lock; nil when not.
  private func performHere<Result: Sendable>(
    _ work: @Sendable (Tables) throws(StoreError) -> Result
  ) -> Swift.Result<Result, StoreError>? {
    guard lock.withLock({ !isSlow && turns.takeIfIdle() }) else { return nil }
    defer { if !lock.withLock({ turns.giveBack() }) { queue.async { self.drain() } } }
    do throws(StoreError) {
      return .success(
        try timed { () throws(StoreError) in
          try recovering { () throws(StoreError) in
            try prepareTables(waitingForLock: .milliseconds(5))
            return try work(tables)
          }
        })
    } catch {
      // Whatever waits longer for a lock does so on the writer's queue.
      return error.code == .busy ? nil : .failure(error)
    }
  }

  /// Runs work on the tables, in turn, and waits for it on the calling thread.
  package func performAndWait<Result: Sendable>(
    _ work: @escaping @Sendable (Tables) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let answer = FirstAnswer<Swift.Result<Result, StoreError>>()
    enter(operation: work) { _ = answer.give($0) }
    return try answer.wait().get()
  }

  /// Commits everything that waits, and returns when it is on disk (HQ-316).
  ///
  /// - Throws: why some rows are still in memory; `busy` when another connection holds the lock beyond the budget.
  package func flush(within budget: Duration = .seconds(10)) throws(StoreError) {
    if lock.withLock({ turns.resume() }) { queue.async { self.drain() } }
    let answer = FirstAnswer<Outcome>()
    // No rows of its own: it is committed when all before it are.
    let done: @Sendable (Outcome) -> Void = { _ = answer.give($0) }
    enter(Entry(rows: [], bytes: 0, done: done, late: done))
    switch answer.wait(for: budget) {
    case .stored: return
    case .waiting(let error?), .failed(let error): throw error
    case .waiting(nil), nil: throw StoreError(code: .busy, message: "flush: another connection holds the lock")
    }
  }

  private func enter(_ entry: Entry) {
    let mustDrain = lock.withLock { turns.submit(entry) }
    if mustDrain { queue.async { self.drain() } }
    settleWaiting()
  }

  private func enter<Result: Sendable>(
    operation work: @escaping @Sendable (Tables) throws(StoreError) -> Result,
    done: @escaping @Sendable (Swift.Result<Result, StoreError>) -> Void
  ) {
    let mustDrain = lock.withLock {
      turns.submit {
        do throws(StoreError) {
          let result = try self.timed { () throws(StoreError) in
            try self.recovering { () throws(StoreError) in
              try self.prepareTables(waitingForLock: self.busyTimeout)
              return try work(self.tables)
            }
          }
          done(.success(result))
          return true
        } catch {
          done(.failure(error))
          return false
        }
      }
    }
    if mustDrain { queue.async { self.drain() } }
  }

  private func drain() {
    while let work = lock.withLock({ turns.next(limits: limits) }) {
      switch work {
      case .operation(let operation):
        // What made room may have made it for the rows as well.
        if operation() { lock.withLock { turns.clearObstacle() } }
      case .group(let entries):
        commit(entries)
      }
    }
  }

  private func commit(_ entries: [Entry]) {
    do throws(StoreError) {
      let stored = try timed { () throws(StoreError) in
        try transact(waitingForLock: busyTimeout) { tables throws(StoreError) in
          var stored: [[Tables.Stored]] = []
          stored.reserveCapacity(entries.count)
          for entry in entries { stored.append(try Self.insert(entry.rows, into: tables)) }
          return stored
        }
      }
      for (entry, stored) in zip(entries, stored) { entry.end(.stored(stored)) }
    } catch {
      guard case .keep = policy else {
        for entry in entries { entry.end(.failed(error)) }
        return
      }
      block(entries, by: error)
    }
  }

  private func commitHere(
    _ rows: [Row], within budget: Duration, late: @escaping @Sendable (Outcome) -> Void
  ) -> Outcome {
    defer { if !lock.withLock({ turns.giveBack() }) { queue.async { self.drain() } } }
    do throws(StoreError) {
      return .stored(
        try timed { () throws(StoreError) in
          try transact(waitingForLock: budget) { tables throws(StoreError) in try Self.insert(rows, into: tables) }
        })
    } catch {
      guard case .keep = policy else { return .failed(error) }
      block([Entry(rows: rows, bytes: Self.bytes(of: rows), hasToldWaiting: true, done: late, late: late)], by: error)
      return .waiting(error.code == .busy ? nil : error)
    }
  }

  private func timed<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let start = DispatchTime.now().uptimeNanoseconds
    defer {
      let isSlow = DispatchTime.now().uptimeNanoseconds - start > slowness
      lock.withLock { self.isSlow = isSlow }
    }
    return try work()
  }

  private func transact<Result>(
    waitingForLock timeout: Duration, _ work: (Tables) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try recovering { () throws(StoreError) in
      try prepareTables(waitingForLock: timeout)
      let tables = self.tables
      do throws(StoreError) {
        let result = try tables.connection.transaction { () throws(StoreError) in
          let result = try work(tables)
          try tables.willCommit()
          return result
        }
        tables.didCommit()
        guard tables.connection.isInPlace else { throw Self.replaced(tables) }
        return result
      } catch {
        tables.didRollBack()
        throw error
      }
    }
  }

  /// Does the work, and once more with other tables when these are damaged or gone.
  private func recovering<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) { return try work() } catch {
      guard error.code == .damaged || error.code == .replaced else { throw error }
      let now = DispatchTime.now().uptimeNanoseconds
      // Once a second at most: whatever keeps breaking the store gets no storm.
      guard recoveredAt.map({ now - $0 >= 1_000_000_000 }) ?? true else { throw error }
      recoveredAt = now
      tables = try recover(error, tables)
      return try work()
    }
  }

  private static func replaced(_ tables: Tables) -> StoreError {
    StoreError(code: .replaced, message: "\(tables.connection.path) was removed or replaced")
  }

  private func prepareTables(waitingForLock timeout: Duration) throws(StoreError) {
    try renewAfterFork()
    guard tables.connection.isInPlace else { throw Self.replaced(tables) }
    tables.connection.setBusyTimeout(timeout)
  }

  private func renewAfterFork() throws(StoreError) {
    guard process != getpid() else { return }
    // The parent's connection is left open: closing it here would touch the parent's locks and log.
    _ = Unmanaged.passRetained(tables)
    tables = try open()
    process = getpid()
  }

  private func block(_ entries: [Entry], by error: StoreError) {
    let mustSchedule = lock.withLock {
      turns.block(entries, by: error)
      defer { isRetryScheduled = true }
      return !isRetryScheduled
    }
    settleWaiting()
    guard mustSchedule else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.pause(after: error))) {
      let mustDrain = self.lock.withLock {
        self.isRetryScheduled = false
        return self.turns.resume()
      }
      if mustDrain { self.drain() }
    }
  }

  private static func pause(after error: StoreError) -> Int {
    switch error.code {
    case .busy: 50
    case .damaged, .replaced: 1_000
    default: 5_000
    }
  }

  /// Tells callers whose rows stand still, and lets rows above the bounds go.
  private func settleWaiting() {
    guard case .keep(let rows, let bytes) = policy else { return }
    let (obstacle, callers, dropped) = lock.withLock { () -> (StoreError?, [@Sendable (Outcome) -> Void], [Entry]) in
      guard let obstacle = turns.obstacle else { return (nil, [], []) }
      // Behind another connection's lock it is only a matter of time: nobody needs to hear of it.
      let callers = obstacle.code == .busy ? [] : turns.waitingCallers()
      return (obstacle, callers, turns.overflow(rows: rows, bytes: bytes))
    }
    guard let obstacle else { return }
    for tell in callers { tell(.waiting(obstacle)) }
    for entry in dropped { entry.end(.failed(obstacle)) }
  }

  private static func insert(_ rows: [Row], into tables: Tables) throws(StoreError) -> [Tables.Stored] {
    var stored: [Tables.Stored] = []
    stored.reserveCapacity(rows.count)
    for row in rows { stored.append(try tables.insert(row)) }
    return stored
  }

  private static func bytes(of rows: [Row]) -> Int { rows.reduce(0) { $0 + Tables.bytes(of: $1) } }
}
