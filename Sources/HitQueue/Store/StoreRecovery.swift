import DurableStore
import Foundation
import Hits

/// Opens a store, and brings one back that is damaged or gone (HQ-350, HQ-353, HQ-360).
///
///     open ──▶ sound ─────────────────────────────────────────▶ tables
///       │ damaged, another program's ─▶ set aside ─▶ new ─▶ salvage ─▶ tables
///       └ of a newer version ─▶ a store beside it, merged when the version fits again
///
/// Whoever opens or replaces holds `store.lock`, so that no process opens what another is moving.
final class StoreRecovery: Sendable {
  /// What the app is told.
  struct Findings: Sendable {
    /// Damages since the process began.
    var damages = 0
    var isNewer = false
    /// Whether the file system has no write-ahead log.
    var lacksLog = false
  }

  private let directory: String
  private let identity: IdentityFile
  private let make: @Sendable (String) throws(StoreError) -> HitTables
  private let found = Locked(Findings())

  private static let name = "hits.sqlite3"
  /// Beside a store that only a newer version can read.
  private static let olderName = "hits-v1.sqlite3"
  /// A file up to so many bytes is checked before it is used (HQ-350).
  private static let checkedBytes: Int64 = 16 << 20

  /// - Parameter make: opens the tables of a file, which is made when missing.
  init(
    directory: String, identity: IdentityFile, make: @escaping @Sendable (String) throws(StoreError) -> HitTables
  ) {
    self.directory = directory
    self.identity = identity
    self.make = make
  }

  var findings: Findings { found.withLock { $0 } }

  private var damaged: DamagedFiles { DamagedFiles(store: directory) }
  private var path: String { "\(directory)/\(Self.name)" }
  private var olderPath: String { "\(directory)/\(Self.olderName)" }

  /// Opens the store for the first time in this process, or after a fork.
  func open() throws(StoreError) -> HitTables {
    let lock = try lock()
    defer { lock.release() }
    let tables = try openOrReplace(isFirst: true)
    found.withLock { $0.lacksLog = !tables.connection.isWriteAheadLogged }
    try mergeOlder(into: tables)
    takeInDamaged(into: tables)
    return tables
  }

  /// Opens the store again after an error of the old tables, with what can still be read of them.
  ///
  /// - Throws: the error itself when there is nothing to recover from.
  func recover(from error: StoreError, _ old: HitTables) throws(StoreError) -> HitTables {
    guard error.code == .damaged || error.code == .replaced else { throw error }
    let lock = try lock()
    defer { lock.release() }
    guard old.connection.isInPlace else {
      let tables = try openOrReplace(isFirst: false)
      // What was set aside is salvaged by whoever did it, or still to be.
      if isSetAside(old.connection) {
        takeInDamaged(into: tables)
      } else {
        try tables.restore(HitSalvage(old.connection), isDamage: false)
      }
      return tables
    }
    return try replaceDamaged(old.connection.path)
  }

  private func isSetAside(_ old: Connection) -> Bool {
    guard let place = old.place else { return false }
    let name = old.path == olderPath ? Self.olderName : Self.name
    return damaged.holds(place.identity, name: name)
  }

  /// - Parameter isFirst: whether no old connection holds what an empty file has lost.
  private func openOrReplace(isFirst: Bool) throws(StoreError) -> HitTables {
    if isDamagedBeyondOpening(isFirst: isFirst) {
      try StoreDirectory.check(path)
      return try replaceDamaged(path)
    }
    // A clean end removes the log.
    let mustCheck = FileIdentity(path: path + "-wal") != nil && Self.size(of: path) <= Self.checkedBytes
    do throws(StoreError) {
      if mustCheck { try Connection.check(path) }
      return try make(path)
    } catch {
      switch error.code {
      case .damaged, .foreign: return try replaceDamaged(path)
      case .newer:
        found.withLock { $0.isNewer = true }
        return try openOlder()
      default: throw error
      }
    }
  }

  private func openOlder() throws(StoreError) -> HitTables {
    do throws(StoreError) { return try make(olderPath) } catch {
      // The newer store is sound: only what is beside it is replaced.
      guard error.code == .damaged || error.code == .foreign else { throw error }
      return try replaceDamaged(olderPath)
    }
  }

  /// Whether SQLite would take what is left of a store for a new one, and delete its log, or for one that may not be
  /// written.
  private func isDamagedBeyondOpening(isFirst: Bool) -> Bool {
    switch DatabaseFile(at: path) {
    case .damaged: return true
    case .filled: return false
    case .empty:
      guard isFirst else { return false }
      if Self.size(of: path + "-wal") > 0 { return true }
      // A file that was removed altogether is a new beginning; one that was emptied is not. An identity that cannot be
      // read tells of no hits.
      return FileIdentity(path: path) != nil && ((try? identity.read())?.sequence ?? 0) > 0
    }
  }

  private func replaceDamaged(_ path: String) throws(StoreError) -> HitTables {
    found.withLock { $0.damages += 1 }
    _ = try damaged.setAside(path, at: SystemHitClock().wallMilliseconds, isForSalvage: true)
    let tables = try make(path)
    takeInDamaged(into: tables)
    return tables
  }

  /// Takes in, and counts, what can be read of the stores that were set aside and are not salvaged yet.
  private func takeInDamaged(into tables: HitTables) {
    for aside in damaged.unsalvaged {
      do throws(StoreError) {
        try tables.restore(Self.salvage(aside), isDamage: true)
        damaged.noteSalvaged(aside)
      } catch {
        // As on a full disk: it stays where it is, and whoever opens the store next tries again.
        tables.didRollBack()
      }
    }
  }

  /// Reads the file with its log, or else the file alone, or else a copy of both with a new first page.
  private static func salvage(_ path: String) -> HitSalvage? {
    var salvage: HitSalvage?
    for withLog in [true, false] {
      let read = (try? Connection(salvaging: path, withLog: withLog)).map(HitSalvage.init)
      if let read, !read.lanes.isEmpty { return read }
      salvage = salvage ?? read
    }
    // Where no copy can be made, what was read is all there is.
    let mended = try? DatabaseFile.withMendedCopy(of: path, schema: HitSchema.schema) { copy throws(StoreError) in
      HitSalvage(try Connection(salvaging: copy, withLog: true))
    }
    if let mended, !mended.lanes.isEmpty { return mended }
    return salvage ?? mended
  }

  /// Takes in the hits that were kept beside a store of a newer version.
  private func mergeOlder(into tables: HitTables) throws(StoreError) {
    guard !findings.isNewer, FileIdentity(path: olderPath) != nil else { return }
    try tables.restore(Self.salvage(olderPath), isDamage: false)
    for ending in ["", "-wal", "-shm"] { unlink(olderPath + ending) }
  }

  private func lock() throws(StoreError) -> FileLock {
    let deadline = ContinuousClock.now + .seconds(5)
    while true {
      if let lock = try FileLock.take(directory + "/store.lock") { return lock }
      guard ContinuousClock.now < deadline else {
        throw StoreError(code: .busy, message: "another process has been opening \(path) for too long")
      }
      usleep(2_000)
    }
  }

  private static func size(of path: String) -> Int64 {
    var facts = stat()
    return lstat(path, &facts) == 0 ? Int64(facts.st_size) : 0
  }
}
