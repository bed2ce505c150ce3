import Foundation
import Hits
import TestSupport
import Testing

@testable import HitQueue

/// The write-ahead log of a process that was killed, cut or deleted; the file cut at any byte (HQ-1111).
@Suite struct LogDamageTests {
  private let fixture: QueueFixture
  private var path: String { fixture.directory + "/hits.sqlite3" }
  private var log: String { path + "-wal" }

  init() throws { fixture = try QueueFixture() }

  /// Sends hits in a process that is killed, so that its log is left, and gives their ids.
  private func killed(_ hits: Int) async throws -> [HitID] {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = fixture.directory as String, hits = hits as Int] in
      let noted = Foundation.open(path + ".durable", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      let analytics = try Analytics(
        store: HitStoreConfiguration(directory: path, sendBudget: .seconds(10)), transport: ScriptedTransport(),
        logger: QuietLogger())
      analytics.defaultDestination = .measurementProtocol("https://collect.example")
      for number in 0..<hits {
        let receipt = analytics.send(.event(category: "c", action: "\(number)"), tracker: "UA-1-1")
        guard receipt.state == .durable, let id = receipt.id else { continue }
        _ = "\(id)\n".withCString { write(noted, $0, strlen($0)) }
      }
      kill(getpid(), SIGKILL)
    }
    defer { unlink(fixture.directory + ".durable") }
    let text = try String(contentsOfFile: fixture.directory + ".durable", encoding: .utf8)
    return text.split(separator: "\n").compactMap { HitID(String($0)) }
  }

  /// Opens and closes the store, until nobody in this process has it open any more.
  private func close() async throws {
    await (try fixture.open(clock: SystemHitClock())).close()
    await fixture.waitUntilClosed()
  }

  /// Starts again, sends on, and gives what the server got.
  private func relaunch(_ old: [HitID]) async throws -> (sent: [HitID], statistics: HitStatistics) {
    let analytics = try fixture.open(clock: SystemHitClock())
    analytics.dispatchInterval = 0
    _ = await analytics.drain()
    let receipt = analytics.send(.screenView("new"), tracker: "UA-1-1")
    #expect(receipt.state == .durable)
    let new = try #require(receipt.id)
    _ = await analytics.drain()
    let statistics = try await analytics.statistics()
    await analytics.close()
    let sent = fixture.sent.compactMap { $0["z"].flatMap { HitID($0) } }
    #expect(sent.last == new)
    #expect(Set(sent).count == sent.count)
    #expect(sent.dropLast() == old.filter(Set(sent).contains)[...])
    #expect(statistics.isConserved)
    #expect(statistics.hits == 0)
    return (sent.dropLast(), statistics)
  }

  @Test("HQ-1111, HQ-310: with its log as the kill has left it, no hit is lost")
  func whole() async throws {
    let old = try await killed(60)
    #expect(try await relaunch(old).sent == old)
  }

  @Test(
    "HQ-1111: of a log that is cut at any byte the whole commits before it are there, and the app goes on",
    arguments: [0, 1, 31, 32, 33, 55, 4_151, 4_152, 4_153, 20_000, 77_777, -4_000, -25, -1])
  func cut(at place: Int) async throws {
    let old = try await killed(60)
    let size = try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    #expect(truncate(log, off_t(place < 0 ? size + place : min(place, size))) == 0)
    let (sent, statistics) = try await relaunch(old)
    // Commits are in the order of the hits: what is there is a beginning.
    #expect(sent == Array(old.prefix(sent.count)))
    #expect(statistics.counters[.damageEvents] <= 1)
    if place < 0 { #expect(sent.count >= 55) }
  }

  @Test(
    "HQ-1111, HQ-350, HQ-351: of a file that is gone, empty or a stump beside its log, the log's hits are kept",
    arguments: [nil, 0, 1, 50, 99])
  func stump(bytes: Int?) async throws {
    let old = try await killed(60)
    if let bytes { #expect(truncate(path, off_t(bytes)) == 0) } else { #expect(unlink(path) == 0) }
    let (sent, statistics) = try await relaunch(old)
    #expect(sent == old)
    #expect(statistics.counters[.damageEvents] == 1)
    #expect(statistics.counters[.damageSalvaged] == 60)
    #expect(statistics.counters[.damageUnreadable] == 0)
    let aside = try FileManager.default.subpathsOfDirectory(atPath: fixture.directory + "/damaged")
    #expect(aside.contains { $0.hasSuffix("/hits.sqlite3-wal") })
    #expect(!aside.contains { $0.contains("-copy") || $0.contains("-model") })
  }

  @Test("HQ-1111, HQ-350: a file emptied beside a log that holds a part of it is a damage; what is read is sent, once")
  func emptied() async throws {
    let first = try await killed(200)
    try await close()
    let second = try await killed(20)
    #expect(truncate(path, 0) == 0)
    let (sent, statistics) = try await relaunch(first + second)
    #expect(Set(sent).isSubset(of: first + second))
    #expect(statistics.counters[.damageEvents] == 1)
  }

  @Test("HQ-1111: a deleted log takes its hits with it and nothing else; the app goes on")
  func deleted() async throws {
    let first = try await killed(20)
    // What is in the file itself is not lost with the log: a connection that closes puts everything there.
    try await close()
    let second = try await killed(20)
    unlink(log)
    unlink(path + "-shm")
    let (sent, _) = try await relaunch(first + second)
    #expect(Set(first).isSubset(of: sent))
  }

  @Test("HQ-1111: random pages of garbage: what is delivered was sent, once, in order, and the rest is counted")
  func garbage() async throws {
    let random = SeededRandomSource(seed: 11)
    for _ in 0..<6 {
      let fixture = try QueueFixture()
      var old: [HitID] = []
      do {
        let analytics = try fixture.open()
        for number in 0..<200 {
          old.append(
            try #require(analytics.send(.event(category: "c", action: "\(number)"), tracker: "UA-1-1").id))
        }
        await analytics.close()
      }
      await fixture.waitUntilClosed()
      let path = fixture.directory + "/hits.sqlite3"
      let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
      let file = Foundation.open(path, O_WRONLY)
      var page = (0..<4_096).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      pwrite(file, &page, page.count, off_t(random.next() % UInt64(size / 4_096)) * 4_096)
      Foundation.close(file)
      let analytics = try fixture.open()
      _ = await analytics.drain()
      let receipt = analytics.send(.screenView("new"), tracker: "UA-1-1")
      #expect(receipt.state == .durable)
      _ = await analytics.drain()
      let sent = fixture.sent.compactMap { $0["z"].flatMap { HitID($0) } }
      #expect(sent.last == receipt.id)
      #expect(Set(sent.dropLast()).isSubset(of: old))
      let statistics = try await analytics.statistics()
      #expect(statistics.isConserved)
      await analytics.close()
    }
  }
}
