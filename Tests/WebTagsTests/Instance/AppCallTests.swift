import Foundation
import Hits
import TestSupport
import Testing

@testable import WebTags

@Suite struct AppCallTests {
  /// Calls the instance in the questions that its loop waits for, or at the page's readiness.
  private final class Delegate: WebTagManagerDelegate {
    typealias Call = @Sendable (WebTagManager) async -> Void
    private let call: Call
    private let place: Place
    /// The titles of the events that ended.
    let ended = Locked<[String]>([])
    /// Fulfilled once the first call has returned: the calls come one after another.
    let isOver = Promise<Bool>()

    init(_ place: Place, _ call: @escaping Call) { (self.place, self.call) = (place, call) }

    func webTags(_ manager: WebTagManager, shouldDrop event: inout QueuedEvent) async -> Bool {
      if place == .shouldDrop { await call(manager) }
      return false
    }
    func webTags(_ manager: WebTagManager, shouldQueue event: QueuedEvent) async -> Bool {
      if place == .shouldQueue { await call(manager) }
      return false
    }
    func webTags(_ manager: WebTagManager, didFinish event: QueuedEvent, outcome: EventOutcome) async {
      ended.withLock { $0.append(event.title) }
      isOver.fulfil(true)
    }
  }

  enum Place: Sendable, CaseIterable { case shouldDrop, shouldQueue }
  enum Wish: Sendable, CaseIterable { case reload, refreshSettings, eraseVisitor }

  @Test(
    "WT-113: what waits for the instance's loop does not in a question that the loop waits for",
    arguments: Place.allCases, Wish.allCases)
  func questions(place: Place, wish: Wish) async throws {
    let bench = InstanceBench()
    let isDone = Locked(false)
    let delegate = Delegate(place) { manager in
      let isDone = isDone.withLock { done in
        defer { done = true }
        return done
      }
      if isDone { return }
      switch wish {
      case .reload: await manager.reload()
      case .refreshSettings: await #expect(throws: Never.self) { try await manager.refreshSettings() }
      case .eraseVisitor: await manager.eraseVisitor()
      }
    }
    let manager = try bench.open()
    try await bench.ready(manager)
    manager.delegate = delegate
    _ = try await manager.trackEvent(title: "e").ended()
    try await bench.ready(manager)
    #expect(try await manager.trackEvent(title: "f").ended() == .delivered(confirmed: true))
    await bench.close()
  }

  @Test("WT-113: an instance destroyed in a question that its loop waits for ends after it", arguments: Place.allCases)
  func destroyedInQuestion(place: Place) async throws {
    let bench = InstanceBench()
    let refusals = Locked<[WebTagsError.Code?]>([])
    let delegate = Delegate(place) { manager in
      do {
        _ = try await WebTagManager.replaceInstance(
          forKey: manager.key, configuration: InstanceBench.configuration(), environment: bench.environment)
      } catch {
        let code = (error as? WebTagsError)?.code
        refusals.withLock { $0.append(code) }
      }
    }
    let manager = try bench.open()
    try await bench.ready(manager)
    manager.delegate = delegate
    let updates = manager.stateUpdates()
    let event = manager.trackEvent(title: "e")
    #expect(try await event.ended() == .carriedOver)
    try await bench.changes.value("the instance's end") { for await _ in updates {} }
    #expect(refusals.withLock { $0 } == [.keyInUse])
    #expect(bench.host?.isClosed == true && delegate.ended.withLock { $0 } == ["e"])
  }

  @Test("WT-113: a task that began in a call waits like any other once the call is over")
  func taskOfCall() async throws {
    let bench = InstanceBench()
    let loads = Promise<Int>()
    let over = Promise<Bool>()
    let delegate = Delegate(.shouldDrop) { manager in
      Task {
        _ = await over.value
        await manager.reload()
        loads.fulfil(bench.host?.loads.count ?? 0)
      }
    }
    let manager = try bench.open()
    try await bench.ready(manager)
    manager.delegate = delegate
    _ = try await manager.trackEvent(title: "e").ended()
    _ = await delegate.isOver.value
    over.fulfil(true)
    #expect(try await bench.changes.value("the reload") { await loads.value } == 2)
    await bench.close()
  }

  @Test("WT-403, WT-313: an event that is held leaves the page its sign of life, and the next call its limits")
  func timersOfHeldEvent() async throws {
    final class Delegate: WebTagManagerDelegate {
      let holds = Locked(true)
      func webTags(_ manager: WebTagManager, shouldQueue event: QueuedEvent) async -> Bool { holds.withLock { $0 } }
    }
    let bench = InstanceBench { _ in
      var script = ScriptedPageHost.Script()
      script.call = { path, argument in
        path == "__tagworks.deliver" ? .hold : ScriptedPageHost.Script.confirmAll(path, argument)
      }
      return script
    }
    let manager = try bench.open()
    try await bench.ready(manager)
    let delegate = Delegate()
    manager.delegate = delegate
    let event = manager.trackEvent(title: "e")
    try await bench.wait("what the event waits for") { await manager.diagnostics().waiting == [.delegate: 1] }
    await bench.settle(manager)
    func sleeps(_ seconds: Int) -> Bool { bench.clock.pauses.contains(.seconds(seconds)) }
    // A call's sign of life comes after 5 s and its limit after 10 s, an idle page's sign of life after 60 s.
    try await bench.wait("the idle page's timer") { sleeps(60) && !sleeps(5) && !sleeps(10) }
    delegate.holds.withLock { $0 = false }
    manager.flush()
    try await bench.wait("the call's timers") { sleeps(5) && sleeps(10) && !sleeps(60) }
    bench.host?.answer(.success(#"{"results":[{"id":"\#(event.id.uuidString)","ok":true,"confirmed":true}]}"#))
    #expect(try await event.ended() == .delivered(confirmed: true))
    await bench.close()
  }
}
