import Foundation
import HTTPClient
import HitQueue
import Hits
import TestSupport
import Testing

/// Answers that are lost, cut, late or none, over a real connection (HQ-1103).
@Suite("Lost answers") struct LostAnswerTests {
  enum Loss: String, Sendable, CaseIterable {
    case cut, cutInHead, cutInBody, late, garbage, otherProtocol, endless

    var answer: LoopbackServer.Answer {
      switch self {
      case .cut: .cut
      case .cutInHead: .bytes(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8))
      case .cutInBody: .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{\"v\":1".utf8))
      case .late: .hang()
      case .garbage: .bytes([0, 1, 2, 0xFF, 0x0A, 0x0A, 0x20])
      case .otherProtocol: .bytes(Array("220 mail.example ESMTP\r\n".utf8))
      case .endless: .hang(after: Array("HTTP/1.1 200 OK\r\n".utf8))
      }
    }
  }

  @Test(
    "HQ-1103, HQ-430: after a lost answer the same hits go again with a back-off, under the same ids",
    arguments: Loss.allCases)
  func lost(loss: Loss) async throws {
    let directory = try TemporaryDirectory()
    let asked = Locked(0)
    let server = try LoopbackServer { _ in
      asked.withLock {
        $0 += 1
        return $0 == 1
      } ? loss.answer : .response(status: 200)
    }
    let clock = ManualClock()
    let analytics = try Analytics(
      store: HitStoreConfiguration(directory: directory.path + "/store", sendBudget: .seconds(10)),
      transport: Impatient(transport: PlatformTransport()), clock: clock)
    analytics.dispatchInterval = 0
    analytics.defaultDestination = .measurementProtocol(server.url(""))
    var ids: [String] = []
    for number in 0..<3 {
      let receipt = analytics.send(.event(category: "c", action: "\(number)"), tracker: "UA-1-1")
      ids.append(try #require(receipt.id).description)
    }
    #expect(await analytics.dispatchNext().result == .error)
    var statistics = try await analytics.statistics()
    #expect(statistics.hits == 3)
    #expect(statistics.counters[.requestsFailed] == 1)
    let lane = try #require(statistics.lanes.first)
    #expect(lane.restCause == "backoff")
    #expect(2_500...5_000 ~= (lane.restsUntil ?? 0) - clock.wallMilliseconds)
    // A pass waits for the back-off.
    analytics.dispatch()
    await analytics.whenIdle()
    #expect(server.requests.count == 1)
    clock.advance(by: .seconds(5))
    analytics.dispatch()
    await analytics.whenIdle()
    let sent = server.requests.map { FormFields.lines(of: $0.body).compactMap { FormFields($0)["z"] } }
    #expect(sent == [ids, ids])
    statistics = try await analytics.statistics()
    #expect(statistics.counters[.delivered] == 3)
    #expect(statistics.counters[.retries] == 3)
    #expect(statistics.isConserved)
    await analytics.close()
  }
}

/// Waits for an answer for a moment only, so that no test does for longer.
private struct Impatient<Transport: HTTPTransport>: HTTPTransport {
  let transport: Transport

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    var request = request
    request.timeout = .milliseconds(500)
    return try await transport.send(request)
  }
}
