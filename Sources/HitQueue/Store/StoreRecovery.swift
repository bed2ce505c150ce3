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
  private let make: @Sendable (String) throws(StoreError) -> HitTables
  private let found = Locked(Findings())

  private static let name = "hits.sqlite3"
  /// Beside a store that only a newer version can read.
  private static let olderName = "hits-v1.sqlite3"
  /// A file up to so many bytes is checked before it is used (HQ-350).
  private static let checkedBytes: Int64 = 16 << 20

  /// - Parameter make: opens the tables of a file, which is made when missing.
  init(directory: String, make: @escaping @Sendable (String) throws(StoreError) -> HitTables) {
    self.directory = directory
    self.make = make
  }

  var findings: Findings { found.withLock { $0 } }

  private var path: String { "\(directory)/\(Self.name)" }
  private var olderPath: String { "\(directory)/\(Self.olderName)" }

  /// Opens the store for the first time in this process, or after a fork.
  func open() throws(StoreError) -> HitTables {
    let lock = try lock()
    defer { lock.release() }
    let tables = try openOrReplace()
    found.withLock { $0.lacksLog = !tables.connection.isWriteAheadLogged }
    try mergeOlder(into: tables)
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
      let tables = try openOrReplace()
      // What another process has set aside, it has salvaged.
      if !isSetAside(old) { try tables.restore(HitSalvage(old.connection), isDamage: false) }
      return tables
    }
    return try replaceDamaged()
  }

  private func isSetAside(_ old: HitTables) -> Bool {
    old.connection.place.map { DamagedFiles(store: directory).holds($0.identity, name: Self.name) } ?? false
  }

  private func openOrReplace() throws(StoreError) -> HitTables {
    // A clean end removes the log.
    let mustCheck = FileIdentity(path: path + "-wal") != nil && Self.size(of: path) <= Self.checkedBytes
    do throws(StoreError) {
      if mustCheck { try Connection.check(path) }
      return try make(path)
    } catch {
      switch error.code {
      case .damaged, .foreign: return try replaceDamaged()
      case .newer:
        found.withLock { $0.isNewer = true }
        return try make(olderPath)
      default: throw error
      }
    }
  }

  private func replaceDamaged() throws(StoreError) -> HitTables {
    found.withLock { $0.damages += 1 }
    let aside = try DamagedFiles(store: directory).setAside(path, at: SystemHitClock().wallMilliseconds)
    let tables = try make(path)
    try tables.restore(Self.salvage(aside), isDamage: true)
    return tables
  }

  /// Reads the copy with its log, or else the file alone.
  private static func salvage(_ path: String) -> HitSalvage? {
    let whole = (try? Connection(salvaging: path, withLog: true)).map(HitSalvage.init)
    if let whole, !whole.lanes.isEmpty { return whole }
    return (try? Connection(salvaging: path, withLog: false)).map(HitSalvage.init) ?? whole
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
