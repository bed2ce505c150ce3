import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Firing tags")
struct TagFiringTests {
  private func sketch(_ make: (inout ContainerSketch) -> Void) -> ContainerSketch {
    var sketch = ContainerSketch()
    sketch.macro("event", .event)
    sketch.dataLayer("x")
    make(&sketch)
    return sketch
  }

  /// A container of function-call tags, one per handler name, all fired by every event.
  private func handlerTags(_ names: String...) -> ContainerSketch {
    sketch { sketch in
      for name in names {
        let function = sketch.constant(.string(name))
        let key = sketch.constant("k")
        let x = sketch.reference("x")
        let parameters = sketch.map((key, x))
        let tag = sketch.tag(
          name, .functionCall, ["function_call_macro_name": function, "additional_params": parameters])
        sketch.rule(add: [tag])
      }
    }
  }

  @Test("F3, TM-805: the first of three handlers throws, the others run")
  func throwingHandler() async throws {
    struct Wrong: Error {}
    let bench = try RuntimeBench(handlerTags("a", "b", "c"))
    let ran = Locked<[String]>([])
    bench.container.handlers.onTag("a") { _ in throw Wrong() }
    for name in ["b", "c"] { bench.container.handlers.onTag(name) { _ in ran.withLock { $0.append(name) } } }
    let outcome = try await bench.push(["event": "e"])
    #expect(outcome.tags.map(\.status) == [.failed(.handler), .fired, .fired])
    #expect(ran.withLock { $0 } == ["b", "c"])
  }

  @Test("F4, TM-820: a function-call tag without handler fails, one warning for 10 events")
  func noHandler() async throws {
    let bench = try RuntimeBench(handlerTags("missing"))
    for _ in 0..<10 {
      #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [.failed(.noHandler)])
    }
    #expect(
      bench.logger.texts(.warning) == [
        "GTM-TEST Function-call tag 'missing' fired, but no handler is registered for it."
      ])
  }

  @Test("S8, TM-820: the handler is called once, with the function's name and the configured parameters")
  func handlerObject() async throws {
    let bench = try RuntimeBench(handlerTags("myConfiguredFunctionName"))
    let handler = MyFunctionCallTagHandler()
    bench.container.handlers.setTagHandler(handler, for: "myConfiguredFunctionName")
    try await bench.push(["event": "e", "x": 5])
    #expect(handler.calls.withLock { $0 } == ["myConfiguredFunctionName [\"k\": Hits.Value.int(5)]"])
  }

  @Test("TM-821: the container's handler comes before the manager's; nil unregisters; the last wins")
  func lookup() async throws {
    let bench = try RuntimeBench(handlerTags("f"))
    let ran = Locked<[String]>([])
    bench.manager.handlers.onTag("f") { _ in ran.withLock { $0.append("manager") } }
    try await bench.push(["event": "e"])
    bench.container.handlers.onTag("f") { _ in ran.withLock { $0.append("first") } }
    bench.container.handlers.onTag("f") { _ in ran.withLock { $0.append("second") } }
    try await bench.push(["event": "e"])
    bench.container.handlers.setTagHandler(nil, for: "f")
    try await bench.push(["event": "e"])
    #expect(ran.withLock { $0 } == ["manager", "second", "manager"])
    #expect(bench.container.handlers.tagHandler(for: "f") == nil)
    #expect(bench.manager.handlers.tagHandler(for: "f") != nil)
  }

  @Test("TM-821: an asynchronous handler runs in its own task; the status is started, an error is logged")
  func asyncHandler() async throws {
    struct Wrong: Error {}
    let bench = try RuntimeBench(handlerTags("f"))
    let (calls, continuation) = AsyncStream<[String: Value]>.makeStream()
    bench.container.handlers.onTag("f") { parameters async throws in
      continuation.yield(parameters)
    }
    #expect(try await bench.push(["event": "e", "x": 1]).tags.map(\.status) == [.started])
    #expect(await calls.first { _ in true } == ["k": 1])
  }

  @Test("TM-822: a handler slower than 100 ms is reported once")
  func slowHandler() async throws {
    let bench = try RuntimeBench(handlerTags("slow", "quick"))
    let clock = bench.clock
    bench.container.handlers.onTag("slow") { _ in clock.advance(by: .milliseconds(150)) }
    bench.container.handlers.onTag("quick") { _ in clock.advance(by: .milliseconds(100)) }
    let outcome = try await bench.push(["event": "e"])
    try await bench.push(["event": "e"])
    #expect(outcome.tags.map(\.duration) == [150_000, 100_000])
    #expect(
      bench.logger.texts(.warning) == [
        "GTM-TEST The handler of 'slow' took 150 ms; events wait for it meanwhile."
      ])
  }

  @Test("TM-807, E2: a tag whose parameter fails does not fire, others do")
  func failedParameter() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let a = sketch.reference("a")
        let b = sketch.reference("b")
        sketch.macro("a", .constant, ["value": b])
        sketch.macro("b", .constant, ["value": a])
        let first = sketch.tag("cyclic", .recording, ["p": a])
        let second = sketch.tag("fine")
        sketch.rule(add: [first, second])
      })
    let outcome = try await bench.push(["event": "e"])
    #expect(outcome.tags.map(\.status) == [.failed(.evaluation(.cycle)), .fired])
    #expect(bench.recorder.names == ["fine"])
  }

  @Test("TM-610: a missing parameter is left out")
  func missingParameter() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let x = sketch.reference("x")
        let one = sketch.constant(1)
        let tag = sketch.tag("t", .recording, ["x": x, "one": one])
        sketch.rule(add: [tag])
      })
    let outcome = try await bench.push(["event": "e"])
    #expect(bench.recorder.calls.map(\.parameters) == [["one": 1]])
    #expect(outcome.tags[0].parameters == ["one": 1])
  }

  @Test("TM-805: a tag function that nobody registered fails")
  func unknownFunction() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let tag = sketch.tag("t", FunctionName(rawValue: "__other"))
        sketch.rule(add: [tag])
      })
    #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [.failed(.evaluation(.unknownFunction))])
  }

  @Test("TM-850: a registered tag function gets evaluated parameters, and what it says of its work is the tag's status")
  func tagFunction() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let x = sketch.reference("x")
        let tag = sketch.tag("t", .recording, ["x": x])
        sketch.rule(add: [tag])
      })
    #expect(try await bench.push(["event": "e", "x": 3]).tags.map(\.status) == [.fired])
    #expect(
      bench.recorder.calls == [
        TagCall(
          name: "t", function: .recording, parameters: ["x": 3], event: "e", update: ["event": "e", "x": 3],
          semantics: .standard)
      ])
    bench.recorder.goOn()
    #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [.started])
    bench.recorder.onFire { _ in throw TagFailure.other("not today") }
    #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [.failed(.other("not today"))])
  }

  @Test("TM-803: a tag that fires once per load fires once, even when it fails")
  func oncePerLoad() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let setup = sketch.tag("setup")
        let tag = sketch.tag("once") {
          $0.isOncePerLoad = true
          $0.setupTags = [.init(tag: setup)]
        }
        sketch.rule(add: [tag])
      })
    bench.recorder.onFire { call in if call.name == "once" { throw TagFailure.url } }
    #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [.fired, .failed(.url)])
    #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [.notFired(.oncePerLoad)])
    #expect(bench.recorder.names == ["setup", "once"])
  }

  @Test("TM-803, TM-804: a tag whose setup failed is not spent")
  func notSpentBySetup() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let setup = sketch.tag("setup")
        let tag = sketch.tag("once") {
          $0.isOncePerLoad = true
          $0.setupTags = [.init(tag: setup, flag: 1)]
        }
        sketch.rule(add: [tag])
      })
    bench.recorder.onFire { call in if call.name == "setup" { throw TagFailure.url } }
    for _ in 0..<2 {
      #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [.failed(.url), .setupFailed])
    }
    bench.recorder.onFire { _ in }
    #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [.fired, .fired])
  }

  @Test("TM-806: all required consent types must be granted")
  func consent() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let tag = sketch.tag("t") { $0.consentRequired = ["ad_storage", "analytics_storage"] }
        sketch.rule(add: [tag])
      })
    for (consent, status): (Consent, TagOutcome.Status) in [
      (.all, .fired), (.granted(["ad_storage"]), .notFired(.consent)), (.granted([]), .notFired(.consent)),
      (.granted(["ad_storage", "analytics_storage"]), .fired),
    ] {
      bench.manager.consent = consent
      #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [status])
    }
  }

  @Test("TM-806: a schedule's window contains its start and not its end")
  func schedule() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let tag = sketch.tag("t") {
          $0.scheduleStart = 1_800_000_001_000
          $0.scheduleEnd = 1_800_000_002_000
        }
        sketch.rule(add: [tag])
      })
    for (time, status): (Int64, TagOutcome.Status) in [
      (1_800_000_000_999, .notFired(.schedule)), (1_800_000_001_000, .fired), (1_800_000_001_999, .fired),
      (1_800_000_002_000, .notFired(.schedule)),
    ] {
      bench.clock.setWall(milliseconds: time)
      #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [status])
    }
  }

  @Test("TM-806: a live-only tag does not fire in preview", arguments: [ContainerOrigin.preview, .default])
  func liveOnly(origin: ContainerOrigin) async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let tag = sketch.tag("t") { $0.isLiveOnly = true }
        sketch.rule(add: [tag])
      }, origin: origin)
    let expected: TagOutcome.Status = origin == .preview ? .notFired(.liveOnly) : .fired
    #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [expected])
  }

  @Test("TM-806: gates are checked in order: consent, schedule, live only")
  func gateOrder() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let tag = sketch.tag("t") {
          $0.consentRequired = ["ad_storage"]
          $0.scheduleEnd = 0
          $0.isLiveOnly = true
        }
        sketch.rule(add: [tag])
      }, origin: .preview)
    bench.manager.consent = .granted([])
    #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [.notFired(.consent)])
    bench.manager.consent = .all
    #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [.notFired(.schedule)])
  }

  @Test("F1, TM-800: a blocked tag is told with the rule that blocked it")
  func blocked() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let tag = sketch.tag("t")
        sketch.rule(add: [tag])
        sketch.rule(add: [tag])
        sketch.rule(block: [tag])
      })
    let outcome = try await bench.push(["event": "e"])
    #expect(outcome.tags.map(\.status) == [.blocked(by: "r2")])
    #expect(outcome.tags[0].rules == [0, 1])
    #expect(bench.recorder.calls.isEmpty)
  }

  @Test("TM-808, TM-809: hits reach the sink in tag order, and a tag's outcome lists their ids")
  func hits() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let tags = ["one", "two"].map { name in
          let url = sketch.constant(.string("https://example.com/\(name)"))
          return sketch.tag(name, .image, ["url": url])
        }
        sketch.rule(add: tags)
      })
    let first = try await bench.push(["event": "e"])
    let second = try await bench.push(["event": "e"])
    #expect(
      bench.sink.hits.map { $0.fields["url"] } == [
        "https://example.com/one", "https://example.com/two", "https://example.com/one", "https://example.com/two",
      ])
    let ids = (first.tags + second.tags).map(\.hitIDs)
    #expect(ids == bench.sink.records.map { [$0.receipt.id].compactMap { $0 } })
  }

  @Test("TM-808: a refused hit fails the tag, any other state counts as fired")
  func refused() async throws {
    let sketch = sketch { sketch in
      let url = sketch.constant("https://example.com/")
      let tag = sketch.tag("t", .image, ["url": url])
      sketch.rule(add: [tag])
    }
    for (state, status): (SendReceipt.State, TagOutcome.Status) in [
      (.refused(.optedOut), .failed(.sink(.optedOut))), (.pending(.slow), .fired), (.held, .fired), (.dryRun, .fired),
    ] {
      let bench = try RuntimeBench(sketch, sink: RecordingSink { _ in state })
      #expect(try await bench.push(["event": "e"]).tags.map(\.status) == [status])
    }
  }

  @Test("TM-845: a measurement tag that blocks keeps the event's filter tags from firing")
  func measurementBlock() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let filter = sketch.constant("filter")
        let block = sketch.constant("block")
        let measure = sketch.constant("measure")
        let name = sketch.constant("renamed")
        let tags = [
          sketch.tag("filter", .measurementEvent, ["action": filter]),
          sketch.tag("measure", .measurementEvent, ["action": measure, "eventName": name]),
          sketch.tag("block", .measurementEvent, ["action": block]),
        ]
        sketch.rule(add: tags)
      })
    let outcome = try await bench.push(["event": "e"])
    #expect(outcome.tags.map(\.name) == ["block", "filter", "measure"])
    #expect(outcome.tags.map(\.status) == [.fired, .blocked(by: "block"), .fired])
    #expect(bench.sink.hits.map(\.kind) == [.custom("renamed")])
  }

  @Test("F6, TM-841: a pixel's plain http becomes https, which is warned about once")
  func insecurePixel() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let url = sketch.constant("http://www.example.com/p?x=1")
        let yes = sketch.constant(true)
        let number = sketch.constant(77)
        let tag = sketch.tag("pixel", .image, ["url": url, "useCacheBuster": yes, "randomNumber": number])
        sketch.rule(add: [tag])
      })
    for _ in 0..<2 { try await bench.push(["event": "e"]) }
    #expect(bench.sink.hits.map { $0.fields["url"] }.first == "https://www.example.com/p?x=1&gtmcb=77")
    #expect(bench.logger.texts(.warning).count == 1)
  }

  @Test("TM-840: an image that fires once per install is remembered by the device store, unless its hit was refused")
  func unrepeatable() async throws {
    let store = InMemoryDeviceStore()
    let sketch = sketch { sketch in
      let url = sketch.constant("https://example.com/")
      let id = sketch.constant("first-run")
      let tag = sketch.tag("pixel", .image, ["url": url, "unrepeatable": id])
      sketch.rule(add: [tag])
    }
    for (answer, expected) in [(SendReceipt.State.refused(.storeFull), 2), (.durable, 1), (.durable, 0)] {
      let sink = RecordingSink { _ in answer }
      let bench = try RuntimeBench(sketch, sink: sink) { $0.deviceStore = store }
      for _ in 0..<2 { try await bench.push(["event": "e"]) }
      bench.dataLayer.flush()
      #expect(bench.sink.hits.count == expected)
    }
  }

  @Test("TM-545: a data-layer tag clears a prefix, then pushes its maps")
  func dataLayerWrite() async throws {
    let bench = try RuntimeBench(
      sketch { sketch in
        let prefix = sketch.constant("a")
        let key = sketch.constant("written")
        let one = sketch.constant(1)
        let map = sketch.map((key, one))
        let maps = sketch.list(map)
        let isE = sketch.isEvent("e")
        let tag = sketch.tag("write", .dataLayerWrite, ["value": maps, "clear_data_layer_prefix": prefix])
        sketch.rule(if: [isE], add: [tag])
      })
    bench.dataLayer.push(["a": ["b": 1]])
    try await bench.push(["event": "e"])
    #expect(bench.dataLayer.snapshot == ["a": .null, "written": 1, "event": "e"])
  }
}

private final class MyFunctionCallTagHandler: FunctionCallTagHandler {
  let calls = Locked<[String]>([])

  func execute(_ name: String, parameters: [String: Value]) throws {
    calls.withLock { $0.append("\(name) \(parameters)") }
  }
}
