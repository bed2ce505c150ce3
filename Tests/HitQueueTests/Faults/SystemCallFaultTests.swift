import CSystemFaults
import DurableStore
import Foundation
import Hits
import TestSupport
import Testing

@testable import HitQueue

/// Each system call of a store fails once, at each of its places in a run, and from there on (HQ-1102).
@Suite(.serialized) struct SystemCallFaultTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var call: system_call
    /// 0 for a write that takes half of the bytes.
    var error: Int32
    var isLasting = false

    var testDescription: String {
      "\(name) \(error == 0 ? "short" : String(cString: strerror(error)))\(isLasting ? " from then on" : "")"
    }

    static let all: [Fault] =
      [EIO, ENOSPC, EINTR, EAGAIN, 0].map { Fault(name: "write", call: CALL_WRITE, error: $0) }
      + [EIO, EINTR, EMFILE].map { Fault(name: "open", call: CALL_OPEN, error: $0) }
      + [EIO, EINTR].map { Fault(name: "fsync", call: CALL_SYNC, error: $0) }
      + [EIO, EINTR].map { Fault(name: "ftruncate", call: CALL_TRUNCATE, error: $0) }
      + [Fault(name: "rename", call: CALL_RENAME, error: EIO), Fault(name: "unlink", call: CALL_UNLINK, error: EIO)]
      + [EIO, ENOMEM].map { Fault(name: "mmap", call: CALL_MAP, error: $0) }
      + [EIO, EINTR, EAGAIN].map { Fault(name: "flock", call: CALL_LOCK, error: $0) }
      + [
        Fault(name: "write", call: CALL_WRITE, error: ENOSPC, isLasting: true),
        Fault(name: "write", call: CALL_WRITE, error: EIO, isLasting: true),
        Fault(name: "fsync", call: CALL_SYNC, error: EIO, isLasting: true),
      ]
  }

  /// What a run has come to know.
  private final class Ledger {
    var given: [HitID] = []
    var durable: [HitID] = []
  }

  @Test(
    "HQ-1102, HQ-315: whatever system call fails, receipts tell the truth, and later everything durable is delivered",
    .enabled(if: system_faults_work() == 1, "system calls cannot be made to fail here"), arguments: Fault.all)
  func fault(_ fault: Fault) async throws {
    var place: Int32 = 1
    while try await run(fault, at: place) {
      // Early calls one by one, of a long run every third.
      place += place < 24 ? 1 : 3
      try #require(place < 600)
    }
    #expect(place > 1)
  }

  @Test(
    "HQ-223, HQ-230: what was said and could not be written down holds, and is written down when it can be",
    .enabled(if: system_faults_work() == 1, "system calls cannot be made to fail here"))
  func unwrittenChoices() async throws {
    let fixture = try QueueFixture()
    let analytics = try fixture.open()
    analytics.dispatchInterval = 0
    let tracker = try analytics.tracker(property: "UA-1-1")
    #expect(await tracker.send(.screenView("1")).state == .durable)
    system_faults_arm(fixture.directory, CALL_RENAME, EIO, 1, 1)
    analytics.consent(.adStorage, .denied)
    analytics.optOut = true
    // Another process may have said something else; the file knows of nothing.
    await withCheckedContinuation { continuation in
      analytics.store.refreshPermissions { _ in continuation.resume() }
    }
    #expect(analytics.optOut)
    #expect(analytics.consent(.adStorage) == .denied)
    #expect(system_faults_disarm() > 0)
    #expect(try analytics.store.identity.read()?.optOut == nil)
    try analytics.store.flush()
    let identity = try #require(try analytics.store.identity.read())
    #expect(identity.optOut == true)
    #expect(identity.consent == ["ad_storage": "denied"])
    #expect(try await analytics.inspect(HitQuery()).isEmpty)
    analytics.optOut = false
    #expect(!analytics.optOut)
    await analytics.close()
  }

  /// One run with the fault at a place; false when there was no such call.
  private func run(_ fault: Fault, at place: Int32) async throws -> Bool {
    let fixture = try QueueFixture()
    let ledger = Ledger()
    system_faults_arm(fixture.directory, fault.call, fault.error, place, fault.isLasting ? 1 : 0)
    // An app that cannot open its queue is told so; it has no receipt.
    if let analytics = try? fixture.open(clock: fault.isLasting ? fixture.clock : HurriedClock(fixture.clock)) {
      await use(analytics, ledger)
      if fault.isLasting { _ = system_faults_disarm() }
      await analytics.close()
    }
    let failures = system_faults_disarm()
    try await relaunch(fixture, ledger, "\(fault.testDescription) at \(place)")
    return failures > 0
  }

  private func use(_ analytics: Analytics, _ ledger: Ledger) async {
    analytics.dispatchInterval = 0
    for number in 1...3 { send(number, to: analytics, ledger) }
    _ = await analytics.dispatchNext()
    for number in 4...5 { send(number, to: analytics, ledger) }
  }

  private func send(_ number: Int, to analytics: Analytics, _ ledger: Ledger) {
    let receipt = analytics.send(.event(category: "c", action: "\(number)"), tracker: "UA-1-1")
    guard let id = receipt.id else { return }
    switch receipt.state {
    case .durable: ledger.durable.append(id)
    case .pending: break
    default: return
    }
    ledger.given.append(id)
  }

  private func relaunch(_ fixture: QueueFixture, _ ledger: Ledger, _ what: String) async throws {
    // After a fault the log may stay.
    await fixture.waitUntilClosed(withLog: false)
    let analytics = try fixture.open()
    for _ in 0..<3 { _ = await analytics.drain() }
    let sent = fixture.sent.compactMap { $0["z"].flatMap { HitID($0) } }
    var first: [HitID] = []
    for id in sent where !first.contains(id) { first.append(id) }
    #expect(Set(ledger.durable).isSubset(of: sent), "\(what): lost")
    #expect(Set(sent).isSubset(of: ledger.given), "\(what): never sent")
    #expect(first == ledger.given.filter(first.contains), "\(what): order")
    let statistics = try await analytics.statistics()
    #expect(statistics.hits == 0, "\(what): left")
    #expect(statistics.isConserved, "\(what): \(statistics.counters)")
    await analytics.close()
  }
}

/// A clock on which nobody sleeps: whoever wants to is there at once, such as the next try after a fault that has passed.
private struct HurriedClock: HitClock {
  private let clock: ManualClock

  init(_ clock: ManualClock) { self.clock = clock }

  func now() -> HitTime { clock.now() }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    clock.advance(by: duration)
  }
}
