/// The tables of one store and the prepared statements on them, used by one thread at a time.
package protocol StoreTables: AnyObject, SendableMetatype {
  /// What is written.
  associatedtype Row: Sendable
  /// What is told about a row that was written.
  associatedtype Stored: Sendable

  /// The connection of the statements.
  var connection: Connection { get }

  /// Writes one row, inside the writer's transaction.
  func insert(_ row: Row) throws(StoreError) -> Stored

  /// Commits one row by a statement of its own, which costs less than a transaction around it; nil when the row needs one.
  func commitAlone(_ row: Row) throws(StoreError) -> Stored?

  /// Writes what belongs to all rows of a transaction; called once before its commit.
  func willCommit() throws(StoreError)

  /// Keeps what a transaction that is committed has left in memory; called after its commit.
  func didCommit()

  /// Forgets what a transaction that was rolled back has left in memory.
  func didRollBack()

  /// The bytes of a row, for the bound of a group.
  static func bytes(of row: Row) -> Int

  /// How many it counts for, for the other bound of a group; 1 unless a row stands for several.
  static func count(of row: Row) -> Int
}

extension StoreTables {
  package func commitAlone(_ row: Row) throws(StoreError) -> Stored? { nil }

  package func didCommit() {}

  package static func count(of row: Row) -> Int { 1 }
}
