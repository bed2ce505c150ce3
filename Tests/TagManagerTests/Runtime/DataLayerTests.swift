import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Data layer of a running manager")
struct DataLayerTests {
  /// One tag that fires on every event and records the data-layer value `x`.
  private var recordingX: ContainerSketch {
    var sketch = ContainerSketch()
    sketch.macro("event", .event)
    sketch.dataLayer("x")
    let x = sketch.reference("x")
    let tag = sketch.tag("record", .recording, ["x": x])
    sketch.rule(add: [tag])
    return sketch
  }

  @Test("TM-510, TM-520: when push returns, get sees the data")
  func get() throws {
    let bench = try RuntimeBench(recordingX)
    bench.dataLayer.push(["a.b": 1])
    bench.dataLayer.push("c", "text")
    #expect(bench.dataLayer.get("a.b") == 1)
    #expect(bench.dataLayer.get("a") == ["b": 1])
    #expect(bench.dataLayer.get("nothing") == nil)
    #expect(bench.dataLayer.snapshot == ["a": ["b": 1], "c": "text"])
  }

  @Test("TM-515: remove deletes a key and what is below it")
  func remove() throws {
    let bench = try RuntimeBench(recordingX)
    bench.dataLayer.push(["a": ["b": 1, "c": 2]])
    bench.dataLayer.remove("a.b")
    #expect(bench.dataLayer.snapshot == ["a": ["c": 2]])
  }

  @Test("TM-515: what is pushed for the event only is seen by it and never stored")
  func eventScope() throws {
    let bench = try RuntimeBench(recordingX)
    bench.dataLayer.push(["x": 1])
    bench.dataLayer.push(["event": "e", "x": 2], scope: .event)
    bench.dataLayer.push(["event": "e"])
    #expect(bench.recorder.calls.map { $0.parameters["x"] } == [2, 1])
    #expect(bench.dataLayer.snapshot == ["x": 1, "event": "e"])
  }

  @Test("TM-516: an update beyond a bound is refused as a whole, with an error")
  func rejected() async throws {
    let bench = try RuntimeBench(recordingX)
    let key = String(repeating: "k", count: 1_025)
    let outcome = await bench.dataLayer.push(["event": "e", "x": 1, key: 1]).outcome
    #expect(outcome.disposition == .rejected(.keyTooLong))
    #expect(bench.dataLayer.snapshot.isEmpty)
    #expect(bench.recorder.calls.isEmpty)
    #expect(bench.logger.texts(.error).count == 1)
  }

  @Test("TM-511, TM-501: literal keys and numbers that are not finite are warned about once")
  func warnings() throws {
    let bench = try RuntimeBench(recordingX)
    for _ in 0..<3 { bench.dataLayer.push(["a..b": 1, "n": .double(.nan)]) }
    #expect(bench.logger.texts(.warning).count == 2)
    #expect(bench.dataLayer.snapshot == ["a..b": 1, "n": .null])
  }

  @Test("TM-520, TM-523: pushes are numbered from 1, and the receipt of one without event tells at once")
  func sequence() async throws {
    let bench = try RuntimeBench(recordingX)
    let receipts = [bench.dataLayer.push(["a": 1]), bench.dataLayer.push(["event": "e"])]
    #expect(receipts.map(\.sequence) == [1, 2])
    #expect(receipts.map(\.state) == [.done, .done])
    #expect(await receipts[0].outcome.disposition == .merged)
    #expect(await receipts[1].outcome.disposition == .evaluated)
    #expect(await receipts[1].outcome.time == bench.clock.wallMilliseconds)
  }

  @Test("TM-521, TM-522: a push inside a handler waits for the event to end, which does not see its data")
  func nested() throws {
    var sketch = recordingX
    let x = sketch.reference("x")
    let second = sketch.tag("second", .recording, ["x": x])
    sketch.rule(add: [second])
    let bench = try RuntimeBench(sketch)
    let layer = bench.dataLayer
    let states = Locked<[PushReceipt.State]>([])
    bench.recorder.onFire { call in
      guard call.name == "record", call.event == "outer" else { return }
      let receipt = layer.push(["event": "inner", "x": 2])
      states.withLock { $0.append(receipt.state) }
      #expect(layer.get("x") == 2)
    }
    layer.push(["event": "outer", "x": 1])
    #expect(bench.recorder.calls.map(\.event) == ["outer", "outer", "inner", "inner"])
    #expect(bench.recorder.calls.map { $0.parameters["x"] } == [1, 1, 2, 2])
    #expect(states.withLock { $0 } == [.queued])
  }

  @Test("D5, TM-524: of a handler that pushes its own event 500 are taken; the next push works")
  func pushLoop() async throws {
    let bench = try RuntimeBench(recordingX)
    let layer = bench.dataLayer
    let last = Locked<PushReceipt?>(nil)
    bench.recorder.onFire { _ in
      let receipt = layer.push(["event": "again"])
      last.withLock { $0 = receipt }
    }
    layer.push(["event": "again"])
    #expect(bench.recorder.calls.count == 501)
    let receipt = try #require(last.withLock { $0 })
    #expect(await receipt.outcome.disposition == .dropped(.pushLoop))
    #expect(bench.logger.texts(.error).count == 1)
    bench.recorder.onFire { _ in }
    #expect(await layer.push(["event": "again"]).outcome.disposition == .evaluated)
  }

  @Test("D4, TM-520: a handler pushes while another thread pushes 1,000: all are evaluated in their order")
  func twoThreads() async throws {
    let bench = try RuntimeBench(recordingX)
    let layer = bench.dataLayer
    let nested = Locked<[PushReceipt]>([])
    bench.recorder.onFire { call in
      guard call.event == "outer" else { return }
      let receipt = layer.push(["event": "inner"])
      nested.withLock { $0.append(receipt) }
    }
    let outer = Task { (0..<1_000).map { _ in layer.push(["event": "outer"]) } }
    let others = Task { (0..<1_000).map { _ in layer.push(["event": "other"]) } }
    let receipts = await outer.value + others.value
    for receipt in receipts { #expect(await receipt.outcome.disposition == .evaluated) }
    // Every outer event has been evaluated, so each has pushed its own.
    let inner = nested.withLock { $0 }
    for receipt in inner { #expect(await receipt.outcome.disposition == .evaluated) }
    #expect(inner.count == 1_000)
    #expect(bench.recorder.calls.count == 3_000)
    #expect(Set((receipts + inner).map(\.sequence)) == Set(1...3_000))
  }

  @Test("TM-1409: eight threads lose nothing, and evaluation follows the order of pushes")
  func eightThreads() async throws {
    let bench = try RuntimeBench(recordingX)
    let layer = bench.dataLayer
    let receipts = await withTaskGroup(of: [PushReceipt].self) { group in
      for thread in 0..<8 {
        group.addTask { (0..<500).map { layer.push(["event": "e", "x": .int(Int64(thread * 1_000 + $0))]) } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    for receipt in receipts { _ = await receipt.outcome }
    let valueOfSequence = Dictionary(
      uniqueKeysWithValues: await receipts.asyncMap { ($0.sequence, await $0.outcome) }
        .map { ($0.0, $0.1.containers[0].tags[0].parameters?["x"]) })
    #expect(bench.recorder.calls.map { $0.parameters["x"] } == (1...4_000).map { valueOfSequence[UInt64($0)] ?? nil })
  }

  @Test("TM-525: listeners get each update as it was pushed, with its sequence")
  func updates() async throws {
    let bench = try RuntimeBench(recordingX)
    let updates = bench.dataLayer.updates
    bench.dataLayer.push(["a.b": 1])
    bench.dataLayer.push(["event": "e"])
    var seen: [DataLayerUpdate] = []
    for await update in updates.prefix(2) { seen.append(update) }
    #expect(
      seen == [
        DataLayerUpdate(sequence: 1, update: ["a.b": 1]), DataLayerUpdate(sequence: 2, update: ["event": "e"]),
      ])
  }

  @Test("D9: an event with no container open is lost, and its outcome says so")
  func noContainer() async throws {
    let bench = try RuntimeBench(
      recordingX, configuration: TagManager.Configuration(earlyEvents: .discard))
    bench.container.close()
    #expect(await bench.dataLayer.push(["event": "e"]).outcome.disposition == .dropped(.noContainer))
  }

  @Test("TM-1103: a push made by the logger is an event like any other")
  func pushingLogger() throws {
    let bench = try RuntimeBench(recordingX)
    bench.manager.logger = PushingLogger(layer: bench.dataLayer)
    bench.dataLayer.push(["event": "e"])
    #expect(bench.recorder.calls.map(\.event) == ["e", "logged"])
  }
}

/// A logger that does what it must not: it pushes, once.
private final class PushingLogger: TagLogger {
  private let layer: DataLayer
  private let hasPushed = Locked(false)

  init(layer: DataLayer) { self.layer = layer }

  func error(_ message: String) {}
  func warning(_ message: String) {}
  func info(_ message: String) {}
  func verbose(_ message: String) {}
  func debug(_ message: String) {
    let isFirst = hasPushed.withLock { hasPushed in
      defer { hasPushed = true }
      return !hasPushed
    }
    if isFirst { layer.push(["event": "logged"]) }
  }
}

extension Array {
  fileprivate func asyncMap<Result>(_ transform: (Element) async -> Result) async -> [Result] {
    var results: [Result] = []
    for element in self { results.append(await transform(element)) }
    return results
  }
}
