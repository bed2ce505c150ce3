import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Early events")
struct EarlyEventTests {
  @Test(
    "D7, TM-561, TM-562: an event from before the opening is evaluated once, on the content that came, as of its push")
  func early() async throws {
    let bench = OpeningBench(defaults: OpeningBench.json("default"))
    let receipt = bench.manager.dataLayer.push(["event": "e", "x": 1])
    #expect(receipt.state == .held)
    bench.manager.dataLayer.push("x", 2)
    bench.clock.advance(by: .seconds(1))
    let container = try bench.manager.openContainer(OpeningBench.id)
    await bench.transport.waitForRequests(1)
    bench.clock.advance(by: .milliseconds(700))
    bench.transport.answerNext(OpeningBench.answer("published"))
    let outcome = await receipt.outcome
    #expect(outcome.disposition == .evaluated)
    #expect(outcome.containers.map(\.origin) == [.network])
    #expect(outcome.containers.map(\.replayed) == [true])
    #expect(bench.recorder.names == ["published"])
    #expect(bench.recorder.calls[0].parameters["x"] == 1)
    #expect(await bench.manager.dataLayer.push(["event": "f"]).outcome.containers.map(\.replayed) == [false])
    #expect(bench.recorder.calls.map(\.event) == ["e", "f"])
    container.close()
  }

  @Test("TM-561: a container that nobody waits for is ready 2.0 s after it was opened")
  func readyByTime() async throws {
    let bench = OpeningBench(defaults: OpeningBench.json("default"))
    _ = try bench.manager.openContainer(OpeningBench.id)
    await bench.transport.waitForRequests(1)
    let receipt = bench.manager.dataLayer.push(["event": "e"])
    #expect(receipt.state == .held)
    await bench.clock.waitForSleepers(2)  // the container's, and that of the event's age
    bench.clock.advance(by: .seconds(2))
    #expect(await receipt.outcome.containers.map(\.origin) == [.default])
  }

  @Test("D8, TM-564: of 101 events the oldest is lost, and one warning says so")
  func overflow() async throws {
    let bench = OpeningBench([OpeningBench.answer()])
    let receipts = (1...101).map { number in bench.manager.dataLayer.push(["event": .string("e\(number)")]) }
    #expect(await receipts[0].outcome.disposition == .dropped(.bufferFull))
    _ = try await bench.open(.fresh)
    for receipt in receipts.dropFirst() { #expect(await receipt.outcome.disposition == .evaluated) }
    #expect(bench.recorder.calls.map(\.event) == (2...101).map { "e\($0)" })
    // The warning comes after the last held event, and before any later one.
    _ = await bench.manager.dataLayer.push(["event": "next"]).outcome
    #expect(bench.logger.texts(.warning).filter { $0.contains("held events") }.count == 1)
  }

  @Test("TM-564: an event that no container takes in a minute is expired, and its receipt says so")
  func expiry() async throws {
    let bench = OpeningBench()
    let receipt = bench.manager.dataLayer.push(["event": "e"])
    await bench.clock.waitForSleepers(1)
    bench.clock.advance(by: .seconds(60))
    #expect(await receipt.outcome.disposition == .dropped(.expired))
  }

  @Test("TM-562: a container opened later gets the events of the last minute, in an outcome of its own")
  func later() async throws {
    let bench = OpeningBench(defaults: OpeningBench.json("default"))
    bench.manager.refreshMode = .defaultContainer
    _ = try bench.manager.openContainer("GTM-FIRST")
    let outcomes = bench.manager.outcomes
    let receipt = bench.manager.dataLayer.push(["event": "e"])
    #expect(await receipt.outcome.containers.map(\.id) == ["GTM-FIRST"])
    _ = try bench.manager.openContainer(OpeningBench.id)
    var seen: [PushOutcome] = []
    for await outcome in outcomes.prefix(2) { seen.append(outcome) }
    #expect(seen.map(\.sequence) == [1, 1])
    #expect(seen.map { $0.containers.map(\.id) } == [["GTM-FIRST"], ["GTM-TEST"]])
    #expect(seen[1].containers[0].replayed)
  }

  @Test("TM-563: closing and opening again evaluates no event twice")
  func reopened() async throws {
    let bench = OpeningBench(defaults: OpeningBench.json("default"))
    bench.manager.refreshMode = .defaultContainer
    bench.manager.dataLayer.push(["event": "a"])
    try bench.manager.openContainer(OpeningBench.id).close()
    let waits = bench.manager.dataLayer.push(["event": "b"])
    #expect(waits.state == .held)
    try bench.manager.openContainer(OpeningBench.id).close()
    try bench.manager.openContainer(OpeningBench.id).close()
    #expect(await waits.outcome.disposition == .evaluated)
    #expect(bench.recorder.calls.map(\.event) == ["a", "b"])
  }

  @Test("TM-524, TM-562: events that held events push follow newer events, and a loop among them is cut")
  func nested() async throws {
    let bench = OpeningBench(defaults: OpeningBench.json("default"))
    bench.manager.refreshMode = .defaultContainer
    let layer = bench.manager.dataLayer
    let held = layer.push(["event": "a"])
    bench.recorder.onFire { [weak layer] _ in _ = layer?.push(["event": "again"]) }
    _ = try bench.manager.openContainer(OpeningBench.id)
    #expect(await held.outcome.disposition == .evaluated)
    #expect(bench.recorder.calls.count == 501)
    #expect(bench.logger.texts(.error).count == 1)
  }

  @Test("D9, TM-560: with discard an event with no container open is lost, and none is held for one that loads")
  func discard() async throws {
    let bench = OpeningBench(
      defaults: OpeningBench.json("default"),
      configuration: TagManager.Configuration(
        server: .tagworks("https://tags.example.com"), earlyEvents: .discard))
    #expect(await bench.manager.dataLayer.push(["event": "e"]).outcome.disposition == .dropped(.noContainer))
    _ = try bench.manager.openContainer(OpeningBench.id)
    #expect(bench.manager.dataLayer.push(["event": "f"]).state == .done)
    #expect(bench.recorder.calls.map(\.event) == ["f"])
  }
}
