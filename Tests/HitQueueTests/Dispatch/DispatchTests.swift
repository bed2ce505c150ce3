import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

/// The queue whole: from `send` over the store and the machine to requests, and back.
@Suite struct DispatchTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  private func send(_ count: Int, to analytics: Analytics) throws {
    let tracker = try analytics.tracker(property: "UA-1-1")
    for number in 1...count { tracker.send(.event(category: "c", action: "\(number)")) }
  }

  private func actions(_ request: HTTPRequest) -> [Int] {
    FormFields.lines(of: request.body).compactMap { FormFields($0)["ea"].flatMap { Int($0) } }
  }

  /// Calls `dispatch(completion:)` as the original's background loop does, until it is not told `good`.
  private func backgroundLoop(_ analytics: Analytics, stopAfter: Int = .max) async -> [DispatchResult] {
    await withCheckedContinuation { continuation in
      let results = Locked<[DispatchResult]>([])
      @Sendable func handler(_ result: DispatchResult) {
        let count = results.withLock {
          $0.append(result)
          return $0.count
        }
        if result == .good, count < stopAfter {
          analytics.dispatch(completion: handler)
        } else {
          continuation.resume(returning: results.withLock { $0 })
        }
      }
      analytics.dispatch(completion: handler)
    }
  }

  @Test("HQ-1200: without a word about the interval, a first hit leaves after 120 s, with its age")
  func periodic() async throws {
    let analytics = try fixture.open()
    #expect(analytics.dispatchInterval == 120)
    try send(1, to: analytics)
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .milliseconds(119_999))
    #expect(fixture.transport.requests.isEmpty)
    fixture.clock.advance(by: .milliseconds(1))
    await fixture.transport.waitForRequests(1)
    #expect(fixture.sent[0]["qt"] == "120000")
    await analytics.close()
  }

  @Test("HQ-1201: an interval that is set at 30 s counts from there")
  func newInterval() async throws {
    let analytics = try fixture.open()
    try send(1, to: analytics)
    analytics.dispatchInterval = 120
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(30))
    analytics.dispatchInterval = 60
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(60))
    await fixture.transport.waitForRequests(1)
    #expect(fixture.sent[0]["qt"] == "90000")
    await analytics.close()
  }

  @Test("HQ-1202: below 1 nothing leaves by itself, and a call sends all", arguments: [0, -1, 0.5])
  func manual(interval: Double) async throws {
    let analytics = try fixture.open()
    analytics.dispatchInterval = interval
    #expect(analytics.dispatchInterval == interval)
    try send(45, to: analytics)
    fixture.clock.advance(by: .seconds(86_400))
    #expect(fixture.transport.requests.isEmpty)
    analytics.dispatch()
    await fixture.transport.waitForRequests(3)
    #expect(fixture.transport.requests.map(actions) == [Array(1...20), Array(21...40), Array(41...45)])
    await analytics.close()
    #expect(try fixture.reader().statistics().hits == 0)
  }

  @Test("HQ-400: an interval that is no number is ignored, and a day is the most")
  func oddIntervals() throws {
    let analytics = try fixture.open()
    analytics.dispatchInterval = .nan
    #expect(analytics.dispatchInterval == 120)
    analytics.dispatchInterval = 1e9
    #expect(analytics.dispatchInterval == 86_400)
  }

  @Test("HQ-1203: hits made offline leave after a relaunch, in order, with the age from their first creation")
  func offlineRelaunch() async throws {
    let offline = SwitchedConnectivity(.offline)
    var analytics = try fixture.open(connectivity: offline)
    for number in 1...5 {
      let tracker = try analytics.tracker(property: "UA-1-1")
      await tracker.send(.event(category: "c", action: "\(number)"))
      fixture.clock.advance(by: .seconds(1))
    }
    #expect(analytics.status.contains(.offline))
    let report = await analytics.dispatchNext()
    #expect(report.result == .noData)
    #expect(report.reason == .offline)
    #expect(report.remaining == 5)
    await analytics.close()
    fixture.clock.advance(by: .seconds(3_600))
    analytics = try fixture.open(connectivity: SwitchedConnectivity(.wifi))
    analytics.dispatch()
    await fixture.transport.waitForRequests(1)
    #expect(fixture.sent.map { $0["ea"] } == ["1", "2", "3", "4", "5"])
    #expect(fixture.sent.map { $0["qt"] } == ["3605000", "3604000", "3603000", "3602000", "3601000"])
    await analytics.close()
  }

  @Test("HQ-405: hits of an earlier run arm the timer at launch, without any new hit")
  func earlierRun() async throws {
    var analytics = try fixture.open()
    try send(1, to: analytics)
    await analytics.close()
    analytics = try fixture.open()
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(120))
    await fixture.transport.waitForRequests(1)
    #expect(fixture.sent.count == 1)
    await analytics.close()
  }

  @Test("HQ-1204: the seed's background loop with 45 hits: three requests, four answers")
  func backgroundLoop() async throws {
    let analytics = try fixture.open()
    try send(45, to: analytics)
    #expect(await backgroundLoop(analytics) == [.good, .good, .good, .noData])
    #expect(fixture.transport.requests.map { actions($0).count } == [20, 20, 5])
    #expect(try await analytics.statistics().hits == 0)
  }

  @Test("HQ-1205: after a second answer of 500 the loop ends, and 25 hits are left")
  func backgroundLoopError() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport([.status(200), .status(500)]))
    let analytics = try fixture.open()
    try send(45, to: analytics)
    #expect(await backgroundLoop(analytics) == [.good, .error])
    #expect(try await analytics.statistics().hits == 25)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-1206: a loop that expires after the first answer has made one request")
  func backgroundLoopExpiry() async throws {
    let analytics = try fixture.open()
    try send(45, to: analytics)
    #expect(await backgroundLoop(analytics, stopAfter: 1) == [.good])
    #expect(fixture.transport.requests.count == 1)
    #expect(try await analytics.statistics().hits == 25)
  }

  @Test("HQ-1207: offline, the loop ends at once")
  func backgroundLoopOffline() async throws {
    let analytics = try fixture.open(connectivity: SwitchedConnectivity(.offline))
    try send(45, to: analytics)
    #expect(await backgroundLoop(analytics) == [.noData])
    #expect(fixture.transport.requests.isEmpty)
  }

  @Test("HQ-1208: the loop has switched the timer off, until the interval is set")
  func intervalAfterLoop() async throws {
    let analytics = try fixture.open()
    try send(1, to: analytics)
    _ = await backgroundLoop(analytics)
    #expect(analytics.dispatchInterval == 120)
    try send(1, to: analytics)
    fixture.clock.advance(by: .seconds(86_400))
    #expect(fixture.transport.requests.count == 1)
    analytics.dispatchInterval = 120
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(120))
    await fixture.transport.waitForRequests(2)
    await analytics.close()
  }

  @Test("HQ-1209: without a closure it is a plain dispatch, and periodic dispatch stays on")
  func noClosure() async throws {
    let analytics = try fixture.open()
    try send(45, to: analytics)
    analytics.dispatch(completion: nil)
    await analytics.whenIdle()
    #expect(fixture.transport.requests.count == 3)
    try send(1, to: analytics)
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(120))
    await fixture.transport.waitForRequests(4)
    await analytics.close()
  }

  @Test("HQ-1210, HQ-409: three calls at once make one request each and are told in order")
  func callsAtOnce() async throws {
    let analytics = try fixture.open()
    try send(45, to: analytics)
    let told = Locked<[Int]>([])
    await withCheckedContinuation { continuation in
      for number in 1...3 {
        analytics.dispatch { result in
          let count = told.withLock {
            $0.append(result == .good ? number : -number)
            return $0.count
          }
          if count == 3 { continuation.resume() }
        }
      }
    }
    #expect(told.withLock { $0 } == [1, 2, 3])
    #expect(fixture.transport.requests.map { actions($0).count } == [20, 20, 5])
  }

  @Test("HQ-410: a closure that waits is told on closing")
  func closingTells() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport([.hold]))
    let analytics = try fixture.open()
    try send(1, to: analytics)
    async let report = analytics.dispatchNext()
    await fixture.transport.waitForRequests(1)
    await analytics.close()
    #expect(await report.result == .error)
    #expect(await report.reason == .cancelled)
    #expect(try fixture.reader().statistics().hits == 1)
  }

  @Test("HQ-412: a drain that is cancelled cancels the request under way, whose hits stay")
  func cancelledDrain() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport([.status(200), .hold]))
    let analytics = try fixture.open()
    try send(45, to: analytics)
    let drain = Task { await analytics.drain() }
    await fixture.transport.waitForRequests(2)
    drain.cancel()
    let report = await drain.value
    #expect(report.result == .error)
    #expect(report.reason == .cancelled)
    #expect(report.accepted == 20)
    #expect(report.remaining == 25)
  }

  @Test("HQ-412: a deadline that has passed leaves no request under way, and every hit in place")
  func deadline() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport(otherwise: { _ in .hold }))
    let analytics = try fixture.open()
    try send(45, to: analytics)
    let report = await analytics.drain(until: .now)
    #expect(report.result == .error)
    #expect(report.reason == .cancelled)
    #expect(report.remaining == 45)
  }

  @Test("HQ-1231: 21 hits of 300 bytes make 20 + 1, three of 8,000 bytes 2 + 1")
  func batches() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    for _ in 1...21 { await tracker.send(.screenView(String(repeating: "x", count: 60))) }
    _ = await analytics.drain()
    #expect(fixture.transport.requests.map { FormFields.lines(of: $0.body).count } == [20, 1])
    let large = HitBuilder.screenView(String(repeating: "c", count: 2_048))
      .set(String(repeating: "a", count: 2_048), for: "x1").set(String(repeating: "a", count: 2_048), for: "x2")
      .set(String(repeating: "a", count: 1_500), for: "x3")
    for _ in 1...3 { await tracker.send(large) }
    _ = await analytics.drain()
    #expect(fixture.transport.requests.map { FormFields.lines(of: $0.body).count } == [20, 1, 2, 1])
    #expect(fixture.transport.requests.allSatisfy { $0.body.count <= 16_384 })
  }

  @Test("HQ-610, HQ-601: the request is that of the protocol, with the device in its user agent")
  func request() async throws {
    let device = FixedDevice(platform: "iOS", osVersion: "18.2", model: "iPhone17,1", language: "en-US")
    let analytics = try fixture.open(device: device)
    try send(1, to: analytics)
    _ = await analytics.drain()
    let request = fixture.transport.requests[0]
    #expect(request.url == "https://collect.example/collect")
    #expect(request.headers["User-Agent"] == "Tagworks/1.0.0 (iOS 18.2; iPhone17,1; en-US)")
    #expect(request.timeout == .seconds(30))
    #expect(request.connectTimeout == .seconds(10))
  }

  @Test("HQ-428, HQ-431: one poison hit of twenty is put aside, the others are delivered", arguments: [1, 10, 20])
  func poison(bad: Int) async throws {
    let fixture = try QueueFixture(
      transport: ScriptedTransport { request in
        FormFields.lines(of: request.body).contains { FormFields($0)["ea"] == "\(bad)" } ? .status(400) : .status(200)
      })
    let analytics = try fixture.open()
    try send(20, to: analytics)
    analytics.dispatch()
    await analytics.whenIdle()
    let hits = try await analytics.inspect(HitQuery(state: .quarantined))
    #expect(hits.map { $0.fields["ea"] } == ["\(bad)"])
    #expect(hits.map(\.reason) == ["rejected"])
    let statistics = try await analytics.statistics()
    #expect(statistics.hits == 1)
    #expect(statistics.counters[.delivered] == 19)
    #expect(statistics.isConserved)
    #expect(fixture.transport.requests.count <= 1 + 10)
  }

  @Test("HQ-665: hits are settled one by one where the server says so")
  func acknowledgement() async throws {
    let fixture = try QueueFixture(
      transport: ScriptedTransport { request in
        let ids = FormFields.lines(of: request.body).compactMap { FormFields($0)["z"] }
        guard ids.count == 4 else { return .status(200) }
        let acknowledgement = Acknowledgement(
          received: 4, accepted: 1, duplicate: [ids[0]],
          rejected: [.init(id: ids[1], line: 2, code: "BAD_VALUE", field: "ev")], deferred: [ids[3]])
        let body = (try? JSONEncoder().encode(acknowledgement)) ?? Data()
        return .response(
          HTTPResponse(status: 200, headers: ["Content-Type": Acknowledgement.mediaType], body: [UInt8](body)))
      })
    let analytics = try fixture.open()
    try send(4, to: analytics)
    let report = await analytics.dispatchNext()
    #expect(report.result == .good)
    #expect((report.sent, report.accepted, report.rejected) == (4, 2, 1))
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.delivered] == 2)
    #expect(statistics.counters[.duplicatesAcked] == 1)
    #expect(statistics.isConserved)
    #expect(try await analytics.inspect(HitQuery(state: .quarantined)).map(\.reason) == ["BAD_VALUE"])
    #expect(try await analytics.inspect(HitQuery(state: .ready)).map { $0.fields["ea"] } == ["4"])
    #expect(fixture.transport.requests.count == 1)
    fixture.clock.advance(by: .seconds(5))
    _ = await analytics.drain()
    #expect(fixture.sent.last?["ea"] == "4")
  }

  @Test("HQ-430, HQ-1103: a lost answer is tried again after a back-off, with the same ids, and counted")
  func lostAnswer() async throws {
    let lost = TransportError(phase: .uncertain, code: .timeout, message: "no answer")
    let fixture = try QueueFixture(transport: ScriptedTransport([.failure(lost)]))
    let analytics = try fixture.open()
    analytics.dispatchInterval = 10
    try send(2, to: analytics)
    analytics.dispatch()
    await analytics.whenIdle()
    #expect(fixture.transport.requests.count == 1)
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.requestsFailed] == 1)
    #expect(statistics.lanes.map(\.failures) == [1])
    #expect(statistics.lanes.map(\.restCause) == ["backoff"])
    #expect(statistics.hits == 2)
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(5))
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(10))
    await fixture.transport.waitForRequests(2)
    await analytics.whenIdle()
    #expect(fixture.sent.map { $0["z"] }.prefix(2) == fixture.sent.map { $0["z"] }.suffix(2))
    #expect(try await analytics.counters[.retries] == 2)
    #expect(try await analytics.counters[.delivered] == 2)
  }

  @Test("HQ-435, HQ-1105: a lane whose server refuses it holds up no other, and keeps its hits")
  func deadLane() async throws {
    let fixture = try QueueFixture(
      transport: ScriptedTransport { $0.url.hasPrefix("https://dead.example") ? .status(401) : .status(200) })
    let analytics = try fixture.open()
    let dead = try analytics.tracker(
      name: "dead", property: "UA-9-1", destination: .measurementProtocol("https://dead.example"))
    for number in 1...30 { await dead.send(.screenView("\(number)")) }
    try send(30, to: analytics)
    analytics.dispatch()
    await analytics.whenIdle()
    let statistics = try await analytics.statistics()
    #expect(statistics.counters.byLane[.delivered]?.values.reduce(0, +) == 30)
    #expect(statistics.lanes.first { $0.tracker == "dead" }?.hits == [.ready: 30])
    #expect(statistics.lanes.first { $0.tracker == "dead" }?.restCause == "auth")
    #expect(fixture.transport.requests.filter { $0.url.hasPrefix("https://dead") }.count == 1)
  }

  @Test("HQ-333: a hit that is older than its own bound, or the store's, is not sent but counted")
  func expiry() async throws {
    let analytics = try fixture.open { $0.maxAge = .seconds(100) }
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("short").maxAge(.seconds(10)))
    await tracker.send(.screenView("long"))
    fixture.clock.advance(by: .seconds(11))
    #expect(await analytics.dispatchNext().accepted == 1)
    await tracker.send(.screenView("late"))
    fixture.clock.advance(by: .seconds(101))
    #expect(await analytics.dispatchNext().result == .noData)
    #expect(fixture.sent.map { $0["cd"] } == ["long"])
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.dropped(.expired)] == 2)
    #expect(statistics.isConserved)
  }

  @Test("HQ-910: a queue on a store of an earlier run sends its hits without any tracker")
  func withoutTracker() async throws {
    var analytics = try fixture.open()
    try send(3, to: analytics)
    analytics.send(.beacon("https://pixel.example/p?x=1"), tracker: nil)
    await analytics.close()
    analytics = try Analytics(
      store: HitStoreConfiguration(directory: fixture.directory), transport: fixture.transport, clock: fixture.clock,
      logger: QuietLogger())
    let report = await analytics.drain()
    #expect(report.result == .noData)
    #expect(report.accepted == 4)
    #expect(
      fixture.transport.requests.map(\.url).sorted() == [
        "https://collect.example/batch", "https://pixel.example/p?x=1",
      ])
  }

  @Test("HQ-903: one line a request, with figures and without values")
  func log() async throws {
    let logger = RecordingHitLogger()
    let analytics = try fixture.open(logger: logger)
    try send(2, to: analytics)
    _ = await analytics.drain()
    let line = try #require(logger.texts(.info).first)
    #expect(line == "lane 1: 2 hits, \(fixture.transport.requests[0].body.count) bytes, status 200, 0 ms")
  }
}
