import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Retention") struct RetentionTests {
  @Test("CO-702: what is said of a property goes before what is said of all, age and size each by itself")
  func bounds() {
    var policy = RetentionPolicy()
    #expect(policy.bounds(of: "shop") == .init())
    policy.standard = .init(days: 30, bytes: 1000)
    policy.byProperty["shop"] = .init(bytes: 5000)
    policy.byProperty["game"] = .init(days: 400)
    #expect(policy.bounds(of: "shop") == .init(days: 30, bytes: 5000))
    #expect(policy.bounds(of: "game") == .init(days: 400, bytes: 1000))
    #expect(policy.bounds(of: "other") == .init(days: 30, bytes: 1000))
  }

  @Test("CO-702: hits are removed at the start and every hour, and the log tells how many")
  func hourly() async throws {
    let clock = ManualClock()
    let storage = MemoryHitStorage()
    let day: Int64 = 86_400_000
    func add(_ number: UInt64, days: Int64) async throws {
      _ = try await storage.store(
        [HitStorageContract.hit(number, received: HitStorageContract.now - days * day)], rejected: [])
    }
    var policy = RetentionPolicy()
    policy.standard.days = 3
    let lines = Locked<[String]>([])
    let retention = Retention(policy: policy, storage: storage, clock: clock) { line in
      lines.withLock { $0.append(line) }
    }
    try await add(1, days: 4)
    try await add(2, days: 2)
    let running = Task { await retention.run() }
    await clock.waitForSleepers()
    #expect(storage.state.withLock { $0.hits.map(\.hit.sequence) } == [2])
    try await add(3, days: 9)
    try await add(4, days: 9)
    clock.advance(by: .seconds(3599))
    #expect(storage.state.withLock { $0.hits.count } == 3)
    clock.advance(by: .seconds(1))
    await clock.waitForSleepers()
    #expect(storage.state.withLock { $0.hits.map(\.hit.sequence) } == [2])
    storage.state.withLock { $0.failure = StorageError(code: .full, message: "no room") }
    clock.advance(by: .seconds(3600))
    await clock.waitForSleepers()
    #expect(
      lines.withLock { $0 } == ["retention: 1 hit removed", "retention: 2 hits removed", "retention: no room"])
    running.cancel()
    await running.value
  }
}
