import Foundation
import Hits
import TestSupport
import Testing
import WebTags
import WebViewHost

@Suite("Web tags on WebKitGTK", RealEngine.condition) struct LiveInstanceTests {
  private static let numbers = 1...100

  @Test("WT-1220: 100 events reach every kind of vendor once, and each is confirmed")
  func channels() async throws {
    let live = try LiveInstance()
    let manager = try live.open()
    let notes = Locked<[Value]>([])
    try manager.addRemoteCommand(id: "note") { request in
      notes.withLock { $0.append(request.payload["n"] ?? nil) }
      return RemoteCommandAnswer()
    }
    let events = Self.numbers.map { manager.trackEvent(title: "event", data: ["n": .int(Int64($0)), "command": true]) }
    for event in events { #expect(try await event.end() == .delivered(confirmed: true)) }
    manager.flush()
    await live.close()
    let expected = Set(Self.numbers.map(String.init))
    for path in ["/pixel", "/fetch", "/beacon"] {
      let asked = live.asked(path)
      #expect(Set(asked) == expected && asked.count == 100, "\(path)")
    }
    #expect(notes.withLock { $0 } == Self.numbers.map { .int(Int64($0)) })
  }

  @Test("WT-1221, 408: cookie, storage and visitor are the same after a new start; erased, they are gone")
  func persistence() async throws {
    let live = try LiveInstance()
    let first = try live.open()
    #expect(try await first.trackEvent(title: "e", data: ["n": 1]).end() == .delivered(confirmed: true))
    let visitor = first.visitorID
    #expect(try await first.cookies().contains { $0.name == "last" && $0.value == "1" })
    await live.close()
    let second = try live.open()
    #expect(try await second.trackEvent(title: "e", data: ["n": 2]).end() == .delivered(confirmed: true))
    #expect(second.visitorID == visitor)
    let jar = try await second.cookies()
    #expect(jar.contains { $0.name == "utag_main" && $0.value.contains(visitor) })
    await second.eraseVisitor()
    #expect(try await second.cookies().filter { $0.name == "last" } == [])
    #expect(second.visitorID != visitor)
    await live.close()
  }

  @Test(
    "WT-1222: a process that is killed among 50 events costs none of them, and doubles only those in flight",
    arguments: ["WebKitWebProcess", "WebKitNetworkProcess", "tagworks-webhost"])
  func killed(name: String) async throws {
    let before = Set(Processes.all())
    let live = try LiveInstance(factory: WebViewHostFactory(settings: EngineSettings(sandbox: .whenPossible)))
    let manager = try live.open()
    let first = manager.trackEvent(title: "event", data: ["n": 0])
    #expect(try await first.end() == .delivered(confirmed: true))
    let process = try #require(Processes.named(name).first { !before.contains($0) })
    let events = (1...50).map { manager.trackEvent(title: "event", data: ["n": .int(Int64($0))]) }
    try await live.server.requests(atLeast: live.server.requests.count + 15)
    kill(process.id, SIGKILL)
    for event in events {
      guard case .delivered = try await event.end() else {
        Issue.record("event was not delivered")
        continue
      }
    }
    let asked = live.asked("/pixel")
    #expect(Set(asked) == Set((0...50).map(String.init)))
    #expect(asked.count <= 51 + 10)
    // Where no request was under way, the network process is replaced without a word.
    if name != "WebKitNetworkProcess" {
      try await live.wait(for: "the crash") { if case .crashed = $0 { true } else { false } }
    }
    let processes = Processes.all().filter { !before.contains($0) }
    await live.close()
    try await Processes.end(of: processes.filter { $0.name == "tagworks-webhos" })
  }

  @Test("WT-1224: an event that loops without end fails alone, in time")
  func loop() async throws {
    let script = """
      window.utag = {
        handler: {iflag: 1},
        track(type, data, done) {
          if (data.loops) { while (true) {} }
          new Image().src = "/pixel?" + data.n;
          done();
        },
      };
      """
    let live = try LiveInstance(script: script)
    let manager = try live.open { configuration in
      // A busy machine must not take a page for a hung one.
      configuration.limits.call = .seconds(2)
      configuration.limits.ping = .seconds(3)
    }
    let events = (1...10).map { number in
      manager.trackEvent(title: "event", data: ["n": .int(Int64(number)), "loops": .bool(number == 5)])
    }
    for (index, event) in events.enumerated() {
      let outcome = try await event.end()
      if index == 4 {
        guard case .failed(let reason) = outcome else {
          Issue.record("\(outcome)")
          continue
        }
        #expect(reason.code == .pageCrashed)
      } else {
        // Those before it in its call may be settled by their own message alone.
        #expect([.delivered(confirmed: true), .delivered(confirmed: false)].contains(outcome), "event \(index + 1)")
      }
    }
    await live.close()
    #expect(Set(live.asked("/pixel")).isSuperset(of: (6...10).map(String.init)))
    #expect(!live.asked("/pixel").contains("5"))
  }

  @Test("WT-1225: two instances have their own pages, jars and answers, and one lives on when the other's page dies")
  func two() async throws {
    let lives = [try LiveInstance(), try LiveInstance()]
    let managers = try lives.map { try $0.open() }
    for (number, manager) in managers.enumerated() {
      let event = manager.trackEvent(title: "e", data: ["n": .int(Int64(number))])
      #expect(try await event.end() == .delivered(confirmed: true))
    }
    for (number, manager) in managers.enumerated() {
      #expect(try await manager.cookies().first { $0.name == "last" }?.value == "\(number)")
    }
    await lives[0].close()
    #expect(try await managers[1].trackEvent(title: "e", data: ["n": 9]).end() == .delivered(confirmed: true))
    #expect(lives[0].asked("/pixel") == ["0"])
    #expect(lives[1].asked("/pixel") == ["1", "9"])
    await lives[1].close()
  }

  @Test("WT-1226, 507: commands by function and by window.open, 20 in one turn, are each answered once, in order")
  func commands() async throws {
    let script = """
      window.answers = [];
      window.utag = {
        handler: {iflag: 1}, mobile: {remote_api: {response: {note: {}}}},
        track(type, data, done) {
          const own = [];
          for (let i = 0; i < 20; i++) {
            utag.mobile.remote_api.response.note["r" + i] = (status, body) => new Image().src = "/window?" + i + body;
            const request = {config: {response_id: "r" + i}, payload: {n: "window" + i}};
            window.open("tealium://note?request=" + encodeURIComponent(JSON.stringify(request)), "_self");
            own.push(__tagworks.command("note", {n: "own" + i}));
          }
          Promise.all(own).then(all => { new Image().src = "/own?" + all.map(one => one.body).join(); done(); });
        },
      };
      """
    let live = try LiveInstance(script: script)
    let manager = try live.open()
    let notes = Locked<[String]>([])
    try manager.addRemoteCommand(id: "note") { request in
      let text = request.payload["n"]?.string ?? ""
      notes.withLock { $0.append(text) }
      return RemoteCommandAnswer(body: Data("-\(text)".utf8))
    }
    #expect(try await manager.trackEvent(title: "e").end() == .delivered(confirmed: true))
    try await live.server.requests(atLeast: 22)
    #expect(notes.withLock { $0.filter { $0.hasPrefix("window") } } == (0..<20).map { "window\($0)" })
    #expect(notes.withLock { $0.filter { $0.hasPrefix("own") } } == (0..<20).map { "own\($0)" })
    #expect(live.asked("/own") == [(0..<20).map { "-own\($0)" }.joined(separator: ",")])
    #expect(Set(live.asked("/window")) == Set((0..<20).map { "\($0)-window\($0)" }))
    await live.close()
  }

  @Test("WT-509, 842: a frame of another origin that posts to the engine's handler commands nothing")
  func foreignFrame() async throws {
    let script = """
      window.utag = {
        handler: {iflag: 1},
        track(type, data, done) {
          const frame = document.createElement("iframe");
          frame.srcdoc = "<script>const h = webkit.messageHandlers.tagworks;"
            + "for (const k of ['', 'x', undefined]) h.postMessage(JSON.stringify({k, t: 'command', v: 'tealium://note'}));"
            + "location.href = 'tealium://note'; new Image().src = '" + location.origin + "/done';<\\/script>";
          frame.sandbox = "allow-scripts";
          document.body.append(frame);
          done();
        },
      };
      """
    let live = try LiveInstance(script: script)
    let manager = try live.open()
    let count = Locked(0)
    try manager.addRemoteCommand(id: "note") { _ in
      count.withLock { $0 += 1 }
      return RemoteCommandAnswer()
    }
    #expect(try await manager.trackEvent(title: "e").end() == .delivered(confirmed: true))
    try await live.server.requests(atLeast: 2)
    #expect(try await manager.trackEvent(title: "f").end() == .delivered(confirmed: true))
    #expect(count.withLock { $0 } == 0)
    await live.close()
  }

  @Test("WT-302: a universal tag that cannot be loaded leaves the page not ready, and the events wait")
  func missingTag() async throws {
    let live = try LiveInstance(script: "throw new Error('no tag')")
    let manager = try live.open { $0.limits.probe = .milliseconds(300) }
    let event = manager.trackEvent(title: "e")
    try await live.wait(for: "the failure") {
      if case .failed(let failure, _) = $0 { failure.code == .notReady } else { false }
    }
    await live.close()
    #expect(try await event.end() == .carriedOver)
  }

  @Test("WT-1229: of 1,000 events, each with a beacon of 2 KB and without a pause, each beacon arrives")
  func beacons() async throws {
    let script = """
      window.utag = {
        handler: {iflag: 1},
        track(type, data, done) { navigator.sendBeacon("/beacon?" + data.n, "x".repeat(2048)); done(); },
      };
      """
    let live = try LiveInstance(script: script)
    let manager = try live.open()
    let events = (1...1000).map { manager.trackEvent(title: "e", data: ["n": .int(Int64($0))]) }
    for event in events { _ = try await event.end() }
    try await live.server.requests(atLeast: 1001)
    await live.close()
    #expect(Set(live.asked("/beacon")).count == 1000)
  }

  @Test("WT-430: what an event has begun to send leaves before the page is loaded again, and before the instance ends")
  func drained() async throws {
    // Unlike a beacon, a fetch ends with its page.
    let script = """
      window.utag = {
        handler: {iflag: 1},
        track(type, data, done) {
          for (let i = 0; i < 20; i++) { fetch("/fetch?" + data.n + "-" + i, {method: "POST", body: "x"}); }
          done();
        },
      };
      """
    let live = try LiveInstance(script: script)
    let manager = try live.open()
    #expect(try await manager.trackEvent(title: "e", data: ["n": 1]).end() == .delivered(confirmed: true))
    await manager.reload()
    #expect(Set(live.asked("/fetch")).count == 20)
    #expect(try await manager.trackEvent(title: "e", data: ["n": 2]).end() == .delivered(confirmed: true))
    await live.close()
    #expect(Set(live.asked("/fetch")).count == 40)
  }

  @Test("WT-1230, 211: a page that was fetched once runs while it cannot be fetched")
  func offline() async throws {
    let live = try LiveInstance()
    let first = try live.open()
    #expect(try await first.trackEvent(title: "e", data: ["n": 1]).end() == .delivered(confirmed: true))
    await live.close()
    live.isOffline.withLock { $0 = true }
    let second = try live.open()
    #expect(try await second.trackEvent(title: "e", data: ["n": 2]).end() == .delivered(confirmed: true))
    #expect(live.asked("/pixel") == ["1", "2"])
    await live.close()
  }

  @Test("WT-1230: a page of the app's own with an https base has cookies and storage, and //host is https")
  func bundled() async throws {
    let html = """
      <script>window.utag={handler:{iflag:1},track(type,data,done){document.cookie="c="+data.n;
      localStorage.setItem("l",data.n);const s=document.createElement("script");s.src="//tags.invalid/utag.js";
      s.onerror=()=>{__tagworks.command("note",{all:[document.cookie,localStorage.getItem("l"),s.src]});done()};
      document.head.append(s)}}</script>
      """
    let live = try LiveInstance()
    let base = try #require(URL(string: "https://shop.example/page"))
    let manager = try live.open { $0.pageMode = .bundled(html: html, base: base) }
    let notes = Locked<Value?>(nil)
    try manager.addRemoteCommand(id: "note") { request in
      notes.withLock { $0 = request.payload["all"] }
      return RemoteCommandAnswer()
    }
    #expect(try await manager.trackEvent(title: "e", data: ["n": 1]).end() == .delivered(confirmed: true))
    #expect(notes.withLock { $0 }?.list?.last == "https://tags.invalid/utag.js")
    #expect(notes.withLock { $0 }?.list?.dropLast().last == "1")
    #expect(notes.withLock { $0 }?.list?.first?.string?.contains("c=1") == true)
    await live.close()
  }

  @Test(
    "WT-1232: a script with the pinned hash runs; one with another does not",
    arguments: [
      ("sha384-rL8TuYhMDmgf22S4wo3sSPFeha+LwyTs/buEx5cRNcBtMjl2kye7XtEtXtzxhtET", true),
      ("sha384-cA2k5ShGbDszTFJ5DCwUz0SM78jrtzK+xEyMQFDiO7NqJbEU9UCtZBjvgxiEUqsK", false),
    ])
  func integrity(hash: String, isRun: Bool) async throws {
    // The hash was computed by another program.
    let script = #"window.utag={handler:{iflag:1},track(t,d,c){new Image().src="/pixel?"+d.n;c()}};"#
    let live = try LiveInstance(script: script)
    let url = try #require(URL(string: live.server.url("/utag/A/P/E/utag.js")))
    let pin = try #require(IntegrityHash(hash))
    let manager = try live.open { configuration in
      configuration.pageMode = .generated
      configuration.integrity.pins = [url: pin]
      configuration.limits.probe = .milliseconds(500)
    }
    let event = manager.trackEvent(title: "e", data: ["n": 1])
    if isRun {
      #expect(try await event.end() == .delivered(confirmed: true))
    } else {
      try await live.server.requests(atLeast: 1)
      try await live.wait(for: "the failure") {
        if case .failed(let failure, _) = $0 { failure.code == .notReady } else { false }
      }
    }
    await live.close()
    #expect(live.asked("/pixel").isEmpty == !isRun)
  }

  @Test("WT-830: where only pinned scripts run, another of the page's host does not, and that of another host does")
  func unpinned() async throws {
    let script =
      #"window.utag={handler:{iflag:1},track(t,d,c){const add=u=>new Promise(e=>{const s=document.createElement("script");"#
      + #"s.onload=s.onerror=e;s.src=u;document.head.append(s)});Promise.all([add("/other.js"),"#
      + #"add("http://localhost:"+location.port+"/vendor.js")]).then(()=>c())}};"#
    let live = try LiveInstance(script: script)
    let url = try #require(URL(string: live.server.url("/utag/A/P/E/utag.js")))
    // The hash was computed by another program.
    let pin = try #require(
      IntegrityHash("sha384-Z8tbLvhMBbdexSIPO63P2UnuwZjN9iQ4znOrnkXrllEWjJQ0pN7KxpwwjKC8cXlD"))
    let manager = try live.open { configuration in
      configuration.pageMode = .generated
      configuration.integrity = IntegrityRule(pins: [url: pin], unpinned: .deny)
    }
    #expect(try await manager.trackEvent(title: "e").end() == .delivered(confirmed: true))
    await live.close()
    #expect(live.server.requests.map(\.target) == ["/utag/A/P/E/utag.js", "/vendor.js"])
  }
}
