import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Tag manager")
struct TagManagerTests {
  private var analytics: ContainerSketch {
    var sketch = ContainerSketch(.legacy)
    sketch.macro("event", .event)
    sketch.dataLayer("screenName")
    let screen = sketch.reference("screenName")
    let account = sketch.constant("UA-1-1")
    let yes = sketch.constant(true)
    let isOpen = sketch.isEvent("openScreen")
    let confirmation = sketch.constant("ConfirmationScreen")
    let isConfirmation = sketch.predicate(.equals, screen, confirmation)
    let conversionID = sketch.constant("123")
    let views = sketch.tag(
      "Views", .analytics, ["account": account, "track_appview": yes, "content_description": screen])
    let conversion = sketch.tag("Conversion", .conversion, ["conversionId": conversionID])
    sketch.rule(if: [isOpen], add: [views], name: "Screens")
    sketch.rule(if: [isOpen, isConfirmation], add: [conversion], name: "Confirmation")
    return sketch
  }

  @Test("S3: a push fires the analytics tag with the screen's name; the conversion tag only for its screen")
  func seedPush() async throws {
    let bench = try RuntimeBench(analytics)
    let outcome = await bench.dataLayer.push(["event": "openScreen", "screenName": "Home Screen"]).outcome
    #expect(bench.sink.hits.last?.fields["cd"] == "Home Screen")
    #expect(outcome.containers[0].tags[0].status == .fired)
    #expect(outcome.containers[0].tags.map(\.name) == ["Views"])
    let second = await bench.dataLayer.push(["event": "openScreen", "screenName": "ConfirmationScreen"]).outcome
    #expect(second.containers[0].tags.map(\.name) == ["Views", "Conversion"])
    #expect(bench.sink.hits.map(\.kind) == [.screenView, .screenView, .beacon])
  }

  @Test("G9, TM-334: two open containers see each event once, in the order they were opened")
  func twoContainers() async throws {
    let bench = try RuntimeBench(analytics)
    let other = try bench.open("GTM-AAAA", analytics)
    let outcome = await bench.dataLayer.push(["event": "openScreen", "screenName": "Home"]).outcome
    #expect(outcome.containers.map(\.id) == ["GTM-TEST", "GTM-AAAA"])
    #expect(bench.sink.hits.count == 2)
    other.close()
    #expect(await bench.dataLayer.push(["event": "openScreen"]).outcome.containers.map(\.id) == ["GTM-TEST"])
  }

  @Test("TM-805: a failing tag in one container does not stop another container")
  func containersApart() async throws {
    var failing = ContainerSketch()
    failing.rule(add: [failing.tag("t", FunctionName(rawValue: "__unknown"))])
    let bench = try RuntimeBench(failing)
    _ = try bench.open("GTM-AAAA", analytics)
    let outcome = await bench.dataLayer.push(["event": "openScreen", "screenName": "Home"]).outcome
    #expect(outcome.containers.map { $0.tags.map(\.status) } == [[.failed(.evaluation(.unknownFunction))], [.fired]])
  }

  @Test("B6, TM-331, TM-332: an open id is refused, unharmed, and found by its id; closing frees it")
  func alreadyOpen() throws {
    let bench = try RuntimeBench(analytics)
    let error = #expect(throws: TagManagerError.self) { try bench.manager.openContainer("GTM-TEST") }
    #expect(error?.code == .alreadyOpen)
    #expect(bench.manager.container("GTM-TEST") === bench.container)
    bench.container.close()
    #expect(try bench.manager.openContainer("GTM-TEST") !== bench.container)
  }

  @Test("A6, TM-100: texts that are no container id are refused", arguments: ["", "../x", "GTM/1", "-A", "a%20b"])
  func invalidID(text: String) throws {
    let manager = TagManager(ports: TagManager.Ports(sink: RecordingSink()))
    let error = #expect(throws: TagManagerError.self) { try manager.openContainer(ContainerID(text)) }
    #expect(error?.code == .invalidContainerID)
  }

  @Test("TM-1110, TM-1113: every push has one outcome in the stream, in order")
  func outcomes() async throws {
    let bench = try RuntimeBench(analytics)
    let outcomes = bench.manager.outcomes
    bench.dataLayer.push(["a": 1])
    bench.dataLayer.push(["event": "openScreen"])
    bench.dataLayer.push([String(repeating: "k", count: 2_000): 1])
    var seen: [PushOutcome] = []
    for await outcome in outcomes.prefix(3) { seen.append(outcome) }
    #expect(seen.map(\.sequence) == [1, 2, 3])
    #expect(seen.map(\.disposition) == [.merged, .evaluated, .rejected(.keyTooLong)])
    #expect(seen[1].event == "openScreen")
    #expect(seen[1].containers[0].rules.map(\.name) == ["Screens", "Confirmation"])
    #expect(seen[1].containers[0].rules[1].predicates.map(\.reason) == [.compared, .missing("arg0")])
    #expect(bench.manager.lostOutcomes == 0)
  }

  @Test("TM-1111: off tells tags alone, standard everything but values, full everything")
  func detail() async throws {
    let bench = try RuntimeBench(analytics)
    for (detail, rules, macros, hasValues): (TraceDetail, Int, Int, Bool) in [
      (.off, 0, 0, false), (.standard, 2, 2, false), (.full, 2, 2, true),
    ] {
      bench.manager.traceDetail = detail
      let outcome = await bench.dataLayer.push(["event": "openScreen", "screenName": "Home"]).outcome
      let container = outcome.containers[0]
      #expect(outcome.traceDetail == detail)
      #expect(container.tags.map(\.status) == [.fired])
      #expect(container.rules.count == rules)
      #expect(container.macros.count == macros)
      #expect((container.tags[0].parameters != nil) == hasValues)
      #expect(container.macros.contains { $0.value != nil } == hasValues)
      #expect(container.rules.flatMap(\.predicates).contains { $0.arguments != nil } == hasValues)
    }
  }

  @Test("TM-1200: two managers in one process know nothing of each other")
  func independent() async throws {
    let first = try RuntimeBench(analytics)
    let second = try RuntimeBench(analytics)
    first.dataLayer.push(["event": "openScreen", "screenName": "Home"])
    #expect(first.sink.hits.count == 1)
    #expect(second.sink.hits.isEmpty)
    #expect(second.dataLayer.snapshot.isEmpty)
  }

  @Test("TM-1200: a manager that is let go leaves nothing behind, and its container still answers")
  func release() throws {
    var sketch = ContainerSketch()
    sketch.macro("n", "v")
    weak var layer: DataLayer?
    var container: Container?
    do {
      let bench = try RuntimeBench(sketch)
      layer = bench.dataLayer
      container = bench.container
    }
    #expect(container?.string(for: "n") == "v")
    container = nil
    #expect(layer == nil)
  }

  @Test("S10, TM-1100, TM-1101: a logger of the five methods receives every level")
  func fiveMethods() async throws {
    let bench = try RuntimeBench(analytics)
    let logger = MyLogger()
    bench.manager.logger = logger
    #expect(logger.logLevel == .verbose)
    logger.setLogLevel(.error)
    bench.dataLayer.push(["event": "openScreen"])
    _ = bench.container.string(for: "nobody")
    #expect(logger.levels.withLock { $0 } == [.debug, .warning])
  }

  @Test(
    "TM-1100: a message passes when its level reaches the logger's",
    arguments: [LogLevel.verbose, .debug, .info, .warning, .error, .none])
  func levels(level: LogLevel) {
    let logger = RecordingLogger(level: level)
    for message in [LogLevel.verbose, .debug, .info, .warning, .error] { logger.log(message, "text") }
    #expect(logger.messages.map(\.level) == [.verbose, .debug, .info, .warning, .error].filter { $0 >= level })
  }

  @Test("TM-1100, TM-1102: the default logger's level is warning, and settable; raw values are the original's")
  func defaultLogger() {
    let manager = TagManager(ports: TagManager.Ports(sink: RecordingSink()))
    #expect(manager.logger.logLevel == .warning)
    manager.logger.setLogLevel(.info)
    #expect(manager.logger.logLevel == .info)
    #expect([LogLevel.verbose, .debug, .info, .warning, .error, .none].map(\.rawValue) == [0, 1, 2, 3, 4, 5])
  }

  @Test("TM-1104: above debug no value of the data layer or of a parameter is logged")
  func redaction() async throws {
    var sketch = analytics
    let name = sketch.constant("f")
    let secret = sketch.reference("screenName")
    let key = sketch.constant("k")
    let parameters = sketch.map((key, secret))
    let tag = sketch.tag(
      "call", .functionCall, ["function_call_macro_name": name, "additional_params": parameters])
    sketch.rule(add: [tag])
    let bench = try RuntimeBench(sketch)
    bench.dataLayer.push(["event": "openScreen", "screenName": "SECRET", "a..b": "SECRET"])
    _ = bench.container.string(for: "screenNam")
    let loud = bench.logger.messages.filter { $0.level > .debug }
    #expect(loud.count == 3)
    #expect(!loud.contains { $0.text.contains("SECRET") })
  }

  @Test("TM-1105: each event is told at debug: its name, the tags fired and not fired with the reason")
  func eventLog() throws {
    var sketch = analytics
    sketch.rule(block: [0], name: "Never")
    let bench = try RuntimeBench(sketch)
    bench.dataLayer.push(["event": "openScreen", "screenName": "ConfirmationScreen"])
    #expect(
      bench.logger.texts(.debug) == [
        "GTM-TEST Event 'openScreen': 'Conversion' fired, 'Views' blocked(r2)."
      ])
  }

  @Test("TM-1105: a normal start prints nothing at the default level")
  func quietStart() throws {
    var sketch = ContainerSketch()
    sketch.macro("n", "v")
    let bench = try RuntimeBench(sketch)
    bench.dataLayer.push(["event": "e"])
    _ = bench.container.string(for: "n")
    #expect(bench.logger.messages.filter { $0.level >= .warning } == [])
  }

  @Test("TM-1200: dispatching is the dispatcher's business")
  func dispatch() async throws {
    let dispatcher = RecordingDispatcher()
    let manager = TagManager(ports: TagManager.Ports(sink: RecordingSink(), dispatcher: dispatcher))
    #expect(manager.dispatchInterval == 120)
    manager.dispatchInterval = 30
    #expect(dispatcher.dispatchInterval == 30)
    manager.dispatch()
    #expect(dispatcher.dispatches.withLock { $0 } == 1)
    #expect(await manager.dispatchNext() == .good)
    #expect(await TagManager(ports: TagManager.Ports(sink: RecordingSink())).dispatchNext() == .noData)
  }
}

private final class MyLogger: TagLogger {
  let levels = Locked<[LogLevel]>([])

  func error(_ message: String) { levels.withLock { $0.append(.error) } }
  func warning(_ message: String) { levels.withLock { $0.append(.warning) } }
  func info(_ message: String) { levels.withLock { $0.append(.info) } }
  func debug(_ message: String) { levels.withLock { $0.append(.debug) } }
  func verbose(_ message: String) { levels.withLock { $0.append(.verbose) } }
}

private final class RecordingDispatcher: HitDispatcher {
  private let interval = Locked(120.0)
  let dispatches = Locked(0)

  var dispatchInterval: Double {
    get { interval.withLock { $0 } }
    set { interval.withLock { $0 = newValue } }
  }

  func dispatch() { dispatches.withLock { $0 += 1 } }
  func dispatchNext() async -> DispatchReport { DispatchReport(result: .good) }
}
