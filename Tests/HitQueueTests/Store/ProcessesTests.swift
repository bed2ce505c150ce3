import DurableStore
import Foundation
import Hits
import TestSupport
import Testing

@testable import HitQueue

/// Several processes on one store (HQ-320 to HQ-323).
@Suite struct ProcessesTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  @Test("HQ-320: two processes that insert at once lose no hit and give no sequence twice")
  func insertions() async throws {
    let path = fixture.directory
    async let first: Void = Self.send("a", hits: 400, to: path)
    async let second: Void = Self.send("b", hits: 400, to: path)
    _ = try await (first, second)
    let hits = try fixture.reader().inspect(HitQuery(limit: 10_000))
    #expect(Set(hits.map(\.sequence)).count == 800)
    for name in ["a", "b"] {
      #expect(hits.compactMap { $0.fields["ec"] == name ? $0.fields["ea"] : nil } == (0..<400).map(String.init))
    }
    let analytics = try fixture.open(clock: SystemHitClock())
    #expect(await analytics.drain().accepted == 800)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-910: a store that another process is only making is not there yet, and nothing is said of its tables")
  func unmade() throws {
    let directory = try TemporaryDirectory()
    let connection = try Connection(path: directory.file("hits.sqlite3"), durability: .processDeath)
    try connection.execute("PRAGMA user_version=0")
    #expect {
      _ = try HitStoreReader(directory: directory.path)
    } throws: {
      ($0 as? HitQueueError)?.code == .storeUnavailable
    }
  }

  private static func send(_ name: String, hits: Int, to path: String) async throws {
    await #expect(processExitsWith: .success) {
      [path = path as String, name = name as String, hits = hits as Int] in
      let analytics = try Analytics(
        store: HitStoreConfiguration(directory: path, sendBudget: .seconds(10)), transport: ScriptedTransport(),
        logger: QuietLogger())
      analytics.defaultDestination = .measurementProtocol("https://collect.example")
      for number in 0..<hits {
        let receipt = analytics.send(.event(category: name, action: "\(number)"), tracker: "UA-1-1")
        if case .refused(let refusal) = receipt.state { fatalError("\(refusal)") }
      }
      await analytics.close()
    }
  }

  @Test("HQ-321: a lane that another process sends is busy for a call, and free when that process dies")
  func busyLane() async throws {
    let path = fixture.directory
    let marks = try TemporaryDirectory()
    for name in ["sending", "die"] { #expect(mkfifo(marks.file(name), 0o600) == 0) }
    async let other = #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, marks = marks.path as String] in
      let transport = ScriptedTransport(otherwise: { _ in .hold })
      let analytics = try Analytics(
        store: HitStoreConfiguration(directory: path, sendBudget: .seconds(10)), transport: transport,
        logger: QuietLogger())
      analytics.defaultDestination = .measurementProtocol("https://collect.example")
      for number in 1...3 { _ = analytics.send(.screenView("\(number)"), tracker: "UA-1-1") }
      analytics.dispatch()
      await transport.waitForRequests(1)
      try await Self.meet(at: marks + "/sending", O_WRONLY)
      try await Self.meet(at: marks + "/die", O_RDONLY)
      kill(getpid(), SIGKILL)
    }
    try await Self.meet(at: marks.file("sending"), O_RDONLY)
    // The hits have the device's time, the calls the test's.
    let analytics = try fixture.open { $0.maxAge = .seconds(300 * 86_400) }
    analytics.dispatchInterval = 0
    async let report = analytics.dispatchNext()
    // It looks each second, for half a minute.
    for _ in 0..<30 {
      await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .seconds(1))
    }
    #expect(await report.result == .noData)
    #expect(await report.reason == .busy)
    #expect(fixture.transport.requests.isEmpty)
    try await Self.meet(at: marks.file("die"), O_WRONLY)
    _ = await other
    fixture.clock.advance(by: .seconds(1))
    #expect(await analytics.dispatchNext().result == .good)
    #expect(fixture.sent.map { $0["cd"] } == ["1", "2", "3"])
    #expect(try await analytics.counters[.retries] == 3)
  }

  /// Waits at a pipe until the other process is there too.
  private static func meet(at path: String, _ mode: Int32) async throws {
    _ = try await blocking { close(open(path, mode)) }
  }

  @Test("HQ-323: a call that is cancelled, as on expiry in the background, lets the lane's lock go and keeps the hits")
  func expiry() async throws {
    let held = ScriptedTransport([.hold])
    let analytics = try fixture.open(transport: held)
    analytics.dispatchInterval = 0
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    let call = Task { await analytics.dispatchNext() }
    await held.waitForRequests(1)
    #expect(try analytics.store.lock(lane: 1) == nil)
    call.cancel()
    #expect(await call.value.reason == .cancelled)
    let lock = try #require(try analytics.store.lock(lane: 1))
    lock.release()
    #expect(try await analytics.inspect(HitQuery(state: .ready)).count == 1)
    #expect(try await analytics.inspect(HitQuery(state: .inflight)).isEmpty)
  }

  @Test("HQ-322: a forked process opens the store again; hits of both are there")
  func fork() async throws {
    await #expect(processExitsWith: .success) { [path = fixture.directory as String] in
      let analytics = try Analytics(
        store: HitStoreConfiguration(directory: path, sendBudget: .seconds(10)), transport: ScriptedTransport(),
        logger: QuietLogger())
      analytics.defaultDestination = .measurementProtocol("https://collect.example")
      _ = analytics.send(.screenView("before"), tracker: "UA-1-1")
      let child = forkProcess()
      _ = analytics.send(.screenView(child == 0 ? "child" : "parent"), tracker: "UA-1-1")
      if child == 0 { _exit(0) }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      guard status == 0 else { exit(1) }
      await analytics.close()
    }
    let hits = try fixture.reader().inspect(HitQuery(limit: 10))
    #expect(Set(hits.compactMap { $0.fields["cd"] }) == ["before", "child", "parent"])
    #expect(Set(hits.map(\.sequence)).count == 3)
  }
}

/// `fork`, which Swift does not let a program call: by its place in the C library.
private func forkProcess() -> pid_t {
  typealias Fork = @convention(c) () -> pid_t
  guard let address = dlsym(nil, "fork") else { return -1 }
  return unsafeBitCast(address, to: Fork.self)()
}
