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

  func purge(before received: Int64) async throws(StorageError) -> Int {
    state.withLock { state in
      let count = state.hits.count
      state.hits.removeAll { $0.hit.received < received }
      return count - state.hits.count
    }
  }

  func health() -> StorageHealth { state.withLock { $0.health } }
}
