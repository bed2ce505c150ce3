import Hits
import TestSupport
import Testing

@testable import VideoAds

@Suite struct LiveBeaconSinkTests {
  private static func sink(
    _ transport: ScriptedTransport, _ clock: ManualClock, later: RecordingSink? = nil,
    connectivity: SwitchedNetwork? = nil
  ) -> LiveBeaconSink {
    LiveBeaconSink(transport: transport, userAgent: "UA", clock: clock, connectivity: connectivity, later: later)
  }

  @Test("VA-800, VA-801: a beacon is one GET with its bounds, started at once and in order")
  func request() async {
    let transport = ScriptedTransport()
    let sink = Self.sink(transport, ManualClock())
    #expect(sink.send(.beacon("https://a.test/1"), tracker: nil).state == .pending(.memory))
    #expect(sink.send(.screenView("x"), tracker: nil).state == .refused(.unsupportedKind))
    await sink.drain()
    let request = transport.requests[0]
    #expect(request.method == "GET" && request.headers["User-Agent"] == "UA" && request.headers["Cookie"] == nil)
    #expect(request.redirects == .follow(5) && request.responseLimit == 64 << 10 && request.timeout == .seconds(10))
  }

  @Test("VA-801: at most six open a host and 24 in all, the rest queue")
  func bounds() async {
    let transport = ScriptedTransport { _ in .hold }
    let sink = Self.sink(transport, ManualClock())
    for number in 0..<8 { sink.send(.beacon("https://a.test/\(number)"), tracker: nil) }
    for host in 0..<30 { sink.send(.beacon("https://h\(host).test/"), tracker: nil) }
    await transport.waitForRequests(24)
    #expect(transport.requests.count == 24 && transport.requests.filter { $0.url.contains("a.test") }.count == 6)
    for count in 25...38 {
      transport.answerNext(.status(200))
      await transport.waitForRequests(count)
    }
    for _ in 0..<24 { transport.answerNext(.status(200)) }
    await sink.drain()
    #expect(Set(transport.requests.map(\.url)).count == 38)
  }

  @Test(
    "VA-801: with a network 4,000 beacons of a busy host wait their turn, and what is lost for want of room is counted")
  func queue() async {
    let transport = ScriptedTransport { _ in .hold }
    let sink = Self.sink(transport, ManualClock())
    for number in 0..<6 + 4_000 + 3 { sink.send(.beacon("https://a.test/\(number)"), tracker: nil) }
    await transport.waitForRequests(6)
    #expect(sink.lostCount == 3)
    for count in 7...4_006 {
      transport.answerNext(.status(200))
      await transport.waitForRequests(count)
    }
    for _ in 0..<6 { transport.answerNext(.status(200)) }
    await sink.drain()
    #expect(sink.lostCount == 3 && Set(transport.requests.map(\.url)).count == 4_006)
  }

  @Test("VA-802: a beacon that no attempt delivers is counted as lost, unless a second sink takes it")
  func lost() async {
    let failure = ScriptedTransport.Answer.failure(TransportError(phase: .notSent, code: .dns, message: ""))
    for (later, count) in [(nil, 1), (RecordingSink(), 0), (RefusingSink(), 1)] as [((any HitSink)?, Int)] {
      let (transport, clock) = (ScriptedTransport { _ in failure }, ManualClock())
      let sink = LiveBeaconSink(transport: transport, userAgent: "UA", clock: clock, later: later)
      sink.send(.beacon("https://a.test/"), tracker: nil)
      for pause in [Duration.seconds(1), .seconds(5)] {
        await clock.waitForSleepers()
        #expect(sink.lostCount == 0)
        clock.advance(by: pause)
      }
      await sink.drain()
      #expect(transport.requests.count == 3 && sink.lostCount == count)
    }
  }

  @Test("VA-802: network errors, 429 and 5xx are tried again after 1 s and 5 s, other answers not")
  func retries() async {
    let failure = ScriptedTransport.Answer.failure(TransportError(phase: .notSent, code: .connection, message: ""))
    for (answers, count) in [
      ([failure, .status(503), .status(200)], 3), ([.status(429), .status(200)], 2), ([.status(404)], 1),
      ([failure, failure, failure], 3),
      ([.failure(TransportError(phase: .uncertain, code: .tooLarge, message: ""))], 1),
    ] {
      let (transport, clock, later) = (ScriptedTransport(answers), ManualClock(), RecordingSink())
      let sink = Self.sink(transport, clock, later: later)
      sink.send(.beacon("https://a.test/[x]"), tracker: nil)
      for pause in [Duration.seconds(1), .seconds(5)].prefix(count - 1) {
        await clock.waitForSleepers()
        clock.advance(by: pause)
        await transport.waitForRequests(count > 2 ? transport.requests.count : count)
      }
      await sink.drain()
      #expect(transport.requests.count == count && Set(transport.requests.map(\.url)).count == 1)
      #expect(
        later.hits.count
          == (count == 3 && answers.count == 3 && transport.requests.count == 3 && isLost(answers) ? 1 : 0))
    }
  }

  private func isLost(_ answers: [ScriptedTransport.Answer]) -> Bool {
    if case .failure = answers.last { true } else { false }
  }

  @Test("VA-802: without a network a beacon waits for one, ten minutes at most; then it goes to the second sink")
  func offline() async {
    let failure = ScriptedTransport.Answer.failure(TransportError(phase: .notSent, code: .offline, message: ""))
    let (transport, clock, later, network) = (
      ScriptedTransport([failure]), ManualClock(), RecordingSink(), SwitchedNetwork()
    )
    network.set(.offline)
    let sink = Self.sink(transport, clock, later: later, connectivity: network)
    sink.send(.beacon("https://a.test/"), tracker: nil)
    await clock.waitForSleepers()
    network.set(.wifi)
    clock.advance(by: .seconds(1))
    await sink.drain()
    #expect(transport.requests.count == 2 && later.hits.isEmpty)
    let lost = ScriptedTransport { _ in failure }
    network.set(.offline)
    let other = Self.sink(lost, clock, later: later, connectivity: network)
    other.send(.beacon("https://b.test/"), tracker: nil)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(601))
    await other.drain()
    #expect(later.hits.map { $0.get("url") } == ["https://b.test/"] && later.hits[0].maxAge == .seconds(600))
  }

  @Test("VA-802: without a network 200 beacons are kept in memory, the others go to the second sink at once")
  func crowd() async {
    let transport = ScriptedTransport { _ in
      .failure(TransportError(phase: .notSent, code: .offline, message: ""))
    }
    let (clock, later, network) = (ManualClock(), RecordingSink(), SwitchedNetwork())
    network.set(.offline)
    let sink = Self.sink(transport, clock, later: later, connectivity: network)
    for number in 0..<450 { sink.send(.beacon("https://a.test/\(number)"), tracker: nil) }
    await clock.waitForSleepers(200)
    while later.hits.count < 250 { await Task.yield() }
    #expect(later.hits.count == 250)
    clock.advance(by: .seconds(601))
    await sink.drain()
    #expect(Set(later.hits.compactMap { $0.get("url") }).count == 450)
  }
}

/// Takes nothing.
private struct RefusingSink: HitSink {
  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt { SendReceipt(state: .refused(.consentDenied)) }
}

/// A network that a test turns on and off.
final class SwitchedNetwork: Connectivity {
  private let current = Locked(NetworkState.wifi)

  func set(_ state: NetworkState) { current.withLock { $0 = state } }
  var state: NetworkState { current.withLock { $0 } }
  var isMetered: Bool { false }
  var changes: AsyncStream<NetworkState> { AsyncStream { $0.finish() } }
}
