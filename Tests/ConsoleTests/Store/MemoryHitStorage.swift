import Hits

@testable import Console

/// `HitStorage` in memory, which fails when it is told to.
final class MemoryHitStorage: HitStorage {
  struct State: Sendable {
    var hits: [PositionedHit] = []
    var rejected: [RejectedHit] = []
    var ids: Set<HitID> = []
    var last: Int64 = 0
    var failure: StorageError?
    var health = StorageHealth.good
  }

  let state = Locked(State())

  func store(_ hits: [IntakeHit], rejected: [RejectedHit]) async throws(StorageError) -> [StoredHit] {
    try state.withLock { state throws(StorageError) in
      if let failure = state.failure { throw failure }
      state.rejected += rejected
      return hits.map { hit in
        guard state.ids.insert(hit.id).inserted else { return .duplicate }
        state.last += 1
        state.hits.append(PositionedHit(position: state.last, hit: hit))
        return .inserted(state.last)
      }
    }
  }

  func scan(after position: Int64, limit: Int) async throws(StorageError) -> [PositionedHit] {
    try state.withLock { state throws(StorageError) in
      if let failure = state.failure { throw failure }
      return Array(state.hits.filter { $0.position > position }.prefix(limit))
    }
  }

  /// The time by which `purge(by:)` judges.
  let now = Locked(HitStorageContract.now)

  func purge(by policy: RetentionPolicy) async throws(StorageError) -> Int {
    let now = now.withLock { $0 }
    return try state.withLock { state throws(StorageError) in
      if let failure = state.failure { throw failure }
      var bytes: [String: Int64] = [:]
      for stored in state.hits { bytes[stored.hit.property, default: 0] += Self.bytes(of: stored) }
      let count = state.hits.count
      state.hits.removeAll { stored in
        let bounds = policy.bounds(of: stored.hit.property)
        let isOld = bounds.days.map { stored.hit.received < now - Int64($0) * 86_400_000 } ?? false
        guard isOld || bytes[stored.hit.property, default: 0] > bounds.bytes ?? .max else { return false }
        bytes[stored.hit.property, default: 0] -= Self.bytes(of: stored)
        return true
      }
      return count - state.hits.count
    }
  }

  private static func bytes(of stored: PositionedHit) -> Int64 { Int64(stored.hit.body.count) + 256 }

  func purge(client: String, property: String?) async throws(StorageError) -> Int {
    try state.withLock { state throws(StorageError) in
      if let failure = state.failure { throw failure }
      let count = state.hits.count + state.rejected.count
      state.hits.removeAll { $0.hit.client == client && (property == nil || $0.hit.property == property) }
      state.rejected.removeAll {
        RejectedHit.names(client, in: $0.raw) && (property == nil || $0.property == property)
      }
      return count - state.hits.count - state.rejected.count
    }
  }

  func health() -> StorageHealth { state.withLock { $0.health } }
}
