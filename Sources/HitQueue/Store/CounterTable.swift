import DurableStore
import Hits

/// The `counter` table: changes collect in memory and are written by the transaction that they belong to.
final class CounterTable {
  private struct Key: Hashable {
    var name: HitCounters.Name
    var lane: Int64
  }

  private var changes: [Key: Int64] = [:]
  private let addition: Statement
  private let pending: PendingCounts
  /// What the transaction under way took from `pending`.
  private var taken: [HitCounters.Name: Int] = [:]

  init(_ connection: Connection, pending: PendingCounts) throws(StoreError) {
    self.pending = pending
    addition = try connection.prepare(
      "INSERT INTO counter(name, lane, value) VALUES(?1, ?2, ?3) ON CONFLICT(name, lane) DO UPDATE SET value = value + ?3"
    )
  }

  /// Notes a change; lane 0 is none.
  func add(_ count: Int, to name: HitCounters.Name, lane: Int64) {
    if count != 0 { changes[Key(name: name, lane: lane), default: 0] += Int64(count) }
  }

  /// Writes what was noted, inside a transaction.
  func write() throws(StoreError) {
    taken = pending.take()
    for (name, count) in taken { add(count, to: name, lane: 0) }
    for (key, count) in changes {
      addition.bind(key.name.rawValue, at: 1)
      addition.bind(key.lane, at: 2)
      addition.bind(count, at: 3)
      try addition.run()
    }
    changes.removeAll(keepingCapacity: true)
  }

  /// Keeps what a transaction has written.
  func didCommit() { taken = [:] }

  /// Forgets what a transaction that was rolled back had noted.
  func forget() {
    changes.removeAll()
    for (name, count) in taken { pending.add(count, to: name) }
    taken = [:]
  }

  /// All counters as they are on disk.
  static func read(_ connection: Connection) throws(StoreError) -> HitCounters {
    let statement = try connection.prepare("SELECT name, lane, value FROM counter")
    return try statement.query { row throws(StoreError) in
      var counters = HitCounters()
      while try row.step() {
        counters.byLane[HitCounters.Name(rawValue: row.text(at: 0)), default: [:]][row.integer(at: 1)] =
          row.integer(at: 2)
      }
      return counters
    }
  }
}
