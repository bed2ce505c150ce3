import Foundation
import Hits
import TestSupport
import Testing

@testable import WebTags

@Suite struct DeliveryTests {
  @Test("WT-406: an event has every key that is known, and none that is not")
  func dataKeys() async throws {
    let bench = InstanceBench(transport: InstanceBench.held())
    bench.power.change(PowerState(level: 0.5, isCharging: true))
    let manager = try bench.open()
    let view = manager.trackView(title: "Home", data: ["own": 1])
    let link = manager.trackEvent(title: "Click")
    let custom = manager.track(TagEvent(kind: .custom("trade"), title: "", tagIDs: ["1", "7"]))
    for event in [view, link, custom] { _ = await event.stored() }
    bench.answerPage()
    for event in [view, link, custom] { #expect(try await event.ended() == .delivered(confirmed: true)) }
    let data = try #require(bench.delivered.first)
    let time: Int64 = 1_800_000_000_000
    let expected: JSONObject = [
      "tealium_account": "A", "tealium_profile": "P", "tealium_environment": "E", "tealium_datasource": "D",
      "tealium_library_name": "tagworks", "tealium_library_version": .string(ProductInfo.version),
      "tealium_session_id": "1800000000000", "tealium_visitor_id": .string(manager.visitorID),
      "visitor_id": .string(manager.visitorID), "tealium_timestamp_epoch": 1_800_000_000,
      "timestamp_unix": 1_800_000_000,
      "timestamp_unix_milliseconds": .int(time), "timestamp": "2027-01-15T08:00:00.000Z",
      "timestamp_local": "2027-01-15T08:00:00.000", "timestamp_offset": "0", "app_name": "Shop",
      "app_rdns": "com.acme.shop", "app_version": "3.1", "app_uuid": "install-1", "platform": "linux",
      "origin": "mobile", "device": "box", "device_model": "box", "device_os_version": "12.1", "os_name": "Linux",
      "device_resolution": "1920x1080", "device_orientation": "landscape", "device_language": "de-DE",
      "device_battery_percent": "50", "device_ischarging": "true", "connection_type": "wifi",
      "event_id": .string(view.id.uuidString), "tealium_event": "Home", "tealium_event_type": "view",
      "call_type": "view", "screen_title": "Home", "own": 1, "was_queued": "true", "queue_reason": "page_not_ready",
      "dispatch_service": "tagmanagement",
    ]
    #expect(data.filter { $0.key != "tealium_random" && $0.key != "device_architecture" } == expected)
    let random = try #require(data["tealium_random"]?.string)
    #expect(random.utf8.count == 16 && random.utf8.allSatisfy { (48...57).contains($0) })
    #expect(bench.delivered[1]["event_name"] == "Click" && bench.delivered[1]["link_id"] == "Click")
    #expect(bench.delivered[1]["tealium_event_type"] == "event" && bench.delivered[1]["call_type"] == "link")
    #expect(bench.delivered[2]["tealium_event"] == "trade" && bench.deliveries[2]["type"] == "trade")
    #expect(bench.deliveries[2]["uids"] == ["1", "7"] && bench.deliveries[0]["uids"] == nil)
    #expect(bench.delivered.allSatisfy { $0.values.allSatisfy { $0 != .null } })
    await bench.close()
  }

  @Test("WT-402: what is collected < persistent < volatile < the call's own data, as they are at the call")
  func mergeOrder() async throws {
    let bench = InstanceBench(transport: InstanceBench.held())
    let manager = try bench.open()
    manager.addPersistentData(["platform": "p", "a": "p", "b": "p", "c": "p", "gone": 1])
    manager.addVolatileData(["b": "v", "c": "v", "tealium_event": "hidden"])
    manager.removePersistentData(keys: ["gone"])
    let first = manager.trackEvent(title: "e", data: ["c": "e", "tealium_event": "shown", "was_queued": "mine"])
    manager.removeVolatileData(keys: ["b"])
    let second = manager.trackEvent(title: "f")
    _ = await second.stored()
    bench.answerPage()
    _ = try await second.ended()
    _ = try await first.ended()
    let data = bench.delivered[0]
    #expect(data["platform"] == "p" && data["a"] == "p" && data["b"] == "v" && data["c"] == "e")
    #expect(data["tealium_event"] == "shown" && data["gone"] == nil && data["was_queued"] == "true")
    #expect(bench.delivered[1]["b"] == "p" && manager.volatileData["b"] == nil)
    await bench.close()
    let next = try bench.open()
    #expect(next.persistentData["a"] == "p" && next.volatileData == [:])
    await bench.close()
  }

  @Test(
    "WT-400, WT-800: a type that would be code ends as invalid_type and reaches no page",
    arguments: ["a',{});window.pwn=1;//", "", "a b", "ü", "a\u{2028}", String(repeating: "x", count: 65)])
  func typeInjection(type: String) async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    let outcome = try await manager.track(TagEvent(kind: .custom(type), title: "t")).ended()
    guard case .failed(let reason) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason.code == .invalidType)
    try await bench.ready(manager)
    #expect(bench.deliveries.isEmpty)
    await bench.close()
  }

  @Test("WT-800, WT-1208: hostile texts in titles, keys, values and uids are data in one JSON text (peer bugs 37, 38)")
  func dataInjection() async throws {
    let hostile = "');window.pwn=1;('\"\\\n\u{2028}\u{2029}😀</script><!--`${alert(1)}`"
    let bench = InstanceBench()
    let manager = try bench.open()
    let event = TagEvent(kind: .view, title: hostile, data: [hostile: .string(hostile)], tagIDs: [hostile])
    #expect(try await manager.track(event).ended() == .delivered(confirmed: true))
    let call = try #require(bench.host?.calls.first { $0.path == "__tagworks.deliver" })
    #expect(!call.argument.unicodeScalars.contains("\u{2028}"))
    let item = bench.deliveries[0]
    #expect(item["data"]?.map?[hostile] == .string(hostile) && item["uids"] == [.string(hostile)])
    #expect(item["data"]?.map?["screen_title"] == .string(hostile))
    // Nothing of it is in a source or a document; paths are constants.
    #expect(bench.host?.bootstrap.contains("pwn") == false)
    let paths = Set(bench.hosts.hosts.flatMap(\.calls).map(\.path))
    #expect(paths == ["__tagworks.probe", "__tagworks.deliver"])
    await bench.close()
  }

  @Test("WT-405: data that is too long or too deep is dropped, and __proto__ left out")
  func tooLarge() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    let long = manager.trackEvent(title: "l", data: ["a": .string(String(repeating: "x", count: 256 << 10))])
    var deep: Value = 1
    for _ in 0..<70 { deep = [deep] }
    let nested = manager.trackEvent(title: "d", data: ["a": deep])
    let proto = manager.trackEvent(title: "p", data: ["__proto__": ["x": 1], "k": 1])
    #expect(try await long.ended() == .dropped(.tooLarge))
    #expect(try await nested.ended() == .dropped(.tooLarge))
    #expect(try await proto.ended() == .delivered(confirmed: true))
    #expect(bench.delivered.count == 1 && bench.delivered[0]["__proto__"] == nil && bench.delivered[0]["k"] == 1)
    await bench.close()
  }

  @Test("WT-425: an error of the page's script is a failure with its words; no call-back is delivered, unconfirmed")
  func scriptErrors() async throws {
    let bench = InstanceBench { _ in
      var script = ScriptedPageHost.Script()
      script.call = { path, argument in
        guard path == "__tagworks.deliver" else { return ScriptedPageHost.Script.confirmAll(path, argument) }
        let isBad = argument.contains("\"bad\"")
        return .value(
          ScriptedPageHost.Script.results(of: argument) { id in
            isBad
              ? ["id": .string(id), "ok": false, "error": "TypeError: x", "line": 3]
              : ["id": .string(id), "ok": true, "confirmed": false]
          })
      }
      return script
    }
    let manager = try bench.open()
    try await bench.ready(manager)
    #expect(
      try await manager.trackEvent(title: "bad").ended() == .failed(FailureReason(.script, "TypeError: x")))
    #expect(try await manager.trackEvent(title: "good").ended() == .delivered(confirmed: false))
    await bench.close()
  }

  @Test(
    "WT-424: answers that are no results are no_result; results of strangers change nothing",
    arguments: [
      "null", "[]", "{}", #"{"results":[1,{"id":"x","ok":true},{"ok":true}]}"#, "not json",
    ])
  func badResults(answer: String) async throws {
    let bench = InstanceBench { _ in
      var script = ScriptedPageHost.Script()
      script.call = { path, argument in
        path == "__tagworks.deliver" ? .value(answer) : ScriptedPageHost.Script.confirmAll(path, argument)
      }
      return script
    }
    let manager = try bench.open()
    #expect(
      try await manager.trackEvent(title: "e").ended()
        == .failed(FailureReason(.noResult, "the page gave no result")))
    await bench.close()
  }

  @Test("WT-421: events that are stored survive the end of the process, in order, before newer ones (peer bug 52)")
  func endOfProcess() async throws {
    let storage = MemoryWebTagsStorage()
    let first = InstanceBench(storage: storage)
    first.connectivity.change(.offline)
    let manager = try first.open()
    for number in 1...30 { #expect(await manager.trackEvent(title: "e\(number)").stored()) }
    // The process is killed: nothing is closed, another process opens the folder.
    storage.endProcess()
    let second = InstanceBench(storage: storage, transport: InstanceBench.held())
    let folder = InstanceFolder.url(of: first.key, below: InstanceBench.configuration().storageRoot)
    let stores = try storage.open(folder)
    let next = WebTagManager(
      key: second.key, InstanceBench.configuration(), second.environment, folder: folder, stores: stores)
    next.begin()
    _ = await next.trackEvent(title: "new").stored()
    second.answerPage()
    // More than 20 wait: a tenth of a second lies between the first two calls (WT-428).
    try await second.pass(.milliseconds(100))
    try await second.wait("31 events") { second.titles.count == 31 }
    #expect(second.titles == (1...30).map { "e\($0)" } + ["new"])
    await next.close(erase: false)
    await first.close()
  }

  @Test("WT-314, WT-421: events in flight when the process died are delivered again with the same id (peer bug 50)")
  func redelivery() async throws {
    let bench = InstanceBench(transport: InstanceBench.held()) { number in
      var script = ScriptedPageHost.Script()
      if number == 0 {
        script.call = { path, argument in
          path == "__tagworks.deliver" ? .hold : ScriptedPageHost.Script.confirmAll(path, argument)
        }
      }
      return script
    }
    let manager = try bench.open()
    let events = (1...3).map { manager.trackEvent(title: "e\($0)") }
    for event in events { _ = await event.stored() }
    bench.answerPage()
    try await bench.wait("the first call") { bench.deliveries.count == 3 }
    bench.host?.die(.helper)
    try await bench.pass(.milliseconds(800)...(.milliseconds(1200)))
    for event in events { #expect(try await event.ended() == .delivered(confirmed: true)) }
    #expect(bench.titles == ["e1", "e2", "e3", "e1", "e2", "e3"])
    #expect(bench.delivered[0]["event_id"] == bench.delivered[3]["event_id"])
    #expect(await manager.diagnostics().crashes == 1)
    await bench.close()
  }

  @Test("WT-401: events of eight threads are all delivered, those of one thread in order (peer bug 19)")
  func threads() async throws {
    let bench = InstanceBench()
    let manager = try bench.open { $0.flushRate = .infinity }
    try await bench.ready(manager)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<100 {
            manager.addVolatileData(["v\(thread)": .int(Int64(number))])
            manager.trackEvent(title: "t", data: ["thread": .int(Int64(thread)), "number": .int(Int64(number))])
          }
        }
      }
    }
    #expect(try await manager.trackEvent(title: "last").ended() == .delivered(confirmed: true))
    var numbers: [Value: [Value]] = [:]
    for data in bench.delivered.dropLast() {
      numbers[data["thread"] ?? .null, default: []].append(data["number"] ?? .null)
    }
    let all = (0..<100).map { Value.int(Int64($0)) }
    #expect(numbers.count == 8 && numbers.values.allSatisfy { $0 == all })
    await bench.close()
  }

  @Test("WT-403: the delegate may change and drop an event, and may hold it until a flush")
  func delegate() async throws {
    final class Delegate: WebTagManagerDelegate {
      let log = Locked<[String]>([])
      let holds = Locked(true)
      func webTags(_ manager: WebTagManager, shouldDrop event: inout QueuedEvent) async -> Bool {
        event.data["added"] = "by delegate"
        return event.title == "drop"
      }
      func webTags(_ manager: WebTagManager, shouldQueue event: QueuedEvent) async -> Bool {
        event.title == "hold" && holds.withLock { $0 }
      }
      func webTags(_ manager: WebTagManager, didQueue event: QueuedEvent, reason: QueueReason) async {
        if reason == .delegate { log.withLock { $0.append("queued \(event.title)") } }
      }
      func webTags(_ manager: WebTagManager, didFinish event: QueuedEvent, outcome: EventOutcome) async {
        log.withLock { $0.append("\(outcome.code) \(event.title)") }
      }
      func webTagsPageIsReady(_ manager: WebTagManager) async { log.withLock { $0.append("ready") } }
    }
    let bench = InstanceBench(transport: InstanceBench.held())
    let delegate = Delegate()
    let manager = try bench.open()
    manager.delegate = delegate
    bench.answerPage()
    try await bench.ready(manager)
    #expect(try await manager.trackEvent(title: "drop").ended() == .dropped(.delegate))
    let held = manager.trackEvent(title: "hold")
    #expect(try await manager.trackEvent(title: "pass").ended() == .delivered(confirmed: true))
    try await bench.wait("what the events wait for") { await manager.diagnostics().waiting == [.delegate: 1] }
    delegate.holds.withLock { $0 = false }
    manager.flush()
    #expect(try await held.ended() == .delivered(confirmed: true))
    await bench.close()
    #expect(
      delegate.log.withLock { $0 }
        == ["ready", "delegate drop", "queued hold", "delivered pass", "delivered hold"])
    #expect(bench.delivered.allSatisfy { $0["added"] == "by delegate" })
  }

  @Test("WT-400, WT-403: what the delegate makes of an event is checked as the event was")
  func changedByDelegate() async throws {
    final class Delegate: WebTagManagerDelegate {
      func webTags(_ manager: WebTagManager, shouldDrop event: inout QueuedEvent) async -> Bool {
        switch event.title {
        case "type": event.type = "a',{});window.pwn=1;//"
        case "long": event.data["text"] = .string(String(repeating: "x", count: EventData.longest))
        default: event.data["__proto__"] = ["a": 1]
        }
        return false
      }
    }
    let bench = InstanceBench()
    let delegate = Delegate()
    let manager = try bench.open()
    manager.delegate = delegate
    guard case .failed(let reason) = try await manager.trackEvent(title: "type").ended() else {
      Issue.record("the type was taken")
      return
    }
    #expect(reason.code == .invalidType)
    #expect(try await manager.trackEvent(title: "long").ended() == .dropped(.tooLarge))
    #expect(try await manager.trackEvent(title: "other").ended() == .delivered(confirmed: true))
    #expect(bench.titles == ["other"] && bench.delivered[0]["__proto__"] == nil)
    #expect(bench.lines.withLock { $0.contains { $0.contains("__proto__") } })
    await bench.close()
  }

  @Test("WT-440: a completion is called once, with the outcome")
  func completion() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    let outcomes = Locked<[EventOutcome]>([])
    manager.track(TagEvent(kind: .link, title: "e")) { _, outcome in outcomes.withLock { $0.append(outcome) } }
    try await bench.wait("the completion") { outcomes.withLock { !$0.isEmpty } }
    await bench.close()
    #expect(outcomes.withLock { $0 } == [.delivered(confirmed: true)])
  }

  @Test("WT-445: with the remote API each event is delivered a second time, directly after the first")
  func remoteAPI() async throws {
    let bench = InstanceBench()
    let manager = try bench.open { $0.remoteAPI = true }
    for title in ["a", "b"] {
      #expect(try await manager.trackEvent(title: title).ended() == .delivered(confirmed: true))
    }
    #expect(bench.deliveries.map { $0["type"]?.string } == ["link", "remote_api", "link", "remote_api"])
    #expect(bench.delivered.map { $0["tealium_event"] } == ["a", "a", "b", "b"])
    await bench.close()
  }

  @Test("WT-240: seven events without wifi leave in order when it comes (peer bug 17)")
  func wifiOnly() async throws {
    let bench = InstanceBench(transport: InstanceBench.site(#"{"wifi_only_sending":"true"}"#))
    let manager = try bench.open()
    try await bench.ready(manager)
    bench.connectivity.change(.cellular)
    try await bench.closed(.wifiOnly, manager)
    let events = (1...7).map { manager.trackEvent(title: "e\($0)") }
    for event in events { _ = await event.stored() }
    try await bench.wait("what the events wait for") { await manager.diagnostics().waiting == [.wifiOnly: 7] }
    bench.connectivity.change(.unknown, isMetered: true)
    await bench.settle(manager)
    #expect(bench.titles.isEmpty)
    bench.connectivity.change(.unknown, isMetered: false)
    for event in events { #expect(try await event.ended() == .delivered(confirmed: true)) }
    #expect(bench.titles == (1...7).map { "e\($0)" })
    #expect(bench.delivered[0]["queue_reason"] == "wifi_only")
    await bench.close()
  }

  @Test("WT-241: low power holds an event once (peer bug 46)")
  func battery() async throws {
    let bench = InstanceBench()
    bench.power.change(PowerState(level: 0.19))
    let manager = try bench.open()
    let event = manager.trackEvent(title: "e")
    _ = await event.stored()
    try await bench.wait("what the events wait for") { await manager.diagnostics().waiting == [.batterySaver: 1] }
    #expect(await manager.pageState == .idle(.battery))
    bench.power.change(PowerState(level: 0.19, isCharging: true))
    #expect(try await event.ended() == .delivered(confirmed: true))
    #expect(bench.titles == ["e"])
    await bench.close()
  }

  @Test("WT-433: a store that is full keeps events in memory, and says so")
  func fullStore() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    try await bench.ready(manager)
    bench.storage.events?.refusesEvents = true
    let notices = bench.notices(of: manager)
    let event = manager.trackEvent(title: "e")
    #expect(await event.stored() == false)
    #expect(try await event.ended() == .delivered(confirmed: true))
    try await bench.wait("a word of the store") {
      !notices.all(\.storeFailure).isEmpty
    }
    await bench.close()
  }

  @Test("WT-475: a trace is on all events until it is left or the session ends")
  func trace() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    for token in ["", "a.b", "a'b", String(repeating: "a", count: 65)] {
      #expect(throws: WebTagsError.self) { try manager.joinTrace(token) }
    }
    try manager.joinTrace("abc-1")
    _ = try await manager.trackEvent(title: "a").ended()
    manager.leaveTrace()
    _ = try await manager.trackEvent(title: "b").ended()
    try manager.joinTrace("abc-2")
    _ = try await manager.trackEvent(title: "c").ended()
    manager.killTraceVisitorSession()
    bench.clock.setWall(milliseconds: 1_800_000_000_000 + 1_900_000)
    _ = try await manager.trackEvent(title: "d").ended()
    try await bench.wait("the events") { bench.titles.count == 5 }
    #expect(bench.titles == ["a", "b", "c", "kill_visitor_session", "d"])
    #expect(bench.delivered.map { $0["cp.trace_id"]?.string } == ["abc-1", nil, "abc-2", "abc-2", nil])
    #expect(bench.delivered.map { $0["tealium_trace_id"]?.string } == ["abc-1", nil, "abc-2", "abc-2", nil])
    await bench.close()
  }

  @Test("WT-480: launch comes by itself, as a link with its data")
  func lifecycle() async throws {
    let bench = InstanceBench()
    let manager = try bench.open { $0.lifecycleAutomatic = true }
    manager.lifecycle.launch()
    try await bench.wait("the events") { bench.titles.count == 1 }
    #expect(bench.titles == ["launch"] && bench.delivered[0]["lifecycle_isfirstlaunch"] == "true")
    #expect(bench.deliveries[0]["type"] == "link")
    manager.lifecycle.sleep()
    try await bench.wait("the events") { bench.titles.count == 2 }
    try await bench.pass(.milliseconds(1_500))
    try await bench.wait("the suspension") { await manager.machine.isSuspended }
    manager.lifecycle.wake()
    try await bench.wait("the events") { bench.titles.count == 3 }
    #expect(bench.titles == ["launch", "sleep", "wake"])
    await bench.close()
  }

  @Test("WT-430: before the page is suspended its requests may end, for two seconds")
  func suspensionDrains() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    try await bench.ready(manager)
    manager.lifecycle.launch()
    manager.lifecycle.sleep()
    try await bench.pass(.milliseconds(1_500))
    try await bench.wait("the suspension") { await manager.machine.isSuspended }
    #expect(bench.host?.drains == [.seconds(2)])
    await bench.close()
  }

  @Test(
    "WT-222, WT-235: the published level of the log counts at once, the app's own before it, the environment's last")
  func logLevel() async throws {
    func lines(
      _ published: String, _ change: @escaping @Sendable (inout WebTagsConfiguration) -> Void = { _ in }
    ) async throws -> Bool {
      let bench = InstanceBench(transport: InstanceBench.site(#"{"override_log":"\#(published)"}"#))
      let manager = try bench.open(change)
      try await bench.ready(manager)
      _ = try await manager.trackEvent(title: "t").ended()
      await bench.close()
      return bench.lines.withLock { $0.contains { $0.contains("tracked link") } }
    }
    #expect(try await !lines(""))
    #expect(try await lines("qa"))
    #expect(try await lines("") { $0.environment = "qa" })
    #expect(try await !lines("prod") { $0.environment = "qa" })
    #expect(try await !lines("silent") { $0.logLevel = .dev })
    #expect(try await lines("silent") { $0.local.logLevel = .dev })
  }

  @Test("WT-850: at the log's usual level no line holds data, and none a URL's query")
  func log() async throws {
    let bench = InstanceBench()
    let manager = try bench.open { $0.logLevel = .qa }
    _ = try await manager.trackEvent(title: "t", data: ["card": "4111-secret"]).ended()
    bench.host?.emit(
      .navigationBlocked(
        PageNavigation(url: "https://x.example/?token=secret", kind: .navigation, frame: .unknown)))
    try await bench.heard(manager)
    let lines = bench.lines.withLock { $0 }
    #expect(lines.contains { $0.contains("card") } && lines.contains { $0.contains("x.example") })
    #expect(!lines.contains { $0.contains("secret") || $0.contains(manager.visitorID) })
    await bench.close()
  }
}
