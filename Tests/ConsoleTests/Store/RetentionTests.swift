import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Retention") struct RetentionTests {
  @Test("CO-702, HQ-711: hits older than the days go, their ids are known still; without days all stay")
  func purge() async throws {
    let clock = ManualClock(wallMilliseconds: 1_800_000_000_000)
    let day: Int64 = 86_400_000
    let storage = MemoryHitStorage()
    let hits = [10, 3, 1].enumerated().map { index, age in
      HitStorageContract.hit(UInt64(index + 1), received: clock.wallMilliseconds - Int64(age) * day)
    }
    _ = try await storage.store(hits, rejected: [])
    let lines = Locked<[String]>([])
    let log: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
    await Retention(days: nil, storage: storage, clock: clock, log: log).purge()
    #expect(storage.state.withLock { $0.hits.count } == 3)
    await Retention(days: 3, storage: storage, clock: clock, log: log).purge()
    #expect(storage.state.withLock { $0.hits.map(\.hit.id) } == [hits[1].id, hits[2].id])
    #expect(lines.withLock { $0 } == ["retention: 1 hits removed"])
    #expect(try await storage.store([hits[0]], rejected: []) == [.duplicate])
  }
}
