import Console
import Foundation
import HTTPClient
import HitQueue
import Hits
import TestSupport
import Testing

@Suite("Two senders") struct TwoSendersTests {
  private static let hits = 5_000

  /// Two processes on one store that send and dispatch at once; one is killed half-way, and another goes on for it.
  @Test("HQ-1109, HQ-320, HQ-321: of two processes on one store, one killed half-way, every hit is stored once")
  func twoSenders() async throws {
    let directory = try TemporaryDirectory()
    let server = try ConsoleServer(ServeSettings(port: 0, data: directory.path + "/collector"))
    let url = server.url
    let path = directory.path
    async let first = #expect(processExitsWith: .success) { [path = path as String, url = url as String] in
      try await send(path, url, name: "first", dying: false)
    }
    async let second = #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, url = url as String] in
      try await send(path, url, name: "second", dying: true)
    }
    _ = await (first, second)
    await #expect(processExitsWith: .success) { [path = path as String, url = url as String] in
      try await send(path, url, name: "third", dying: false)
    }
    try await server.stop()
    var durable: [HitID] = []
    for name in ["first", "second", "third"] {
      let text = try String(contentsOfFile: directory.file(name), encoding: .utf8)
      durable += text.split(separator: "\n").compactMap { HitID(String($0)) }
    }
    #expect(durable.count >= 2 * Self.hits)
    let stored = try IntakeReader(directory: directory.path + "/collector").summaries(limit: 100_000).map(\.id)
    #expect(Set(stored).count == stored.count)
    #expect(Set(durable).isSubset(of: stored))
    // What was killed between a commit and the note of it may be one hit more.
    #expect(stored.count <= durable.count + 1)
    let check = try HitStoreReader(directory: directory.path + "/store").check()
    #expect(check.isSound)
    #expect(check.hits == 0)
  }
}

/// Sends half of the hits, or all, dispatching as it goes, and writes each durable id down before anything else.
private func send(_ path: String, _ url: String, name: String, dying: Bool) async throws {
  let noted = open(path + "/" + name, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  let analytics = try Analytics(
    store: HitStoreConfiguration(directory: path + "/store", sendBudget: .seconds(10)), transport: PlatformTransport())
  analytics.dispatchInterval = 0
  analytics.defaultDestination = .measurementProtocol(url)
  let hits = name == "third" || dying ? 2_500 : 5_000
  for number in 0..<hits {
    let receipt = analytics.send(.event(category: name, action: "\(number)"), tracker: "UA-1-1")
    guard receipt.state == .durable, let id = receipt.id else { continue }
    _ = "\(id)\n".withCString { write(noted, $0, strlen($0)) }
    if number % 250 == 0 { analytics.dispatch() }
  }
  if dying {
    analytics.dispatch()
    kill(getpid(), SIGKILL)
  }
  // The other process may have the lane for a while.
  for _ in 0..<50 {
    let report = await analytics.drain()
    if report.remaining == 0 { break }
  }
  await analytics.close()
}
