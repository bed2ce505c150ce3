import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Content in force")
struct ContentInForceTests {
  @Test("TM-406, TM-403: the time of the last success and the default's mark follow what came of each check")
  func facts() async throws {
    let bench = OpeningBench(
      [.status(503), OpeningBench.answer("first"), .status(304), .status(500), OpeningBench.answer("second")],
      defaults: OpeningBench.json("default"))
    let container = try await bench.open(.fresh).container
    #expect(container.lastRefreshTime == nil)
    #expect(container.isDefault)
    let expected: [(RefreshOutcome?, title: String, checked: Int64)] = [
      (.updated(version: "1"), "first", 10), (.notChanged, "first", 20), (nil, "first", 20),
      (.updated(version: "1"), "second", 40),
    ]
    for (outcome, title, checked) in expected {
      bench.clock.advance(by: .seconds(10))
      let found = await container.refreshed()
      if let outcome { #expect(found == outcome) } else if case .failed = found {} else { Issue.record("\(found)") }
      #expect(container.string(for: "title") == title)
      #expect(!container.isDefault)
      let time = Double(OpeningBench.start) / 1_000 + Double(checked)
      #expect(container.lastRefreshTime == Date(timeIntervalSince1970: time))
    }
  }

  @Test(
    "TM-341: each install is a generation of its own; what does not decode is none, nor is a fetch that was cancelled")
  func generations() async throws {
    let bench = OpeningBench(
      [OpeningBench.answer("first"), .response(HTTPResponse(status: 200, body: Array("{".utf8)))],
      defaults: OpeningBench.json("default"))
    let container = try await bench.open(.fresh).container
    let generation = container.generation
    #expect(generation == 2)
    bench.clock.advance(by: .seconds(10))
    guard case .failed = await container.refreshed() else {
      Issue.record("not failed")
      return
    }
    #expect(container.generation == generation)
    bench.clock.advance(by: .seconds(10))
    async let refresh = container.refreshed()
    await bench.transport.waitForRequests(3)
    // A preview begins while the server is asked, and that request is given up.
    let started = bench.manager.previewWithURL(
      try #require(URL(string: "tagmanager.c.app://preview/p?id=GTM-TEST&gtm_auth=t&gtm_preview=1")))
    try #require(started)
    await bench.transport.waitForRequests(4)
    let updates = container.updates
    bench.transport.answerNext(OpeningBench.answer("draft"))
    for await update in updates.prefix(1) { #expect(update.origin == .preview) }
    #expect(container.string(for: "title") == "draft")
    #expect(container.generation == generation + 1)
    _ = await refresh
  }

  @Test("TM-312: the network is asked when nothing usable is saved or it is stale, and not else")
  func networkPhase() async throws {
    for (age, asks) in [(0, false), (12 * OpeningBench.hour - 1, false), (12 * OpeningBench.hour, true)]
      as [(Int64, Bool)]
    {
      let bench = OpeningBench(saved: try OpeningBench.saved(age: age))
      _ = try bench.manager.openContainer(OpeningBench.id, callback: bench.callback)
      let words = await bench.callback.first(asks ? 3 : 2)
      #expect(words == ["begin(saved)", "success(saved)"] + (asks ? ["begin(network)"] : []))
      #expect(bench.transport.requests.count <= (asks ? 1 : 0))
    }
  }

  @Test("TM-322, TM-314: a result tells why the opening ended, a failure tells reason, detail and a sentence")
  func tells() async throws {
    let bench = OpeningBench([.status(404), .status(404)], defaults: OpeningBench.json("default"))
    let result = try await bench.open(.fresh)
    #expect(result.endedBy == .failure(.serverError))
    #expect(result.source == .default)
    guard case .failed(let failure) = await result.container.refreshed() else {
      Issue.record("not failed")
      return
    }
    #expect(failure.reason == .serverError)
    #expect(failure.detail == .notFound)
    #expect(failure.message == "No container GTM-TEST on tags.example.com. Check the container id.")
  }

  @Test("TM-301, TM-1202: the three openers are one mechanism; none but the future's get waits")
  func forms() async throws {
    let bench = OpeningBench()
    let notifier = RecordingNotifier()
    try ContainerOpener.open(OpeningBench.id, in: bench.manager, prefer: .fresh, notifier: notifier)
    let future = try ContainerOpener.future(OpeningBench.id, in: bench.manager, prefer: .fresh)
    #expect(!future.isDone)
    async let awaited = bench.open(.fresh)
    await bench.clock.waitForSleepers(3)
    await bench.transport.waitForRequests(1)
    #expect(notifier.calls.withLock { $0 } == 0)
    #expect(bench.transport.requests.count == 1)
    bench.transport.answerNext(OpeningBench.answer())
    let result = try await awaited
    #expect(await notifier.container.value === result.container)
    #expect(try await blocking { future.get() } === result.container)
    #expect(future.isDone)
  }
}
