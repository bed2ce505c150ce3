import DurableStore
import Foundation
package import Hits

/// `HitStorage` on SQLite: one file, one writer, a group of requests a transaction (HQ-721).
///
/// A failed transaction stores none of its hits and tells each caller; nothing is retried behind their backs, since the
/// clients repeat and the ids make that harmless.
package final class IntakeStore: HitStorage {
  private let writer: GroupWriter<IntakeTables>
  private let directory: String
  private let dedupeDays: Int
  private let reserve: Int64
  private let clock: any HitClock
  private let lastLook = Locked((second: Int64.min, health: StorageHealth.good))

  /// Opens the store of a data directory; both are made when missing, and a damaged or empty file is refused.
  ///
  /// - Parameters:
  ///   - dedupeDays: how long an id is known, 2 to 400 days (HQ-711).
  ///   - reserve: free bytes of the disk below which the store counts as full (HQ-725).
  package init(
    directory: String, dedupeDays: Int = 45, reserve: Int64 = 512 << 20, clock: any HitClock = SystemHitClock()
  ) throws(StorageError) {
    self.directory = directory
    self.dedupeDays = dedupeDays
    self.reserve = reserve
    self.clock = clock
    do throws(StoreError) {
      try StoreDirectory.prepare(directory)
      let path = directory + "/" + IntakeSchema.fileName
      try IntakeFile.prepare(path)
      writer = try GroupWriter(limits: GroupLimits(rows: 1000, bytes: 4 << 20), policy: .report) {
        () throws(StoreError) in try IntakeTables(path: path)
      }
      try writer.performAndWait { tables throws(StoreError) in try DatabaseFile.check(tables.connection) }
    } catch {
      throw StorageError(error)
    }
  }

  package func store(_ hits: [IntakeHit], rejected: [RejectedHit]) async throws(StorageError) -> [StoredHit] {
    let rows = hits.map(IntakeRow.hit) + rejected.map(IntakeRow.rejected)
    let outcome = await withCheckedContinuation { continuation in
      writer.submit(rows) { outcome in continuation.resume(returning: outcome) }
    }
    switch outcome {
    case .stored(let stored): return stored.compactMap { $0 }
    case .failed(let error): throw StorageError(error)
    // Not under the policy `report`; an answer that promises nothing is the right one all the same.
    case .waiting: throw StorageError(code: .busy, message: "the commit takes its time")
    }
  }

  package func scan(after position: Int64, limit: Int) async throws(StorageError) -> [PositionedHit] {
    try await perform { tables throws(StoreError) in try tables.scan(after: position, limit: limit) }
  }

  package func purge(before received: Int64) async throws(StorageError) -> Int {
    let firstDay = clock.wallMilliseconds / IntakeTables.day - Int64(dedupeDays)
    return try await perform { tables throws(StoreError) in
      let count = try tables.purge(before: received)
      try tables.forget(before: firstDay)
      return count
    }
  }

  private func perform<Result: Sendable>(
    _ work: @escaping @Sendable (IntakeTables) throws(StoreError) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StoreError) { return try await writer.perform(work) } catch { throw StorageError(error) }
  }

  /// Looks at the disk at most once a second.
  package func health() -> StorageHealth {
    let second = clock.wallMilliseconds / 1000
    return lastLook.withLock { last in
      if last.second != second { last = (second, freeBytes < reserve ? .full : .good) }
      return last.health
    }
  }

  private var freeBytes: Int64 {
    var facts = statvfs()
    // A disk that cannot be asked is not called full: the next commit tells.
    guard statvfs(directory, &facts) == 0 else { return .max }
    return Int64(clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
  }

  /// Commits what waits; called when the server stops (CO-103).
  package func flush() throws(StorageError) {
    do throws(StoreError) { try writer.flush() } catch { throw StorageError(error) }
  }
}

extension StorageError {
  init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .busy: .busy
      case .full: .full
      default: .failed
      }
    self.init(code: code, message: error.message, cause: error)
  }
}
