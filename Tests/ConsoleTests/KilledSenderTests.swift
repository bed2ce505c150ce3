import Console
import Foundation
import HTTPClient
import HitQueue
import Hits
import TestSupport
import Testing

@Suite("Killed sender") struct KilledSenderTests {
  /// A process that sends in a loop, writes down each id with a durable receipt before anything else, and is killed by
  /// another of its threads at no chosen moment; then the next process on the same store, fifty times, or as often as
  /// `TAGWORKS_KILL_ROUNDS` says.
  @Test("HQ-310, HQ-100: after each of many times kill -9 every durable hit is in the collector, none twice")
  func killed() async throws {
    let directory = try TemporaryDirectory()
    let rounds = ProcessInfo.processInfo.environment["TAGWORKS_KILL_ROUNDS"].flatMap { Int($0) } ?? 50
    // Few enough for the collector's rate limit of 10,000 in a burst.
    let hits = max(1, 9_000 / max(1, rounds))
    for round in 0..<rounds {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = directory.path as String, round = round as Int, hits = hits as Int] in
        let noted = open(path + "/durable", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let analytics = try Analytics(
          store: HitStoreConfiguration(directory: path + "/store"), transport: ScriptedOffline())
        analytics.defaultDestination = .measurementProtocol("http://127.0.0.1:1")
        let tracker = try analytics.tracker(property: "UA-1-1")
        var isDoomed = false
        for number in 0..<hits {
          let receipt = tracker.send(.event(category: "Kill", action: "round \(round)", value: Int64(number)))
          guard receipt.state == .durable, let id = receipt.id else { continue }
          _ = "\(id)\n".withCString { write(noted, $0, strlen($0)) }
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

    let stored = try await deliver(directory.path)
    #expect(Set(durable).subtracting(stored).isEmpty)
    #expect(Set(stored).count == stored.count)
  }

  /// Relaunches on the store, with a collector behind the old address's property, and gives the ids it stored.
  private func deliver(_ path: String) async throws -> [HitID] {
    let server = try ConsoleServer(ServeSettings(port: 0, data: path + "/collector"))
    let analytics = try Analytics(
      store: HitStoreConfiguration(directory: path + "/store"),
      transport: Rerouted(transport: PlatformTransport(), from: "http://127.0.0.1:1", to: server.url))
    analytics.dispatchInterval = 0
    let report = await analytics.drain()
    #expect(report.remaining == 0)
    let statistics = try await analytics.statistics()
    #expect(statistics.isConserved)
    #expect(statistics.hits == 0)
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

/// No network: the sender only stores.
private struct ScriptedOffline: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    throw TransportError(phase: .notSent, code: .offline, message: "no network")
  }
}

/// Sends what is meant for one server to another: the address a store remembers, the port a test got.
private struct Rerouted<Transport: HTTPTransport>: HTTPTransport {
  let transport: Transport
  let from: String
  let to: String

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    var request = request
    request.url = request.url.replacingOccurrences(of: from, with: to)
    return try await transport.send(request)
  }
}
