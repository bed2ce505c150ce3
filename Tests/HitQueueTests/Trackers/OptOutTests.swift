import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

@Suite struct OptOutTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  @Test("HQ-1229: an opt-out deletes what waits, persists, and ends; deleted hits stay deleted")
  func whole() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    for number in 1...10 { await tracker.send(.screenView("\(number)")) }
    analytics.optOut = true
    #expect(try await analytics.inspect(HitQuery()).isEmpty)
    #expect(try await analytics.counters[.dropped(.optedOut)] == 10)
    #expect(analytics.status.contains(.optedOut))
    await analytics.close()

    let next = try fixture.open()
    #expect(next.optOut)
    let again = try next.tracker(property: "UA-1-1")
    #expect(await again.send(.screenView("no")).state == .refused(.optedOut))
    #expect(next.send(.beacon("https://a.example/"), tracker: nil).state == .refused(.optedOut))
    let report = await next.dispatchNext()
    #expect(report.result == .noData)
    #expect(report.reason == .optedOut)
    next.optOut = false
    #expect(!next.status.contains(.optedOut))
    #expect(await again.send(.screenView("new")).state == .durable)
    _ = await next.drain()
    #expect(fixture.sent.map { $0["cd"] } == ["new"])
    #expect(try await next.statistics().isConserved)
  }

  @Test("HQ-221: hits that need no consent stop too")
  func withoutPurposes() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    analytics.optOut = true
    #expect(await tracker.send(.screenView("x").requiring([])).state == .refused(.optedOut))
  }

  @Test("HQ-230: no byte of the deleted hits is left in the store's files")
  func bytes() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    for _ in 0..<50 { await tracker.send(.screenView("a-most-secret-name")) }
    func isFound() -> Bool {
      ["hits.sqlite3", "hits.sqlite3-wal"].contains { name in
        let data = try? Data(contentsOf: URL(fileURLWithPath: fixture.directory + "/" + name))
        return data?.range(of: Data("a-most-secret-name".utf8)) != nil
      }
    }
    #expect(isFound())
    analytics.optOut = true
    #expect(!isFound())
  }

  @Test("HQ-231: another process's insertions are barred inside their transactions")
  func otherProcess() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("1"))
    await #expect(processExitsWith: .success) { [path = fixture.directory as String] in
      let other = try Analytics(
        store: HitStoreConfiguration(directory: path, sendBudget: .seconds(10)), transport: ScriptedTransport(),
        logger: QuietLogger())
      other.optOut = true
      await other.close()
    }
    // This process does not know yet: the store says no, alone and together.
    #expect(await tracker.send(.screenView("2")).state == .refused(.optedOut))
    let receipts = await tracker.send(contentsOf: [.screenView("3"), .screenView("4")])
    #expect(receipts.map(\.state) == [.refused(.optedOut), .refused(.optedOut)])
    _ = await analytics.drain()
    #expect(fixture.sent.isEmpty)
    #expect(try await analytics.inspect(HitQuery()).isEmpty)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test(
    "HQ-211: an identity file that cannot be read is set aside, and counts as an opt-out unless the app says no",
    arguments: [true, false])
  func damagedIdentity(optOutOnDamage: Bool) async throws {
    let old = "35009a79-1a05-49d7-b876-2b884d0f825b"
    try FileManager.default.createDirectory(atPath: fixture.directory, withIntermediateDirectories: true)
    try "{\"clientID\": \"\(old)\"".write(
      toFile: fixture.directory + "/identity.json", atomically: true, encoding: .utf8)
    let analytics = try fixture.open { $0.optOutOnDamage = optOutOnDamage }
    #expect(analytics.optOut == optOutOnDamage)
    analytics.optOut = false
    let tracker = try analytics.tracker(property: "UA-1-1")
    #expect(await tracker.send(.screenView("x")).state == .durable)
    #expect(await analytics.clientID() != old)
    let aside = try FileManager.default.subpathsOfDirectory(atPath: fixture.directory + "/damaged")
    #expect(aside.contains { $0.hasSuffix("/identity.json") })
  }

  @Test("HQ-211: an identity file that is damaged while the store is open is made anew, and the store stays")
  func identityDamagedWhileOpen() async throws {
    let analytics = try fixture.open { $0.optOutOnDamage = false }
    analytics.dispatchInterval = 0
    let tracker = try analytics.tracker(property: "UA-1-1")
    for number in 1...3 { #expect(await tracker.send(.screenView("\(number)")).state == .durable) }
    try "{".write(toFile: fixture.directory + "/identity.json", atomically: true, encoding: .utf8)
    analytics.consent(.adStorage, .denied)
    #expect(await tracker.send(.screenView("4")).state == .durable)
    #expect(!analytics.status.contains(.damaged(1)))
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["cd"] } == ["1", "2", "3", "4"])
    let aside = try FileManager.default.subpathsOfDirectory(atPath: fixture.directory + "/damaged")
    #expect(aside.contains { $0.hasSuffix("/identity.json") })
    #expect(!aside.contains { $0.hasSuffix(".sqlite3") })
    let text = try String(contentsOfFile: fixture.directory + "/identity.json", encoding: .utf8)
    #expect(text.contains(#""ad_storage":"denied""#))
  }

  @Test("HQ-1114: an opt-out ends the request under way, and the hits in it are gone")
  func duringRequest() async throws {
    let transport = ScriptedTransport([.hold])
    let analytics = try fixture.open(transport: transport)
    let tracker = try analytics.tracker(property: "UA-1-1")
    for number in 1...3 { await tracker.send(.screenView("\(number)")) }
    async let report = analytics.dispatchNext()
    await transport.waitForRequests(1)
    analytics.optOut = true
    #expect(await report.result == .error)
    await analytics.whenIdle()
    #expect(try await analytics.inspect(HitQuery()).isEmpty)
    #expect(try await analytics.counters[.dropped(.optedOut)] == 3)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-1114: killed in the middle of an opt-out or after it, the next start finds no hit, or no opt-out")
  func killed() async throws {
    var outcomes: Set<String> = []
    for round in 0..<24 {
      let fixture = try QueueFixture()
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = fixture.directory as String, round = round as Int] in
        let analytics = try Analytics(
          store: HitStoreConfiguration(directory: path, sendBudget: .seconds(10)),
          transport: ScriptedTransport(otherwise: { _ in .hold }), logger: QuietLogger())
        analytics.defaultDestination = .measurementProtocol("https://collect.example")
        let tracker = try analytics.tracker(property: "UA-1-1")
        await tracker.send(contentsOf: (1...30).map { .screenView("\($0)") })
        analytics.dispatch()
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: 0.0002 * Double(round))
          kill(getpid(), SIGKILL)
        }
        analytics.optOut = true
        close(open(path + "/returned", O_CREAT | O_WRONLY, 0o600))
        while true { pause() }
      }
      let next = try fixture.open(clock: SystemHitClock())
      await next.whenIdle()
      let isOptedOut = next.optOut
      let hasReturned = FileManager.default.fileExists(atPath: fixture.directory + "/returned")
      if hasReturned { #expect(isOptedOut) }
      #expect(try await next.inspect(HitQuery(limit: 100)).count == (isOptedOut ? 0 : 30))
      _ = await next.drain()
      #expect(fixture.sent.count == (isOptedOut ? 0 : 30))
      #expect(try await next.statistics().isConserved)
      await next.close()
      outcomes.insert(hasReturned ? "after" : isOptedOut ? "within" : "before")
    }
    // The kills fall on both sides of the setter's return.
    #expect(outcomes.count > 1)
  }
}
