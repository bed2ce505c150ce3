import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

/// The dispatch guide's examples, in our words: they compile, and behave row by row as the guide says (HQ-1204 to HQ-1208).
@Suite struct SeedExampleTests {
  /// An app with the guide's code in it.
  private final class App: Sendable {
    let analytics: Analytics
    let calls = Locked(0)

    init(_ analytics: Analytics) { self.analytics = analytics }

    func sendHitsInBackground(_ host: any BackgroundTaskHost) {
      let expired = Flag()
      guard let task = host.begin(onExpiry: { expired.raise() }) else { return }
      @Sendable func handler(_ result: DispatchResult) {  // until no hits, an error, or expiry
        calls.withLock { $0 += 1 }
        if result == .good, !expired.isRaised { analytics.dispatch(completion: handler) } else { host.end(task) }
      }
      analytics.dispatch(completion: handler)
    }

    func applicationWillEnterForeground() {
      analytics.dispatchInterval = 120  // the loop had switched periodic dispatch off
    }
  }

  private final class Flag: Sendable {
    private let raised = Locked(false)
    var isRaised: Bool { raised.withLock { $0 } }
    func raise() { raised.withLock { $0 = true } }
  }

  /// Grants tasks, and lets them expire when the test says so.
  private final class FakeHost: BackgroundTaskHost {
    private struct State {
      var begun = 0
      var ended: [BackgroundTask] = []
      var onExpiry: (@Sendable () -> Void)?
      var watcher: CheckedContinuation<Void, Never>?
    }
    private let state = Locked(State())

    var ended: [BackgroundTask] { state.withLock { $0.ended } }

    func begin(onExpiry: @escaping @Sendable () -> Void) -> BackgroundTask? {
      state.withLock { state in
        state.begun += 1
        state.onExpiry = onExpiry
        return BackgroundTask(state.begun)
      }
    }

    func end(_ task: BackgroundTask) {
      state.withLock { state in
        state.ended.append(task)
        defer { state.watcher = nil }
        return state.watcher
      }?.resume()
    }

    func expire() { state.withLock { $0.onExpiry }?() }

    func waitForEnd() async {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if !state.ended.isEmpty { return true }
          state.watcher = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    }
  }

  private let host = FakeHost()

  private func app(
    _ fixture: QueueFixture, hits: Int = 45, connectivity: (any Connectivity)? = nil
  ) throws -> App {
    let analytics = try fixture.open(connectivity: connectivity)
    for number in 0..<hits { _ = analytics.send(.event(category: "c", action: "\(number)"), tracker: "UA-1-1") }
    return App(analytics)
  }

  private func counts(_ fixture: QueueFixture) -> [Int] {
    fixture.transport.requests.map { FormFields.lines(of: $0.body).count }
  }

  @Test("HQ-1204: 45 hits in the background: three requests, four calls, the task is ended once")
  func loop() async throws {
    let fixture = try QueueFixture()
    let app = try app(fixture)
    app.sendHitsInBackground(host)
    await host.waitForEnd()
    await app.analytics.close()
    #expect(counts(fixture) == [20, 20, 5])
    #expect(app.calls.withLock { $0 } == 4)
    #expect(host.ended == [BackgroundTask(1)])
  }

  @Test("HQ-1205: the second answer is 500: the loop ends, 25 hits are left")
  func failing() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport([.status(200), .status(500)]))
    let app = try app(fixture)
    app.sendHitsInBackground(host)
    await host.waitForEnd()
    #expect(try await app.analytics.statistics().hits == 25)
    #expect(counts(fixture) == [20, 20])
    #expect(app.calls.withLock { $0 } == 2)
    #expect(host.ended.count == 1)
  }

  @Test("HQ-1206: the task expires with the first answer: one request, 25 hits are left, the task is ended once")
  func expiring() async throws {
    let host = host
    let fixture = try QueueFixture(
      transport: ScriptedTransport { _ in
        host.expire()
        return .status(200)
      })
    let app = try app(fixture)
    app.sendHitsInBackground(host)
    await host.waitForEnd()
    #expect(try await app.analytics.statistics().hits == 25)
    #expect(counts(fixture) == [20])
    #expect(host.ended.count == 1)
  }

  @Test("HQ-1207: offline the loop is over at once, without a request")
  func offline() async throws {
    let fixture = try QueueFixture()
    let app = try app(fixture, connectivity: SwitchedConnectivity(.offline))
    app.sendHitsInBackground(host)
    await host.waitForEnd()
    #expect(fixture.transport.requests.isEmpty)
    #expect(app.calls.withLock { $0 } == 1)
    #expect(host.ended.count == 1)
  }

  @Test("HQ-1208: after the loop nothing leaves by itself until the app is back in the foreground")
  func foreground() async throws {
    let fixture = try QueueFixture()
    let app = try app(fixture)
    app.sendHitsInBackground(host)
    await host.waitForEnd()
    _ = app.analytics.send(.screenView("later"), tracker: "UA-1-1")
    for _ in 0..<24 { fixture.clock.advance(by: .seconds(3_600)) }
    #expect(fixture.clock.sleepers == 0)
    #expect(counts(fixture) == [20, 20, 5])
    app.applicationWillEnterForeground()
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .milliseconds(119_999))
    #expect(counts(fixture) == [20, 20, 5])
    fixture.clock.advance(by: .milliseconds(1))
    await fixture.transport.waitForRequests(4)
    #expect(counts(fixture) == [20, 20, 5, 1])
    await app.analytics.close()
  }

  @Test("HQ-412: draining in the background ends the platform's task once, also when it expires in a request")
  func drainInBackground() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport([.status(200), .hold]))
    let app = try app(fixture)
    async let report = app.analytics.drainInBackground(host)
    await fixture.transport.waitForRequests(2)
    host.expire()
    #expect(await report.reason == .cancelled)
    #expect(await report.accepted == 20)
    #expect(host.ended == [BackgroundTask(1)])
    let statistics = try await app.analytics.statistics()
    #expect(statistics.lanes.first?.hits == [.ready: 25])
  }
}
