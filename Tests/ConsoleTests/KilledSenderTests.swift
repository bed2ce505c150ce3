import Console
import Foundation
import HTTPClient
import HitQueue
import Hits
import TestSupport
import Testing

@Suite("Killed sender") struct KilledSenderTests {
  /// A process that sends and dispatches, writes down each id with a durable receipt before anything else, and is killed
  /// by another of its threads at no chosen moment, be it in a commit, in a request or before its settlement; then the
  /// next process on the same store, fifty times, or as often as `TAGWORKS_KILL_ROUNDS` says.
  @Test(
    "HQ-1100, HQ-1101, HQ-310: after each of many times kill -9 every durable hit is in the collector, once, in order")
  func killed() async throws {
    let directory = try TemporaryDirectory()
    let rounds = ProcessInfo.processInfo.environment["TAGWORKS_KILL_ROUNDS"].flatMap { Int($0) } ?? 50
    var settings = ServeSettings(
      port: 0, data: directory.file("collector"),
      properties: [Property(id: "shop", writeKeys: ["key"])].compactMap { $0 })
    settings.rate = 1_000_000
    let server = try ConsoleServer(settings)
    for round in 0..<rounds {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = directory.path as String, url = server.url as String, round = round as Int] in
        let noted = open(path + "/durable", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let (analytics, trackers) = try Self.queue(path, url)
        var isDoomed = false
        for number in 0..<5_000 {
          let receipt = trackers[number % 2].send(
            .event(category: "Kill", action: "round \(round)", value: Int64(number)))
          guard receipt.state == .durable, let id = receipt.id else { continue }
          _ = "\(id)\n".withCString { write(noted, $0, strlen($0)) }
          if !isDoomed {
            isDoomed = true
            killSoon(after: 0.0007 + 0.003 * Double(round % 17))
          }
          if number % 25 == 0 { analytics.dispatch() }
        }
        while true { pause() }
      }
    }
    let durable = try String(contentsOfFile: directory.file("durable"), encoding: .utf8)
      .split(separator: "\n").compactMap { HitID(String($0)) }
    #expect(durable.count >= rounds)
    #expect(Set(durable).count == durable.count)

    let (analytics, _) = try Self.queue(directory.path, server.url)
    #expect(await analytics.drain().remaining == 0)
    let statistics = try await analytics.statistics()
    #expect(statistics.isConserved)
    #expect(statistics.hits == 0)
    await analytics.close()
    let repeated = try await Self.duplicates(server)
    try await server.stop()
    let stored = try IntakeReader(directory: directory.file("collector")).summaries(limit: 10_000_000)
    #expect(Set(durable).subtracting(stored.map(\.id)).isEmpty)
    #expect(Set(stored.map(\.id)).count == stored.count)
    #expect(stored.allSatisfy { $0.fields["ec"] == "Kill" })
    // What one process gave one tracker is in the order in which it was sent.
    let number = { (hit: IntakeSummary) in hit.fields["ev"].flatMap { Int($0) } }
    let callers = Dictionary(grouping: stored) { "\($0.fields["ea"] ?? ""), tracker \((number($0) ?? 0) % 2)" }
    for (caller, hits) in callers {
      let numbers = hits.compactMap(number)
      #expect(numbers.count == hits.count && numbers == numbers.sorted(), "\(caller)")
    }
    print(
      "Killed sender: \(rounds) kills, \(durable.count) durable receipts, \(stored.count) hits stored, "
        + "\(repeated) came again and were not stored twice")
  }

  /// A queue that sends to the collector by both of its protocols.
  private static func queue(_ path: String, _ url: String) throws -> (Analytics, [Tracker]) {
    let analytics = try Analytics(
      store: HitStoreConfiguration(directory: path + "/store"), transport: PlatformTransport())
    analytics.dispatchInterval = 0
    return (
      analytics,
      [
        try analytics.tracker(name: "measurement", property: "shop", destination: .measurementProtocol(url)),
        try analytics.tracker(name: "line", property: "shop", destination: .collector(url, key: "key")),
      ]
    )
  }

  private static func duplicates(_ server: ConsoleServer) async throws -> String {
    let body = try await PlatformTransport().send(HTTPRequest(url: server.url + "/metrics")).body
    let name = #"tagworks_hits_total{result="duplicate"} "#
    let line = String(decoding: body, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
    return line.map { String($0.dropFirst(name.count)) } ?? "unknown"
  }
}

/// Kills this process from another thread, in real time on purpose: the kill must not know where the sender is.
private func killSoon(after seconds: Double) {
  Thread.detachNewThread {
    Thread.sleep(forTimeInterval: seconds)
    kill(getpid(), SIGKILL)
  }
}
