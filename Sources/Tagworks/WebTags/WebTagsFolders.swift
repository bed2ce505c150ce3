import DurableStore
public import Foundation
public import Hits
public import WebTags

/// The folders of web tags on disk: for each instance a lock and one SQLite file with its events and values (WT-115,
/// WT-420).
///
/// A file that is damaged is set aside, and the instance begins anew.
public final class WebTagsFolders: WebTagsStorage {
  private struct Open {
    var lock: FileLock
    var store: WebTagsStore
  }

  private let folders = Locked<[URL: Open]>([:])
  private let clock: any HitClock

  /// Makes a storage for any number of folders.
  public init(clock: any HitClock = SystemHitClock()) { self.clock = clock }

  /// Opens a folder.
  ///
  /// - Throws: `storageInUse` while somebody holds it, `storageFailed` when it cannot be made, read or written.
  public func open(_ folder: URL) throws(WebTagsError) -> (events: any EventStore, values: any KeyValueStore) {
    let entry: Open?
    do throws(StoreError) { entry = try take(folder) } catch {
      throw WebTagsError(.storageFailed, folder.path, error.message, cause: error)
    }
    guard let entry else {
      throw WebTagsError(.storageInUse, folder.path, "another instance holds the folder")
    }
    folders.withLock { $0[folder] = entry }
    return (entry.store, entry.store)
  }

  /// Opens a folder's file under its lock; nil when somebody else holds it.
  private func take(_ folder: URL) throws(StoreError) -> Open? {
    try StoreDirectory.prepare(folder.path)
    guard let lock = try FileLock.take(folder.path + "/lock") else { return nil }
    return Open(lock: lock, store: try store(in: folder))
  }

  private func store(in folder: URL) throws(StoreError) -> WebTagsStore {
    let path = folder.path + "/tags.sqlite"
    do throws(StoreError) { return try WebTagsStore(path: path) } catch {
      guard error.code == .damaged else { throw error }
      _ = try DamagedFiles(store: folder.path).setAside(path, at: clock.wallMilliseconds)
      return try WebTagsStore(path: path)
    }
  }

  /// Commits what is under way and lets go of the lock.
  public func close(_ folder: URL) async {
    guard let entry = folders.withLock({ $0.removeValue(forKey: folder) }) else { return }
    await entry.store.finish()
    entry.lock.release()
  }

  /// Removes a closed folder.
  ///
  /// - Throws: `storageFailed` when something stays.
  public func erase(_ folder: URL) async throws(WebTagsError) {
    do { try FileManager.default.removeItem(at: folder) } catch {
      throw WebTagsError(.storageFailed, folder.path, "the folder cannot be removed", cause: error)
    }
  }
}

/// An instance's events and values in one file, by one writer.
final class WebTagsStore: EventStore, KeyValueStore {
  private let writer: GroupWriter<WebTagsTables>
  private let values: Locked<[String: [UInt8]]>

  init(path: String) throws(StoreError) {
    writer = try GroupWriter(policy: .report, open: { () throws(StoreError) in try WebTagsTables(path: path) })
    values = Locked(try writer.performAndWait { tables throws(StoreError) in try tables.values() })
  }

  func append(_ events: [QueuedEvent]) async throws {
    let outcome = await writer.write(events) { _ in }
    switch outcome {
    case .stored: break
    case .failed(let error): throw error
    case .waiting(let error): throw error ?? StoreError(code: .busy, message: "the store is busy")
    }
  }

  func waiting() async throws -> [EventSummary] {
    try await writer.perform { tables throws(StoreError) in try tables.waiting() }
  }

  func events(_ ids: [UUID]) async throws -> [QueuedEvent] {
    try await writer.perform { tables throws(StoreError) in try tables.events(ids) }
  }

  func settle(_ ids: [UUID]) async throws {
    try await writer.perform { tables throws(StoreError) in try tables.settle(ids) }
  }

  func setDeaths(_ deaths: [UUID: Int]) async throws {
    try await writer.perform { tables throws(StoreError) in try tables.setDeaths(deaths) }
  }

  func eraseAll() async throws {
    try await writer.perform { tables throws(StoreError) in try tables.eraseAll() }
  }

  func value(of key: String) -> [UInt8]? { values.withLock { $0[key] } }

  func set(_ changes: [String: [UInt8]?]) async throws {
    values.withLock { values in for (key, value) in changes { values[key] = value } }
    try await writer.perform { tables throws(StoreError) in try tables.set(changes) }
  }

  /// Returns when all that was asked for before is done.
  func finish() async { _ = try? await writer.perform { _ throws(StoreError) in true } }
}
