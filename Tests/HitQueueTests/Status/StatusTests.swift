import DurableStore
import Foundation
import Hits
import TestSupport
import Testing

@testable import HitQueue

/// What an app is told of its queue (HQ-902).
@Suite struct StatusTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  @Test("HQ-902: a queue that is well says how much waits, since when, and when the next pass is")
  func figures() async throws {
    let analytics = try fixture.open()
    #expect(analytics.status == QueueStatus())
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("1"))
    fixture.clock.advance(by: .seconds(20))
    await tracker.send(.screenView("2"))
    let status = analytics.status
    #expect(status.isOK)
    #expect(status.hits == 2)
    #expect(status.bytes == (try await analytics.statistics().bytes))
    #expect(status.oldestAge == .seconds(20))
    #expect(status.nextDispatch == .seconds(100))
    analytics.dispatchInterval = 0
    #expect(analytics.status.nextDispatch == nil)
    await analytics.close()
  }

  @Test("HQ-902, HQ-428: what holds a lane back is told: parked by its cause, or a server that cannot be trusted")
  func lanes() async throws {
    let fixture = try QueueFixture(
      transport: ScriptedTransport([
        .status(401), .failure(TransportError(phase: .notSent, code: .tls, message: "certificate")), .status(200),
      ]))
    let analytics = try fixture.open()
    analytics.dispatchInterval = 0
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    _ = await analytics.dispatchNext()
    let until = fixture.clock.wallMilliseconds + 900_000
    #expect(analytics.status.conditions == [.parked(lane: 1, cause: .auth, until: until)])
    fixture.clock.advance(by: .seconds(900))
    _ = await analytics.dispatchNext()
    #expect(analytics.status.conditions == [.tls])
    #expect(await analytics.dispatchNext().result == .good)
    #expect(analytics.status.isOK)
  }

  @Test("HQ-902: the stream tells the status now and each change, and ends with the queue")
  func updates() async throws {
    let connectivity = SwitchedConnectivity(.wifi)
    let analytics = try fixture.open(connectivity: connectivity)
    var updates = analytics.statusUpdates.makeAsyncIterator()
    #expect(await updates.next() == QueueStatus())
    connectivity.state = .offline
    #expect(await updates.next()?.conditions == [.offline])
    connectivity.state = .wifi
    #expect(await updates.next()?.conditions == [])
    analytics.optOut = true
    #expect(await updates.next()?.conditions == [.optedOut])
    await analytics.close()
    #expect(await updates.next() == nil)
  }

  @Test(
    "HQ-902, HQ-302, HQ-340: a store that takes nothing is told by receipt, status and stream, and so is its return")
  func store() async throws {
    let analytics = try fixture.open()
    analytics.dispatchInterval = 0
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    var updates = analytics.statusUpdates.makeAsyncIterator()
    #expect(await updates.next()?.conditions == [])
    try await analytics.store.deliver { table throws(StoreError) in
      let pages = try table.connection.integer("PRAGMA page_count") ?? 0
      try table.connection.execute("PRAGMA max_page_count=\(pages)")
    }
    var states: [SendReceipt.State] = []
    while states.last != .pending(.diskFull), states.count < 1_000 {
      states.append(analytics.send(.screenView(String(repeating: "x", count: 1_000)), tracker: "UA-1-1").state)
    }
    #expect(states.last == .pending(.diskFull))
    #expect(analytics.status.conditions == [.diskFull])
    #expect(await updates.next()?.conditions == [.diskFull])
    try await analytics.store.deliver { table throws(StoreError) in
      try table.connection.execute("PRAGMA max_page_count=100000")
    }
    try analytics.store.flush()
    #expect(await updates.next()?.conditions == [])
    #expect(try await analytics.statistics().hits == states.count + 1)
  }
}
