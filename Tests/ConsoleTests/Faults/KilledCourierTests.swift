import Console
import Foundation
import HTTPClient
import HitQueue
import Hits
import TestSupport
import Testing

/// A sender that dies on the way of a request, and what the collector has in the end (HQ-1101).
@Suite("Killed courier") struct KilledCourierTests {
  enum Place: Int, Sendable, CaseIterable {
    case betweenClaimAndRequest
    case betweenRequestAndAnswer
    case betweenAnswerAndSettlement
  }

  @Test(
    "HQ-1101, HQ-423: killed on the way of a request, the same hits go again, in order, and are stored once",
    arguments: Place.allCases)
  func killed(place: Place) async throws {
    let directory = try TemporaryDirectory()
    let server = try ConsoleServer(ServeSettings(port: 0, data: directory.path + "/collector"))
    let url = server.url
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = directory.path as String, url = url as String, place = place.rawValue as Int] in
      let analytics = try Analytics(
        store: HitStoreConfiguration(directory: path + "/store", sendBudget: .seconds(10)),
        transport: DeadlyTransport(place: place))
      analytics.dispatchInterval = 0
      analytics.defaultDestination = .measurementProtocol(url)
      for number in 0..<30 { _ = analytics.send(.event(category: "c", action: "\(number)"), tracker: "UA-1-1") }
      _ = await analytics.drain()
    }
    let analytics = try Analytics(
      store: HitStoreConfiguration(directory: directory.path + "/store"), transport: PlatformTransport())
    analytics.dispatchInterval = 0
    let hits = try await analytics.inspect(HitQuery())
    #expect(hits.map(\.state) == hits.indices.map { $0 < 20 ? .inflight : .ready })
    #expect(await analytics.drain().accepted == 30)
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.retries] == 20)
    #expect(statistics.counters[.duplicatesAcked] == (place == .betweenClaimAndRequest ? 0 : 20))
    #expect(statistics.counters[.delivered] == 30)
    #expect(statistics.isConserved)
    await analytics.close()
    try await server.stop()
    let stored = try IntakeReader(directory: directory.path + "/collector").summaries(limit: 100)
    #expect(Set(stored.map(\.id)) == Set(hits.map(\.id)))
    #expect(stored.count == 30)
  }
}

/// Kills its process at a place of its first request.
private struct DeadlyTransport: HTTPTransport {
  let place: Int
  private let transport = PlatformTransport()

  init(place: Int) { self.place = place }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    switch KilledCourierTests.Place(rawValue: place) {
    case .betweenClaimAndRequest: kill(getpid(), SIGKILL)
    case .betweenRequestAndAnswer: Self.sendWithoutReading(request)
    case .betweenAnswerAndSettlement, nil: break
    }
    let response = try await transport.send(request)
    kill(getpid(), SIGKILL)
    return response
  }

  /// Writes the request, waits until the first byte of the answer is there, and dies without reading it.
  private static func sendWithoutReading(_ request: HTTPRequest) {
    guard let url = URLComponents(string: request.url), let host = url.host, let port = url.port.flatMap(UInt16.init),
      let socket = try? LoopbackSocket.connect(to: port)
    else { return }
    var head = "POST \(url.path) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(request.body.count)\r\n"
    for field in request.headers { head += "\(field.name): \(field.value)\r\n" }
    guard socket.send(Array((head + "\r\n").utf8) + request.body) else { return }
    var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, 30_000)
    kill(getpid(), SIGKILL)
  }
}
