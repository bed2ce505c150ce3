public import Hits

/// The port that keeps data-layer values with a lifetime from one run of the app to the next (TM-543).
///
/// The engine decides what is kept and for how long; a storage only keeps it. Calls come from a background task, one at
/// a time.
public protocol DataLayerStorage: Sendable {
  /// Reads what was stored last, in the order it was stored; nothing at first.
  ///
  /// - Throws: when there is something that cannot be read; the data layer then starts without it, and a warning tells.
  func load() throws -> [PersistedRow]

  /// Replaces everything that was stored.
  func store(_ rows: [PersistedRow]) throws

  /// Deletes the row of a path and all rows below it.
  func remove(prefix: String) throws
}

/// One data-layer value that is kept (TM-541).
public struct PersistedRow: Sendable, Hashable, Codable {
  /// The dotted path of the value, or a literal key (TM-511).
  public var path: String
  /// The value: a scalar, a whole list, or a map that a path cannot lead into.
  public var value: Value
  /// When it ends to be kept, in milliseconds since 1970 UTC.
  public var expiry: Int64

  /// Makes a row.
  public init(path: String, value: Value, expiry: Int64) {
    self.path = path
    self.value = value
    self.expiry = expiry
  }

  /// Whether the row is a prefix's own or below it.
  public func isAtOrBelow(prefix: String) -> Bool {
    path.hasSameScalars(as: prefix) || path.startsWithScalars(of: prefix + ".")
  }
}

/// A storage that lives as long as the process, for tests and for apps that keep nothing.
public final class InMemoryDataLayerStorage: DataLayerStorage {
  private let rows: Locked<[PersistedRow]>

  /// Makes a storage that holds some rows.
  public init(_ rows: [PersistedRow] = []) { self.rows = Locked(rows) }

  /// Reads what was stored last.
  public func load() -> [PersistedRow] { rows.withLock { $0 } }

  /// Replaces everything that was stored.
  public func store(_ rows: [PersistedRow]) { self.rows.withLock { $0 = rows } }

  /// Deletes the row of a path and all rows below it.
  public func remove(prefix: String) { rows.withLock { $0.removeAll { $0.isAtOrBelow(prefix: prefix) } } }
}
