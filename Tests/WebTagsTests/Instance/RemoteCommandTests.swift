import Foundation
import Hits
import TestSupport
import Testing

@testable import WebTags

@Suite struct RemoteCommandTests {
  private static let main = PageFrame(isMain: true)

  /// The token of the load under way, as only the bootstrap knows it.
  private static func token(_ bench: InstanceBench) throws -> String {
    let source = try #require(bench.host?.bootstrap)
    let start = try #require(source.range(of: #""token":""#)).upperBound
    return String(source[start...].prefix(32))
  }

  private static func post(_ bench: InstanceBench, _ type: String, _ value: Value, frame: PageFrame = main) throws {
    let message: Value = ["k": .string(try token(bench)), "t": .string(type), "v": value]
    bench.host?.emit(.message(name: "tagworks", body: message.jsonText, frame: frame))
  }

  private static func url(_ id: String, _ request: Value? = nil) -> String {
    "tealium://\(id)" + (request.map { "?request=" + URIEscape.hit.escape($0.jsonText) } ?? "")
  }

  private func answers(_ bench: InstanceBench) -> [JSONObject] {
    bench.hosts.hosts.flatMap { $0.arguments(of: "__tagworks.respond") }.compactMap { (try? Value(json: $0))?.map }
  }

  private func open(
    _ bench: InstanceBench, _ change: (inout WebTagsConfiguration) -> Void = { _ in }
  ) async throws -> WebTagManager {
    let manager = try bench.open(change)
    try await bench.ready(manager)
    return manager
  }

  @Test("WT-507: commands come by window.open, by a call, and by navigation of the main frame, each answered once")
  func paths() async throws {
    let bench = InstanceBench()
    let manager = try await open(bench)
    try manager.addRemoteCommand(id: "hello") { request in
      RemoteCommandAnswer(text: "got \(request.payload["n"]?.jsonText ?? "nothing")")
    }
    func request(_ number: Int64) -> Value {
      ["config": ["response_id": .int(number)], "payload": ["n": .int(number)]]
    }
    try Self.post(bench, "command", ["url": .string(Self.url("hello", request(1)))])
    try Self.post(bench, "command", ["id": "hello", "payload": ["n": 2], "call": 9])
    bench.host?.emit(.command(url: Self.url("hello", request(3)), frame: Self.main))
    try await bench.wait("the answers") { answers(bench).count == 3 }
    #expect(
      answers(bench) == [
        ["command": "hello", "response_id": "1", "status": 200, "body": "got 1"],
        ["command": "hello", "response_id": nil, "call": 9, "status": 200, "body": "got 2"],
        ["command": "hello", "response_id": "3", "status": 200, "body": "got 3"],
      ])
    await bench.close()
  }

  @Test("WT-503: every request with a number gets one answer, whatever becomes of it (peer bugs 42, 53 to 55)")
  func statuses() async throws {
    struct Boom: Error, CustomStringConvertible { var description: String { "boom" } }
    let bench = InstanceBench()
    let manager = try await open(bench)
    try manager.addRemoteCommand(id: "empty") { _ in RemoteCommandAnswer() }
    try manager.addRemoteCommand(id: "throws") { _ in throw Boom() }
    try manager.addRemoteCommand(id: "refuses") { _ in throw RemoteCommandRefusal(reason: "no good") }
    try manager.addRemoteCommand(id: "own") { _ in RemoteCommandAnswer(status: 418, body: Data([0xFF])) }
    let number: Value = ["config": ["response_id": 12]]
    for id in ["empty", "throws", "refuses", "own", "missing", "_http"] {
      try Self.post(bench, "command", ["url": .string(Self.url(id, number))])
    }
    try await bench.wait("the answers") { answers(bench).count == 6 }
    let byCommand = Dictionary(
      uniqueKeysWithValues: answers(bench).map {
        ($0["command"]?.string ?? "", [$0["status"], $0["body"], $0["encoding"]])
      })
    #expect(byCommand["empty"] == [204, .null, nil])
    #expect(byCommand["throws"] == [555, "boom", nil])
    #expect(byCommand["refuses"] == [400, "no good", nil])
    #expect(byCommand["own"] == [418, "/w==", "base64"])
    #expect(byCommand["missing"] == [404, "no command missing", nil])
    #expect(byCommand["_http"] == [403, "HTTP commands are off", nil])
    await bench.close()
  }

  @Test("WT-503: a handler without an answer is answered after 60 s, and the next one of the id runs")
  func timeout() async throws {
    let bench = InstanceBench()
    let manager = try await open(bench)
    let first = Promise<Bool>()
    let calls = Locked(0)
    try manager.addRemoteCommand(id: "slow") { _ in
      if calls.withLock({ count in
        count += 1
        return count == 1
      }) {
        bench.changes.note()
        _ = await first.value
      }
      return RemoteCommandAnswer(text: "done")
    }
    for number: Int64 in [1, 2] {
      try Self.post(bench, "command", ["url": .string(Self.url("slow", ["config": ["response_id": .int(number)]]))])
    }
    try await bench.wait("the first command") { calls.withLock { $0 } == 1 }
    // One is the page's heartbeat.
    try await bench.wait("the command's limit") { bench.clock.pauses.filter { $0 == .seconds(60) }.count == 2 }
    bench.clock.advance(by: .seconds(60))
    try await bench.wait("two answers") { answers(bench).count == 2 }
    #expect(answers(bench).map { $0["status"] } == [555, 200] && answers(bench)[0]["body"] == "timed out")
    first.fulfil(true)
    await bench.settle(manager)
    #expect(answers(bench).count == 2)
    await bench.close()
  }

  @Test("WT-503: with a command's end its time limit ends")
  func endOfLimit() async throws {
    let bench = InstanceBench()
    let manager = try await open(bench)
    try manager.addRemoteCommand(id: "a") { _ in RemoteCommandAnswer() }
    for number: Int64 in 1...3 { try Self.post(bench, "command", ["id": "a", "call": .int(number)]) }
    try await bench.wait("the answers") { answers(bench).count == 3 }
    #expect(await manager.commandLimits.isEmpty)
    // What is left is the page's sign of life.
    try await bench.wait("the limits' end") { bench.clock.pauses.filter { $0 == .seconds(60) }.count == 1 }
    await bench.close()
  }

  @Test("WT-840, WT-842: messages without the token, of other frames and of unknown types are refused")
  func refusedMessages() async throws {
    let bench = InstanceBench()
    let manager = try await open(bench)
    let ran = Locked(0)
    try manager.addRemoteCommand(id: "a") { _ in
      ran.withLock { $0 += 1 }
      return RemoteCommandAnswer()
    }
    let command: Value = ["url": .string(Self.url("a"))]
    for body in [
      Value.map(["t": "command", "v": command]).jsonText, Value.map(["k": "", "t": "command", "v": command]).jsonText,
      Value.map(["k": nil, "t": "command", "v": command]).jsonText, "not json", "[]", "",
      "{\"k\":\"" + String(repeating: "a", count: 2 << 20) + "\"}",
    ] {
      bench.host?.emit(.message(name: "tagworks", body: body, frame: Self.main))
    }
    try Self.post(bench, "command", command, frame: PageFrame(isMain: false, origin: "https://evil.example"))
    try Self.post(bench, "eval", command)
    let old = try Self.token(bench)
    await manager.reload()
    #expect(try Self.token(bench) != old)
    let stale: Value = ["k": .string(old), "t": "command", "v": command]
    bench.host?.emit(.message(name: "tagworks", body: stale.jsonText, frame: Self.main))
    bench.host?.emit(.message(name: "other", body: stale.jsonText, frame: Self.main))
    try await bench.heard(manager)
    #expect(ran.withLock { $0 } == 0)
    try Self.post(bench, "command", command)
    try await bench.wait("the command") { ran.withLock { $0 } == 1 }
    await bench.close()
  }

  @Test("WT-509: navigations of other frames and of unknown ones are refused; .any takes all, .off none")
  func navigationFrames() async throws {
    for (rule, expected) in [(NavigationCommands.off, 0), (.mainFrame, 1), (.any, 3)] {
      let bench = InstanceBench()
      let manager = try await open(bench) { $0.navigationCommands = rule }
      let ran = Locked(0)
      try manager.addRemoteCommand(id: "a") { _ in
        ran.withLock { $0 += 1 }
        return RemoteCommandAnswer()
      }
      let notices = bench.notices(of: manager)
      for frame in [Self.main, PageFrame(isMain: false), .unknown] {
        bench.host?.emit(.command(url: Self.url("a"), frame: frame))
      }
      try await bench.wait("what is run and what is refused") {
        notices.all(\.refusal).count == 3 - expected
          && ran.withLock { $0 } == expected
      }
      #expect(bench.host?.options?.navigationCommands == rule)
      await bench.close()
    }
  }

  @Test("WT-503: with remote commands off the answer is 403, and nothing runs")
  func off() async throws {
    let bench = InstanceBench()
    let manager = try await open(bench) { $0.remoteCommandsEnabled = false }
    try manager.addRemoteCommand(id: "a") { _ in RemoteCommandAnswer() }
    try Self.post(bench, "command", ["id": "a", "call": 1])
    try await bench.wait("the answers") { answers(bench).count == 1 }
    #expect(answers(bench)[0]["status"] == 403)
    await bench.close()
  }

  @Test("WT-504, WT-800: ids and bodies that would be code run nothing and stay text (WT-1209)")
  func injection() async throws {
    let hostile = "');window.pwn2=1;('"
    let bench = InstanceBench()
    let manager = try await open(bench)
    try manager.addRemoteCommand(id: "echo") { RemoteCommandAnswer(text: $0.payload["t"]?.string ?? "") }
    try Self.post(bench, "command", ["url": .string("tealium://\(hostile)")])
    try Self.post(bench, "command", ["id": .string(hostile), "call": 1])
    try Self.post(bench, "command", ["id": "echo", "payload": ["t": .string(hostile + "\u{2028}")], "call": 2])
    try await bench.wait("the answers") { answers(bench).count == 2 }
    #expect(answers(bench)[0]["status"] == 400)
    #expect(answers(bench)[1]["body"] == .string(hostile + "\u{2028}"))
    let text = try #require(bench.host?.arguments(of: "__tagworks.respond").last)
    #expect(text.contains("\\u2028"))
    await bench.close()
  }

  @Test("WT-506: the answer to a page that was loaded again is dropped; two instances answer their own (peer bug 61)")
  func ownAnswers() async throws {
    let (one, two) = (InstanceBench(), InstanceBench())
    let (first, second) = (try await open(one), try await open(two))
    let gate = Promise<Bool>()
    let started = Locked(false)
    try first.addRemoteCommand(id: "wait") { _ in
      started.withLock { $0 = true }
      one.changes.note()
      _ = await gate.value
      return RemoteCommandAnswer(text: "late")
    }
    try first.addRemoteCommand(id: "who") { _ in RemoteCommandAnswer(text: "first") }
    try second.addRemoteCommand(id: "who") { _ in RemoteCommandAnswer(text: "second") }
    try Self.post(one, "command", ["id": "wait", "call": 1])
    try await one.wait("the command's begin") { started.withLock { $0 } }
    await first.reload()
    gate.fulfil(true)
    let number: Value = ["config": ["response_id": "same"]]
    try Self.post(one, "command", ["url": .string(Self.url("who", number))])
    try Self.post(two, "command", ["url": .string(Self.url("who", number))])
    try await one.wait("the first's answer") { answers(one).count == 1 }
    try await two.wait("the second's answer") { answers(two).count == 1 }
    #expect(answers(one)[0]["body"] == "first" && answers(two)[0]["body"] == "second")
    await one.close()
    await two.close()
  }

  @Test("WT-950: a block answers from its queue; without send() what is set goes out when it returns")
  func blocks() async throws {
    struct Bad: Error, CustomStringConvertible { var description: String { "bad" } }
    let bench = InstanceBench()
    let manager = try await open(bench)
    let queue = DispatchQueue(label: "commands")
    try manager.addRemoteCommand(id: "none", queue: queue) { _ in }
    try manager.addRemoteCommand(id: "sent", queue: queue) { response in
      response.status = 201
      response.body = Data("b".utf8)
      response.send()
      response.send()
    }
    try manager.addRemoteCommand(id: "error", queue: queue) { $0.error = Bad() }
    for (number, id) in ["none", "sent", "error"].enumerated() {
      try Self.post(bench, "command", ["id": .string(id), "call": .int(Int64(number))])
      try await bench.wait("the answers") { answers(bench).count == number + 1 }
    }
    #expect(answers(bench).map { $0["status"] } == [204, 201, 555])
    #expect(answers(bench).map { $0["body"] } == [.null, "b", "bad"])
    await bench.close()
  }

  @Test("WT-520: an HTTP command goes out and its answer comes back; redirects are checked")
  func http() async throws {
    let bench = InstanceBench(
      transport: ScriptedTransport { request in
        switch request.url {
        case "https://api.example/ok": .response(HTTPResponse(status: 203, body: Array("');alert(1)//".utf8)))
        case "https://api.example/away":
          .response(HTTPResponse(status: 302, headers: ["Location": "https://evil.example/"]))
        case "https://api.example/loop": .response(HTTPResponse(status: 302, headers: ["Location": "/loop"]))
        case "https://api.example/down": .failure(TransportError(phase: .notSent, code: .refused, message: "refused"))
        default: InstanceBench.site(request)
        }
      })
    let manager = try await open(bench) { $0.httpCommand = .allow(hosts: ["api.example"]) }
    for (number, path) in ["ok", "away", "loop", "down"].enumerated() {
      try Self.post(
        bench, "command",
        [
          "id": "_http", "payload": ["url": .string("https://api.example/\(path)"), "method": "GET"],
          "call": .int(Int64(number)),
        ])
      try await bench.wait("the answers") { answers(bench).count == number + 1 }
    }
    #expect(answers(bench).map { $0["status"] } == [203, 403, 555, 555])
    #expect(answers(bench)[0]["body"] == "');alert(1)//")
    #expect(bench.requests("evil.example").isEmpty && bench.requests("/loop").count == 6)
    _ = manager
    await bench.close()
  }

  @Test("WT-530: a mapped command runs for its events, from a file that is fetched with consent alone and kept")
  func mapped() async throws {
    let file = #"{"config": {"k": 1}, "commands": {"buy": "purchase"}, "mappings": {"total": "order.total"}}"#
    let bench = InstanceBench(
      transport: ScriptedTransport { request in
        request.url.hasSuffix("map.json")
          ? InstanceBench.answer(Array(file.utf8), etag: "\"1\"", type: "application/json")
          : InstanceBench.site(request)
      })
    let seen = Locked<[RemoteCommandRequest]>([])
    let handler: RemoteCommandHandler = { request in
      seen.withLock { $0.append(request) }
      return RemoteCommandAnswer()
    }
    let url = try #require(URL(string: "https://cdn.example/map.json"))
    let manager = try bench.open { $0.consent.enabled = true }
    try manager.addMappedCommand(id: "shop", source: .remote(url), handler: handler)
    await bench.settle(manager)
    #expect(bench.requests("map.json").isEmpty)
    manager.consent.set(status: .consented)
    try await bench.wait("the file") { await manager.mapped["shop"]?.command != nil }
    _ = try await manager.trackEvent(title: "look").ended()
    _ = try await manager.trackEvent(title: "buy", data: ["total": 12]).ended()
    try await bench.wait("the mapped command") { seen.withLock { $0.count } == 1 }
    #expect(seen.withLock { $0[0].payload } == ["command_name": "purchase", "order": ["total": 12]])
    #expect(seen.withLock { $0[0].config } == ["k": 1])
    #expect(bench.requests("map.json").count == 1)
    await bench.close()
    let next = try bench.open { $0.consent.enabled = true }
    try next.addMappedCommand(id: "shop", source: .remote(url), handler: handler)
    _ = try await next.trackEvent(title: "buy").ended()
    try await bench.wait("the mapped command") { seen.withLock { $0.count } == 2 }
    await bench.close()
  }

  @Test("WT-506, WT-113: a mapped command runs for one event after another, and not after the instance's end")
  func mappedOrder() async throws {
    let bench = InstanceBench()
    let steps = Locked<[String]>([])
    let gate = Promise<Bool>()
    let manager = try await open(bench)
    let file = #"{"commands": {"all_events": "note"}, "mappings": {"tealium_event": "title"}}"#
    try manager.addMappedCommand(id: "note", source: .bundled(Data(file.utf8))) { request in
      let title = request.payload["title"]?.string ?? ""
      steps.withLock { $0.append("begins " + title) }
      bench.changes.note()
      if title == "a" { _ = await gate.value }
      steps.withLock { $0.append("ends " + title) }
      return RemoteCommandAnswer()
    }
    for title in ["a", "b"] { _ = try await manager.trackEvent(title: title).ended() }
    try await bench.wait("the first command") { steps.withLock { !$0.isEmpty } }
    let closing = Task { await bench.close() }
    try await bench.wait("the instance's end") { await manager.pageState == .closed }
    #expect(steps.withLock { $0 } == ["begins a"])
    gate.fulfil(true)
    await closing.value
    #expect(steps.withLock { $0 } == ["begins a", "ends a", "begins b", "ends b"])
  }

  @Test("WT-532: a bad file is refused with a word, and the old one stays")
  func badFile() async throws {
    let answers = Locked("[]")
    let bench = InstanceBench(
      transport: ScriptedTransport { request in
        request.url.hasSuffix("map.json")
          ? InstanceBench.answer(Array(answers.withLock { $0 }.utf8), type: "application/json")
          : InstanceBench.site(request)
      })
    let manager = try bench.open()
    #expect(throws: WebTagsError.self) {
      try manager.addMappedCommand(id: "x", source: .bundled(Data("[".utf8))) { _ in RemoteCommandAnswer() }
    }
    let notices = bench.notices(of: manager)
    let url = try #require(URL(string: "https://cdn.example/map.json"))
    try manager.addMappedCommand(id: "shop", source: .remote(url)) { _ in RemoteCommandAnswer() }
    try await bench.wait("the file's refusal") {
      notices.all(\.refusedFile) == ["shop"]
    }
    await bench.close()
  }

  @Test("WT-710: a page that posts too much is heard a thousand times a second, and one warning says so")
  func flood() async throws {
    let bench = InstanceBench()
    let manager = try await open(bench)
    for _ in 1...1_500 { try Self.post(bench, "beacon", [:]) }
    try await bench.heard(manager)
    #expect(await manager.diagnostics().replacedBeacons == 1_000)
    #expect(bench.lines.withLock { $0.filter { $0.contains("more than 1,000 messages") }.count } == 1)
    await bench.close()
  }
}
