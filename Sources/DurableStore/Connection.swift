import CSQLite

/// One SQLite connection, used by one thread at a time.
///
/// It is opened without SQLite's own mutexes; whoever owns it keeps threads apart (`GroupWriter` does). Opening sets the
/// pragmas of HQ-306. A file system without shared memory gets a rollback journal instead of the write-ahead log, with
/// full synchronisation, and says so in `isWriteAheadLogged`.
package final class Connection {
  /// What a commit survives (HQ-310).
  package enum Durability: Sendable {
    /// The death of the process at any byte.
    case processDeath
    /// The loss of power too.
    case powerLoss
  }

  /// The file's path.
  package let path: String
  /// Whether commits go to a write-ahead log.
  package let isWriteAheadLogged: Bool
  /// The file that was opened, by its name; nil where another at its place does not matter.
  package private(set) var place: FilePlace?
  let handle: OpaquePointer
  private var busyMilliseconds: Int32 = 0
  private var begin: Statement?
  private var commit: Statement?

  /// Opens a file for reading and writing; it is made when missing.
  package convenience init(path: String, durability: Durability, busyTimeout: Duration = .seconds(5)) throws(StoreError)
  {
    let handle = try Self.open(path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, busyTimeout: busyTimeout)
    do {
      self.init(path: path, handle: handle, isWriteAheadLogged: try Self.configure(handle, durability, busyTimeout))
    } catch {
      sqlite3_close_v2(handle)
      throw error
    }
    busyMilliseconds = Int32(clamping: busyTimeout.milliseconds)
    place = FilePlace(path: path)
  }

  /// Whether the open file is still the one of that name (HQ-353).
  package var isInPlace: Bool { place?.isHeld ?? true }

  /// Opens a damaged file to read what can be read, with its log or the file alone.
  package convenience init(salvaging path: String, withLog: Bool) throws(StoreError) {
    try StoreDirectory.checkContent(path)
    // In a name of this form three bytes have a meaning of their own.
    let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    let handle = try Self.open(
      "file:\(escaped)\(withLog ? "" : "?immutable=1")", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
      busyTimeout: .seconds(1))
    self.init(path: path, handle: handle, isWriteAheadLogged: withLog)
  }

  /// Looks whether an existing file is sound, which reads all of it.
  ///
  /// - Throws: `damaged` when it is not.
  package static func check(_ path: String) throws(StoreError) {
    guard FileIdentity(path: path) != nil else { return }
    let handle = try open(path, flags: SQLITE_OPEN_READWRITE, busyTimeout: .seconds(5))
    defer { sqlite3_close_v2(handle) }
    let check = try Statement("PRAGMA quick_check(1)", handle: handle)
    defer { check.finalize() }
    guard try check.step(), check.text(at: 0) == "ok" else {
      throw StoreError(code: .damaged, message: "\(path) is damaged")
    }
  }

  /// Opens an existing file for reading only.
  ///
  /// - Throws: `cannotOpen` where there is none or an empty one, `insecure` for a symbolic link or another user's file.
  package convenience init(readingFrom path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
    try StoreDirectory.checkContent(path)
    let handle = try Self.open(path, flags: SQLITE_OPEN_READONLY, busyTimeout: busyTimeout)
    self.init(path: path, handle: handle, isWriteAheadLogged: true)
  }

  private init(path: String, handle: OpaquePointer, isWriteAheadLogged: Bool) {
    self.path = path
    self.handle = handle
    self.isWriteAheadLogged = isWriteAheadLogged
  }

  deinit {
    // Statements hold their connection strongly but for these two, so no statement is left here but them.
    begin?.finalize()
    commit?.finalize()
    sqlite3_close_v2(handle)
  }

  private static func open(_ path: String, flags: Int32, busyTimeout: Duration) throws(StoreError) -> OpaquePointer {
    try check(version: sqlite3_libversion_number())
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let handle = opened else {
      let error = StoreError(opened, path: path, doing: "open")
      // A failed open still gives a handle to close.
      sqlite3_close_v2(opened)
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    // Before any pragma: even they meet a busy file.
    sqlite3_busy_timeout(handle, Int32(clamping: busyTimeout.milliseconds))
    _ = csqlite_defensive(handle)
    return handle
  }

  /// Refuses a library that lacks what the stores need (HQ-303).
  package static func check(version: Int32) throws(StoreError) {
    guard version < 3_024_000 else { return }
    throw StoreError(code: .sqliteTooOld, message: "SQLite \(version) is older than 3.24.0", systemCode: version)
  }

  private static func configure(
    _ handle: OpaquePointer, _ durability: Durability, _ busyTimeout: Duration
  ) throws(StoreError) -> Bool {
    // The vacuum mode is fixed by the first page that is written, so it comes before the journal mode. Set again, it would
    // be written again.
    if try integer("PRAGMA auto_vacuum", on: handle) != 2 {
      try execute("PRAGMA auto_vacuum=INCREMENTAL", on: handle)
    }
    try switchToLog(handle, busyTimeout)
    let mode = try Statement("PRAGMA journal_mode", handle: handle)
    defer { mode.finalize() }
    let isLogged = try mode.step() && mode.text(at: 0) == "wal"
    if !isLogged { try execute("PRAGMA journal_mode=TRUNCATE", on: handle) }
    let isFull = durability == .powerLoss || !isLogged
    try execute("PRAGMA synchronous=\(isFull ? "FULL" : "NORMAL")", on: handle)
    if durability == .powerLoss { try execute("PRAGMA fullfsync=ON", on: handle) }
    try execute("PRAGMA journal_size_limit=4194304", on: handle)
    try execute("PRAGMA cell_size_check=ON", on: handle)
    try execute("PRAGMA trusted_schema=OFF", on: handle)
    try execute("PRAGMA temp_store=MEMORY", on: handle)
    return isLogged
  }

  /// Turns the write-ahead log on, which needs the file alone.
  ///
  /// Where several connections open a new file at once, SQLite says busy without waiting: two that both hold a read lock
  /// would wait for each other. So the wait is made here.
  private static func switchToLog(_ handle: OpaquePointer, _ busyTimeout: Duration) throws(StoreError) {
    let deadline = ContinuousClock.now + busyTimeout
    while true {
      do throws(StoreError) {
        return try execute("PRAGMA journal_mode=WAL", on: handle)
      } catch {
        guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
        sqlite3_sleep(2)
      }
    }
  }

  private static func integer(_ sql: String, on handle: OpaquePointer) throws(StoreError) -> Int64? {
    let statement = try Statement(sql, handle: handle)
    defer { statement.finalize() }
    return try statement.step() ? statement.integer(at: 0) : nil
  }

  private static func execute(_ sql: String, on handle: OpaquePointer) throws(StoreError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw StoreError(handle, doing: sql) }
  }

  /// Runs statements that give no rows.
  package func execute(_ sql: String) throws(StoreError) { try Self.execute(sql, on: handle) }

  /// Compiles a statement, to be kept and run again.
  package func prepare(_ sql: String) throws(StoreError) -> Statement {
    try Statement(sql, handle: handle, owner: self)
  }

  /// The first column of the first row of a query, as a whole number; nil without a row.
  package func integer(_ sql: String) throws(StoreError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(at: 0) : nil
  }

  /// How long a statement waits for another connection's lock.
  package func setBusyTimeout(_ timeout: Duration) {
    let milliseconds = Int32(clamping: timeout.milliseconds)
    guard milliseconds != busyMilliseconds else { return }
    sqlite3_busy_timeout(handle, milliseconds)
    busyMilliseconds = milliseconds
  }

  /// The row id of the last insert.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// How many rows the last insert, update or delete changed.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  /// Runs work in one write transaction: all of it is committed on return, or none of it when an error is thrown.
  ///
  /// The write lock is taken at once: a transaction that reads first and writes later fails when another connection
  /// wrote in between, whatever the busy timeout.
  package func transaction<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let begin = try kept(&begin, "BEGIN IMMEDIATE")
    let commit = try kept(&commit, "COMMIT")
    try begin.run()
    do {
      let result = try work()
      try commit.run()
      return result
    } catch {
      // SQLite has rolled back by itself after some errors. Where it has not, this cannot fail in a way that matters:
      // the transaction ends with the connection at the latest.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Ends a read transaction that was begun with `BEGIN`.
  package func endReading() { sqlite3_exec(handle, "COMMIT", nil, nil, nil) }

  private func kept(_ statement: inout Statement?, _ sql: String) throws(StoreError) -> Statement {
    if let statement { return statement }
    let compiled = try Statement(sql, handle: handle)
    statement = compiled
    return compiled
  }
}

extension Duration {
  /// Whole milliseconds, rounded down; what does not fit is held at the bound.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }
}
