import DurableStore
import HTTPClient
import HitQueue
import Hits
import TestSupport
import Testing

@testable import Console

/// A database that may not grow any more: SQLite then answers as on a full disk.
@Suite("Full disk at the collector") struct FullDiskTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func limit(_ store: IntakeStore, toFreePages pages: Int64?) async throws {
    try await store.perform { tables throws(StoreError) in
      let used = try tables.connection.integer("PRAGMA page_count") ?? 0
      _ = try tables.connection.integer("PRAGMA max_page_count=\(pages.map { used + $0 } ?? 1_000_000)")
    }
  }

  @Test(
    "HQ-1117, HQ-725: a full disk acknowledges nothing it has not stored; with room again the queue's hits arrive once")
  func full() async throws {
    let store = try IntakeStore(directory: directory.file("data"), reserve: 0)
    let property = try #require(Property(id: "shop", writeKeys: ["key"]))
    let collector = Collector(
      rules: IntakeRules(registry: PropertyRegistry([property], isLoopback: true)), storage: store)
    let statuses = Locked<[Int]>([])
    let server = try HTTPServer(host: "127.0.0.1", port: 0, routes: collector.lineRoutes()) { record in
      statuses.withLock { $0.append(record.status) }
    }
    let analytics = try Analytics(
      store: HitStoreConfiguration(directory: directory.file("queue"), sendBudget: .seconds(10)),
      transport: PlatformTransport())
    analytics.dispatchInterval = 0
    let tracker = try analytics.tracker(
      name: "main", property: "shop", destination: .collector("http://127.0.0.1:\(server.port)", key: "key"))
    let hits = (1...300).map { HitBuilder.event(category: "a", action: "b", value: Int64($0)) }
    let ids = await tracker.send(contentsOf: hits).compactMap(\.id)

    try await limit(store, toFreePages: 4)
    let refused = await analytics.drain()
    #expect(refused.accepted == 0)
    #expect(refused.remaining == 300)
    #expect(statuses.withLock { $0 } == [507])
    #expect(try await store.scan(after: 0, limit: 1000).isEmpty)
    // The lane rests for the 300 seconds of Retry-After: nothing is asked meanwhile.
    #expect(await analytics.drain().reason == .waiting)
    #expect(statuses.withLock { $0.count } == 1)
    await analytics.close()

    try await limit(store, toFreePages: nil)
    let later = SteppedClock(by: .seconds(301))
    let again = try Analytics(
      store: HitStoreConfiguration(directory: directory.file("queue"), sendBudget: .seconds(10)),
      transport: PlatformTransport(), clock: later)
    again.dispatchInterval = 0
    _ = try again.tracker(
      name: "main", property: "shop", destination: .collector("http://127.0.0.1:\(server.port)", key: "key"))
    // The lane may still be with the queue that has just been closed.
    var accepted = 0
    for _ in 0..<50 where accepted == 0 { accepted = await again.drain().accepted }
    #expect(accepted == 300)
    await again.close()
    await server.stop()
    #expect(try await store.scan(after: 0, limit: 1000).map(\.hit.id) == ids)
    #expect(try IntakeReader(directory: directory.file("data")).check().isSound)
  }

  @Test("HQ-725: a little room is used; whoever does not fit is told, and nobody else")
  func nearlyFull() async throws {
    let store = try IntakeStore(directory: directory.file("data"), reserve: 0)
    try await limit(store, toFreePages: 40)
    var stored: [HitID] = []
    var isFull = false
    for number in 1...200 as ClosedRange<UInt64> where !isFull {
      var hit = HitStorageContract.hit(number)
      hit.body = [UInt8](repeating: 65, count: 3000)
      do throws(StorageError) {
        _ = try await store.store([hit], rejected: [])
        stored.append(hit.id)
      } catch {
        #expect(error.code == .full)
        isFull = true
      }
    }
    #expect(isFull)
    #expect(stored.count > 10)
    #expect(try await store.scan(after: 0, limit: 1000).map(\.hit.id) == stored)
    // What is removed makes room.
    var policy = RetentionPolicy()
    policy.standard.bytes = 0
    #expect(try await store.purge(by: policy) == stored.count)
    #expect(try await store.store([HitStorageContract.hit(1000)], rejected: []) != [.duplicate])
  }
}

/// The system's clock, some time later.
private struct SteppedClock: HitClock {
  private let system = SystemHitClock()
  private let step: Duration

  init(by step: Duration) { self.step = step }

  func now() -> HitTime {
    var time = system.now()
    time.wallMilliseconds += step.components.seconds * 1000
    time.ageClock += UInt64(step.components.seconds) * 1_000_000_000
    return time
  }

  func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }
}
