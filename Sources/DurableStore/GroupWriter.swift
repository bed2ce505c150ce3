import Dispatch
import Foundation

/// The one writer of a store: rows of many callers share transactions, a lone caller commits on its own thread.
///
/// While one transaction runs, new rows collect; the next takes them all, within the limits of a group. There is no
/// timer: an idle writer commits at once. Rows that come from tasks are committed by a task of their own: the tasks that
/// are ready to run before it have added theirs by then. Rows of one caller are committed in the order of its calls, and
/// rows given in one call in one transaction. A caller is told `stored` after COMMIT, never before (HQ-310 to HQ-313).
///
/// Operations (claims, settlements, reads) take their turn between transactions.
package final class GroupWriter<Tables: StoreTables>: Sendable {
  package typealias Row = Tables.Row
  package typealias Outcome = WriteOutcome<Tables.Stored>
  typealias Entry = WriteQueue<Row, Tables.Stored>.Entry

  let queue = DispatchQueue(label: "tagworks.store")
  let lock = NSLock()
  // Touched only under `lock`.
  nonisolated(unsafe) var turns = WriteQueue<Row, Tables.Stored>()
  // Touched only by the thread that holds the turn of `turns`.
  nonisolated(unsafe) let inUse: TablesInUse<Tables>
  let limits: GroupLimits
  let policy: FailurePolicy
  let busyTimeout: Duration
  // Whether the last transaction took longer than `slowness`: the next callers then do not commit on their own threads,
  // where nothing could bound the wait for a stalled disk (HQ-311). Touched only under `lock`.
  nonisolated(unsafe) private var isSlow = false
  // Touched only under `lock`.
  nonisolated(unsafe) var isRetryScheduled = false
  // Whose turns they are, by the forks before it. Touched only under `lock`.
  nonisolated(unsafe) private var forks = Forks.count
  private let slowness: UInt64 = 20_000_000
  /// What a caller's own thread, or that of a task, waits for another connection's lock.
  static var shortWait: Duration { .milliseconds(5) }

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
    inUse = try TablesInUse(recover: recover, open: open)
  }

  /// Why rows stand still in memory; nil while commits work.
  package var obstacle: StoreError? { lock.withLock { turns.obstacle } }

  /// Adds rows and returns at once; `done` is called on the writer's queue, at most once with `waiting` and then once
  /// with another outcome.
  package func submit(_ rows: [Row], done: @escaping @Sendable (Outcome) -> Void) {
    enter(Self.entry(rows, done: done, late: done))
  }

  /// Commits rows and returns after the commit, or with `waiting` when it takes longer than the budget.
  ///
  /// Whoever calls while the writer is idle commits here, on the calling thread. `late` is called when rows that were
  /// answered `waiting` have come to an end.
  package func write(
    _ rows: [Row], within budget: Duration, late: @escaping @Sendable (Outcome) -> Void
  ) -> Outcome {
    if takeTurnIfIdle() { return commitHere(rows, within: budget, late: late) }
    let answer = FirstAnswer<Outcome>()
    let done: @Sendable (Outcome) -> Void = { outcome in
      if !answer.give(outcome) { late(outcome) }
    }
    enter(Self.entry(rows, done: done, late: late))
    return answer.wait(for: budget) ?? .waiting(nil)
  }

  /// Commits one row here and now, when the writer is idle, no other connection holds the lock and the row needs no
  /// transaction; nil when not, and the row is as it was.
  ///
  /// It is the shortest way, for callers that send one row at a time: everything else has its place in `write`.
  package func writeAlone(_ row: Row) -> Tables.Stored? {
    guard takeTurnIfIdle() else { return nil }
    let start = DispatchTime.now().uptimeNanoseconds
    let stored = inUse.commitAlone(row)
    endTurn(begunAt: start)
    return stored
  }

  /// Commits rows and returns after the commit, or with `waiting` when they stand still.
  ///
  /// `late` is called when rows that were answered `waiting` have come to an end.
  package func write(_ rows: [Row], late: @escaping @Sendable (Outcome) -> Void) async -> Outcome {
    // Each entry is told one first outcome; to have that checked costs as much as a fifth of the commit.
    await withUnsafeContinuation { continuation in
      let entry = Self.entry(rows, done: { continuation.resume(returning: $0) }, late: late)
      let (mustStartTask, mustDrain, isBlocked) = lock.withLock {
        // A task is no place to wait for a slow disk.
        isSlow
          ? (false, turns.submit(entry), turns.obstacle != nil)
          : (turns.submitForTask(entry), false, turns.obstacle != nil)
      }
      if mustStartTask { Task { self.commitGroup() } }
      if mustDrain { queue.async { self.drain() } }
      if isBlocked { settleWaiting() }
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
    guard takeTurnIfIdle() else { return nil }
    let start = DispatchTime.now().uptimeNanoseconds
    defer { endTurn(begunAt: start) }
    do throws(StoreError) {
      return .success(try inUse.perform(waitingForLock: Self.shortWait, work))
    } catch {
      // Whatever waits longer for a lock does so on the writer's queue.
      return error.code == .busy ? nil : .failure(error)
    }
  }

  /// Runs work on the tables, in turn, and waits for it on the calling thread.
  package func performAndWait<Result: Sendable>(
    _ work: @escaping @Sendable (Tables) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if let result = performHere(work) { return try result.get() }
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
    enter(Self.entry([], done: done, late: done))
    switch answer.wait(for: budget) {
    case .stored: return
    case .waiting(let error?), .failed(let error): throw error
    case .waiting(nil), nil: throw StoreError(code: .busy, message: "flush: another connection holds the lock")
    }
  }

  private func enter(_ entry: Entry) {
    let (mustDrain, isBlocked) = lock.withLock { (turns.submit(entry), turns.obstacle != nil) }
    if mustDrain { queue.async { self.drain() } }
    if isBlocked { settleWaiting() }
  }

  private func enter<Result: Sendable>(
    operation work: @escaping @Sendable (Tables) throws(StoreError) -> Result,
    done: @escaping @Sendable (Swift.Result<Result, StoreError>) -> Void
  ) {
    let mustDrain = lock.withLock {
      turns.submit {
        do throws(StoreError) {
          let result = try self.timed { () throws(StoreError) in
            try self.inUse.perform(waitingForLock: self.busyTimeout, work)
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

  /// Takes the turn for the calling thread, when nobody waits for it and the disk is not slow.
  private func takeTurnIfIdle() -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if forks != Forks.count { leaveParent() }
    return !isSlow && turns.takeIfIdle()
  }

  /// Begins anew in a forked process: what was under way, or waits, is the parent's to end.
  private func leaveParent() {
    forks = Forks.count
    turns = WriteQueue()
    isSlow = false
    isRetryScheduled = false
  }

  /// Whether work that began then is a reason to leave the next to the queue; never in a forked process, where no queue
  /// of Dispatch works any more.
  private func isSlow(since start: UInt64) -> Bool {
    DispatchTime.now().uptimeNanoseconds - start > slowness && Forks.count == 0
  }

  /// Gives the turn of the calling thread back.
  func endTurn(begunAt start: UInt64) {
    lock.lock()
    isSlow = isSlow(since: start)
    let isFree = turns.giveBack()
    lock.unlock()
    if !isFree { queue.async { self.drain() } }
  }

  /// Notes how long work took.
  func timed<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let start = DispatchTime.now().uptimeNanoseconds
    defer {
      let isSlow = isSlow(since: start)
      lock.withLock { self.isSlow = isSlow }
    }
    return try work()
  }

  static func entry(
    _ rows: [Row], done: @escaping @Sendable (Outcome) -> Void, late: @escaping @Sendable (Outcome) -> Void
  ) -> Entry {
    var (count, bytes) = (0, 0)
    for index in rows.indices {
      count += Tables.count(of: rows[index])
      bytes += Tables.bytes(of: rows[index])
    }
    return Entry(rows: rows, count: count, bytes: bytes, done: done, late: late)
  }
}
