import DurableStore

/// Sees to it that no sequence is ever used twice, not even by a store that was made anew (HQ-104).
///
/// The identity file names a mark that no sequence is above. It is raised in steps before it is passed, so that a new
/// store beside an old identity starts above all that was ever given.
final class SequenceReserve {
  private static let step: Int64 = 10_000
  private let identity: IdentityFile
  private var mark: Int64

  init(_ connection: Connection, identity: IdentityFile) throws(StoreError) {
    self.identity = identity
    mark = try identity.read()?.sequence ?? 0
    guard mark > 0 else { return }
    let start = try connection.prepare(
      "INSERT INTO sqlite_sequence(name, seq) SELECT 'hit', ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'hit')"
    )
    try connection.transaction { () throws(StoreError) in
      start.bind(mark, at: 1)
      try start.run()
    }
  }

  /// Raises the mark when a sequence of the transaction under way has passed it.
  func use(_ sequence: Int64) throws(StoreError) {
    guard sequence > mark else { return }
    mark = try identity.update { $0.sequence = max($0.sequence, sequence) + Self.step }.sequence
  }
}
