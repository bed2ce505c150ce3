import Dispatch
import Foundation

/// Commits, and what becomes of rows whose commit fails.
extension GroupWriter {
  /// Does everything that waits, on the writer's queue.
  func drain() {
    while let work = lock.withLock({ turns.next(limits: limits) }) {
      switch work {
      case .operation(let operation):
        // What made room may have made it for the rows as well.
        if operation() { lock.withLock { turns.clearObstacle() } }
      case .group(let entries):
        do throws(StoreError) { try commit(entries, waitingForLock: busyTimeout) } catch { fail(entries, by: error) }
      }
    }
  }

  /// Commits one group on the thread of a task, which may not wait for long.
  func commitGroup() {
    guard let entries = lock.withLock({ turns.takeGroup(limits: limits) }) else { return }
    do throws(StoreError) {
      try commit(entries, waitingForLock: Self.shortWait)
    } catch  where error.code == .busy {
      lock.withLock { turns.putBack(entries) }
      return queue.async { self.drain() }
    } catch {
      fail(entries, by: error)
    }
    switch lock.withLock({ turns.giveBackFromTask() }) {
    case .nothing: break
    // Behind the tasks whose rows are stored: what they send next is in its group.
    case .task: Task { self.commitGroup() }
    case .operations: queue.async { self.drain() }
    }
  }

  private func commit(_ entries: [Entry], waitingForLock timeout: Duration) throws(StoreError) {
    let stored = try timed { () throws(StoreError) in
      try inUse.transact(waitingForLock: timeout) { tables throws(StoreError) in
        var stored: [[Tables.Stored]] = []
        stored.reserveCapacity(entries.count)
        for entry in entries { stored.append(try Self.insert(entry.rows, into: tables)) }
        return stored
      }
    }
    // What a generic sequence is asked for costs more than the answer: see `WriteQueue`.
    for index in entries.indices { entries[index].end(.stored(stored[index])) }
  }

  /// Commits rows of a caller that has taken the turn for its own thread.
  func commitHere(
    _ rows: [Row], within budget: Duration, late: @escaping @Sendable (Outcome) -> Void
  ) -> Outcome {
    let start = DispatchTime.now().uptimeNanoseconds
    defer { endTurn(begunAt: start) }
    do throws(StoreError) {
      return .stored(
        try inUse.transact(waitingForLock: budget) { tables throws(StoreError) in try Self.insert(rows, into: tables) })
    } catch {
      guard case .keep = policy else { return .failed(error) }
      var entry = Self.entry(rows, done: late, late: late)
      entry.hasToldWaiting = true
      block([entry], by: error)
      return .waiting(error.code == .busy ? nil : error)
    }
  }

  private func fail(_ entries: [Entry], by error: StoreError) {
    guard case .keep = policy else {
      for entry in entries { entry.end(.failed(error)) }
      return
    }
    block(entries, by: error)
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
  func settleWaiting() {
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
}
