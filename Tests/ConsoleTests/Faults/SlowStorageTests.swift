import Hits
import Testing

@testable import Console

@Suite("Slow storage at the collector") struct SlowStorageTests {
  /// Stores nothing before it is released.
  private final class SlowStorage: HitStorage {
    private let memory: MemoryHitStorage
    private let brake: Brake

    init(_ memory: MemoryHitStorage, _ brake: Brake) {
      self.memory = memory
      self.brake = brake
    }

    func store(_ hits: [IntakeHit], rejected: [RejectedHit]) async throws(StorageError) -> [StoredHit] {
      await brake.pass()
      return try await memory.store(hits, rejected: rejected)
    }

    func scan(after position: Int64, limit: Int) async throws(StorageError) -> [PositionedHit] {
      try await memory.scan(after: position, limit: limit)
    }

    func purge(by policy: RetentionPolicy) async throws(StorageError) -> Int { try await memory.purge(by: policy) }

    func purge(client: String, property: String?) async throws(StorageError) -> Int {
      try await memory.purge(client: client, property: property)
    }

    func health() -> StorageHealth { memory.health() }
  }

  private actor Brake {
    private var isReleased = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async { if !isReleased { await withCheckedContinuation { waiting.append($0) } } }

    func release() {
      isReleased = true
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  /// A request of a thousand hits that no other request has.
  private static func body(_ request: Int) -> String {
    (0..<1000).map { line in
      let id = "017a8506-518f-7abc-8def-\(String(100_000_000_000 + request * 1000 + line))"
      return #"{"id":"\#(id)","kind":"exception","property":"p","client":"c","age":0}"#
    }.joined(separator: "\n")
  }

  @Test(
    "HQ-1117, HQ-725: while storage is slow, who is beyond its bound is told when to come again; each hit is stored once"
  )
  func slow() async throws {
    let brake = Brake()
    let fixture = CollectorFixture(
      properties: CollectorFixture.keyed, rates: RateLimiter(perSecond: 1e6, burst: 1e6)
    ) { SlowStorage($0, brake) }
    // Four fifths of the 20,000 hits that may wait, and one request more.
    let within = 0..<17
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in within { group.addTask { await fixture.sendLines(Self.body(number)).status } }
      while fixture.collector.waiting < within.count * 1000 { await Task.yield() }
      let refused = await fixture.sendLines(Self.body(within.count))
      #expect(refused.status == 503)
      #expect(refused.refusal == "BUSY")
      #expect(Int(refused.headers["Retry-After"] ?? "") ?? 0 >= 1)
      #expect(fixture.storage.state.withLock { $0.hits.isEmpty })
      await brake.release()
      for try await status in group { #expect(status == 200) }
    }
    #expect(fixture.collector.waiting == 0)
    // The one comes again, and so does one that believes its answer lost.
    #expect(await fixture.sendLines(Self.body(within.count)).headers["Tagworks-Accepted"] == "1000")
    #expect(await fixture.sendLines(Self.body(0)).headers["Tagworks-Duplicate"] == "1000")
    #expect(fixture.storage.state.withLock { $0.hits.count } == (within.count + 1) * 1000)
  }
}
