import Foundation
import Hits
import TestSupport
import Testing

@testable import WebTags

@Suite struct EventLimitTests {
  private final class Delegate: WebTagManagerDelegate {
    let ended = Locked<[UUID]>([])
    func webTags(_ manager: WebTagManager, didFinish event: QueuedEvent, outcome: EventOutcome) async {
      ended.withLock { $0.append(event.id) }
    }
  }

  @Test("WT-433, WT-441: an event for which memory has no place ends once, and takes nobody's place in the queue")
  func fullMemory() async throws {
    let bench = InstanceBench()
    bench.connectivity.change(.offline)
    let manager = try bench.open()
    await bench.settle(manager)
    bench.storage.events?.refusesEvents = true
    let kept = (1...PayloadCache.mostUnstored).map { manager.trackEvent(title: "e\($0)") }
    await bench.settle(manager)
    let delegate = Delegate()
    manager.delegate = delegate
    let notices = bench.notices(of: manager)
    let late = manager.trackEvent(title: "late")
    #expect(try await late.ended() == .dropped(.queueFull))
    func told() -> [EventOutcome] {
      notices.all { if case .finished(let id, let outcome) = $0, id == late.id { outcome } else { nil } }
    }
    try await bench.wait("word of the event") { !told().isEmpty }
    #expect(await manager.diagnostics().queueLength == PayloadCache.mostUnstored)
    await bench.close()
    #expect(told() == [.dropped(.queueFull)])
    for event in kept { #expect(try await event.ended() == .dropped(.instanceClosed)) }
    #expect(delegate.ended.withLock { $0 } == [late.id] + kept.map(\.id))
  }

  @Test("WT-1003: a long queue is read in parts of a hundred events, in its order")
  func longQueue() async throws {
    let bench = InstanceBench()
    bench.connectivity.change(.offline)
    let manager = try bench.open()
    let delegate = Delegate()
    manager.delegate = delegate
    let events = (1...350).map { manager.trackEvent(title: "e\($0)") }
    for event in events { #expect(await event.stored()) }
    await bench.close()
    #expect(delegate.ended.withLock { $0 } == events.map(\.id))
    #expect(bench.storage.events.map { (1...100).contains($0.longestRead) } == true)
  }

  @Test("WT-407: a battery level that is no number is not known", arguments: [Double.nan, .infinity, 1e300])
  func batteryLevel(level: Double) async throws {
    let bench = InstanceBench()
    bench.power.change(PowerState(level: level))
    let manager = try bench.open()
    #expect(try await manager.trackEvent(title: "e").ended() == .delivered(confirmed: true))
    #expect(bench.delivered.first?["device_battery_percent"] == nil)
    await bench.close()
  }

  @Test("WT-432: the queue's limits are in force also where what is stored cannot be read")
  func unreadableStore() async throws {
    let bench = InstanceBench()
    bench.connectivity.change(.offline)
    _ = try bench.open()
    await bench.close()
    bench.storage.events?.refusesReading = true
    let manager = try bench.open { $0.local.queueLimit = 2 }
    let events = (1...3).map { manager.trackEvent(title: "e\($0)") }
    _ = await events[2].stored()
    await bench.settle(manager)
    await bench.close()
    #expect(try await events[0].ended() == .dropped(.queueFull))
    #expect(try await events[2].ended() == .carriedOver)
  }
}
