import Console
import Foundation
import HTTPClient
import HitQueue
import Hits
import TestSupport
import Testing

@Suite("Killed sender") struct KilledSenderTests {
  /// A process that sends in a loop and dispatches as it goes, writes down each id with a durable receipt before anything
  /// else, and is killed by another of its threads at no chosen moment; then the next process on the same store, two
  /// hundred times, or as often as `TAGWORKS_KILL_ROUNDS` says.
  @Test("HQ-1100, HQ-310, HQ-100: after 200 times kill -9 every durable hit is in the collector, none twice")
  func killed() async throws {
    let directory = try TemporaryDirectory()
    let server = try ConsoleServer(ServeSettings(port: 0, data: directory.path + "/collector"))
    let url = server.url
    let rounds = ProcessInfo.processInfo.environment["TAGWORKS_KILL_ROUNDS"].flatMap { Int($0) } ?? 200
    // Few enough for the collector's rate limit of 10,000 in a burst.
    let hits = max(1, 9_000 / max(1, rounds))
    for round in 0..<rounds {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = directory.path as String, url = url as String, round = round as Int, hits = hits as Int] in
        let noted = open(path + "/durable", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let analytics = try Analytics(
          store: HitStoreConfiguration(directory: path + "/store"), transport: PlatformTransport())
        analytics.defaultDestination = .measurementProtocol(url)
        analytics.dispatch()
        let tracker = try analytics.tracker(property: "UA-1-1")
        var isDoomed = false
        for number in 0..<hits {
          let receipt = tracker.send(.event(category: "Kill", action: "round \(round)", value: Int64(number)))
          guard receipt.state == .durable, let id = receipt.id else { continue }
          _ = "\(id)\n".withCString { write(noted, $0, strlen($0)) }
          if number % 8 == 0 { analytics.dispatch() }
          if !isDoomed {
            isDoomed = true
            killSoon(after: 0.001 * Double(round % 17) + 0.0007)
          }
        }
        while true { pause() }
      }
    }
    let durable = try String(contentsOfFile: directory.path + "/durable", encoding: .utf8)
      .split(separator: "\n").compactMap { HitID(String($0)) }
    #expect(durable.count >= rounds)
    #expect(Set(durable).count == durable.count)

    let stored = try await deliver(directory.path, to: server)
    #expect(Set(durable).subtracting(stored).isEmpty)
    #expect(Set(stored).count == stored.count)
  }

  /// Relaunches on the store, sends what is left, and gives the ids that the collector has.
  private func deliver(_ path: String, to server: ConsoleServer) async throws -> [HitID] {
    let analytics = try Analytics(
      store: HitStoreConfiguration(directory: path + "/store"), transport: PlatformTransport())
    analytics.dispatchInterval = 0
    let report = await analytics.drain()
    #expect(report.remaining == 0)
    let statistics = try await analytics.statistics()
    #expect(statistics.isConserved)
    #expect(statistics.hits == 0)
    // Some rounds were killed with a request under way.
    #expect(statistics.counters[.retries] > 0)
    await analytics.close()
    try await server.stop()
    return try IntakeReader(directory: path + "/collector").summaries(limit: 1_000_000).map(\.id)
  }
}

/// Kills this process from another thread, in real time on purpose: the kill must not know where the sender is.
private func killSoon(after seconds: Double) {
  Thread.detachNewThread {
    Thread.sleep(forTimeInterval: seconds)
    kill(getpid(), SIGKILL)
  }
}
