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
    let batch = IntakeBatch(hits: hits, rejected: rejected)
    let outcome = await withCheckedContinuation { continuation in
      writer.submit([batch]) { outcome in continuation.resume(returning: outcome) }
    }
    switch outcome {
    case .stored(let stored): return stored.first ?? []
    case .failed(let error): throw StorageError(error)
    // Not under the policy `report`; an answer that promises nothing is the right one all the same.
    case .waiting: throw StorageError(code: .busy, message: "the commit takes its time")
    }
  }

  package func scan(after position: Int64, limit: Int) async throws(StorageError) -> [PositionedHit] {
    try await perform { tables throws(StoreError) in try tables.scan(after: position, limit: limit) }
  }

  package func purge(by policy: RetentionPolicy) async throws(StorageError) -> Int {
    let now = clock.wallMilliseconds
    var removed = 0
    for usage in try await perform({ tables throws(StoreError) in try tables.usage() }) {
      let bounds = policy.bounds(of: usage.property)
      guard bounds != RetentionPolicy.Bounds() else { continue }
      removed += try await untilDone { tables throws(StoreError) in
        try tables.purge(usage.property, bounds, at: now, limit: Self.step)
      }
    }
    try await perform { tables throws(StoreError) in try tables.trimRejects(at: now) }
    let firstDay = now / IntakeTables.day - Int64(dedupeDays)
    _ = try await untilDone { tables throws(StoreError) in try tables.forget(before: firstDay, limit: Self.step) }
    return removed
  }

  package func purge(client: String, property: String?) async throws(StorageError) -> Int {
    let stored = try await perform { tables throws(StoreError) in try tables.positions() }
    var removed = try await each(of: stored) { tables, positions throws(StoreError) in
      try tables.purge(client: client, property: property, in: positions)
    }
    let rejected = try await perform { tables throws(StoreError) in try tables.rejectedPositions() }
    removed += try await each(of: rejected) { tables, positions throws(StoreError) in
      try tables.purgeRejected(client: client, property: property, in: positions)
    }
    try await perform { tables throws(StoreError) in try tables.emptyLog() }
    return removed
  }

  /// Rows of one transaction of a removal: what a hit that comes in meanwhile waits for.
  private static let step = 1000

  /// Repeats a removal until it finds fewer rows than it may remove.
  private func untilDone(
    _ remove: @escaping @Sendable (IntakeTables) throws(StoreError) -> Int
  ) async throws(StorageError) -> Int {
    var removed = 0
    while true {
      let count = try await perform(remove)
      removed += count
      if count < Self.step { return removed }
    }
  }

  /// Goes through a range of positions piece by piece; reading is quicker than removing.
  private func each(
    of positions: ClosedRange<Int64>?,
    _ remove: @escaping @Sendable (IntakeTables, ClosedRange<Int64>) throws(StoreError) -> Int
  ) async throws(StorageError) -> Int {
    guard let positions else { return 0 }
    let width = Int64(Self.step) * 10
    var removed = 0
    for first in stride(from: positions.lowerBound, through: positions.upperBound, by: Int(width)) {
      let last = positions.upperBound - first < width ? positions.upperBound : first + width - 1
      removed += try await perform { tables throws(StoreError) in try remove(tables, first...last) }
    }
    return removed
  }

  func perform<Result: Sendable>(
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
