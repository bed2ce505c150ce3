import Foundation
import Hits
import TestSupport
import Testing
import VideoAds
import WebTags

@testable import Tagworks

/// The page of an ad's verification scripts on a scripted host.
@Suite @MainActor struct PageVerificationTests {
  /// One session of two scripts.
  private final class Bench: Sendable {
    let changes = Changes()
    let clock: ManualClock
    let beacons = RecordingSink()
    let session: any VerificationSession
    private let pages: ScriptedPageHostFactory
    private let failed = Locked<[Int]>([])

    @MainActor
    init(
      urls: [String] = ["https://v.test/1.js", "https://v.test/2.js"],
      _ change: (inout ScriptedPageHost.Script) -> Void = { _ in }
    ) {
      clock = ManualClock(changes: changes)
      var script = ScriptedPageHost.Script()
      script.call = { _, _ in .value("null") }
      change(&script)
      pages = ScriptedPageHostFactory(clock: clock, changes: changes) { [script] _ in script }
      let host = PageVerificationHost(
        pages: pages, beacons: beacons, device: FixedDevice(platform: "Linux", osVersion: "12"), clock: clock)
      let (failed, changes) = (failed, changes)
      session = host.open(
        urls.map { VerificationScript(url: $0, vendor: "v", parameters: "p</script>") },
        context: VerificationContext(adSessionID: "0A-1", partnerName: "P", partnerVersion: "2")
      ) { script in
        failed.withLock { $0.append(script) }
        changes.note()
      }
    }

    var page: ScriptedPageHost? { pages.hosts.first }
    var told: [String] { page?.arguments(of: "__tagworksVerification.send") ?? [] }
    var notRun: [Int] { failed.withLock { $0 } }

    func say(_ text: String, isMain: Bool = true) {
      page?.emit(.message(name: "tagworks", body: text, frame: PageFrame(isMain: isMain)))
    }

    func running() async throws {
      try await changes.wait(for: "the scripts") { page?.calls.contains { $0.path.hasSuffix(".run") } == true }
    }

    func notRun(_ scripts: [Int]) async throws {
      try await changes.wait(for: "scripts \(scripts) that did not run") { notRun == scripts }
    }

    func closed() async throws { try await changes.wait(for: "the end") { page?.isClosed == true } }

    func sleeping(_ count: Int) async throws {
      try await changes.wait(for: "\(count) that wait") { clock.pauses.count == count }
    }
  }

  private static func event(_ type: String) -> VerificationEvent {
    VerificationEvent(type: type, timestamp: 5, data: ["a": 1])
  }

  @Test(
    "VA-900, VA-902, VA-903: the provider is there before the document, events come in order, and sessionFinish is last"
  )
  func order() async throws {
    let bench = Bench()
    for type in ["sessionStart", "loaded", "impression"] { bench.session.send(Self.event(type)) }
    bench.session.finish()
    bench.session.send(Self.event("late"))
    try await bench.closed()
    let page = try #require(bench.page)
    #expect(page.calls.map(\.path).prefix(2) == ["__tagworksVerification.run", "__tagworksVerification.send"])
    let events = try bench.told.map { try Value(json: $0).map }
    #expect(events.map { $0?["type"] } == ["sessionStart", "loaded", "impression", "sessionFinish"])
    #expect(events.first == ["type": "sessionStart", "timestamp": 5, "data": ["a": 1]])
    #expect(events.last??["timestamp"] == .int(bench.clock.wallMilliseconds))
    #expect(page.drains == [.seconds(1)] && bench.notRun.isEmpty)
    #expect(page.bootstrap.contains("omid3p") && page.options?.session == .ephemeral)
    #expect(page.options?.network == NetworkPolicy() && page.options?.memoryLimit == 256)
    guard case .html(let document, let base)? = page.loads.first?.source else {
      Issue.record("no document")
      return
    }
    #expect(base.absoluteString == "https://ad-0a1.invalid/" && !document.contains("script"))
  }

  @Test("VA-904: the context says app, limited and our implementer; parameters cannot end the script")
  func context() async throws {
    let bench = Bench()
    try await bench.running()
    let text = try #require(bench.page?.bootstrap)
    for part in [
      #""apiVersion":"1.0""#, #""environment":"app""#, #""accessMode":"limited""#, #""adSessionType":"javascript""#,
      #""partnerName":"P""#, #""partnerVersion":"2""#, #""omidImplementer":"tagworks""#,
      #""deviceCategory":"desktop""#, #""adSessionId":"0A-1""#,
    ] { #expect(text.contains(part), "\(part)") }
    #expect(!text.contains("</script>"))
  }

  @Test("VA-906: a script that fails is told once; the others run on")
  func failing() async throws {
    let bench = Bench()
    try await bench.running()
    bench.say(#"{"t":"failed","script":1}"#)
    bench.say(#"{"t":"loaded","script":0}"#)
    try await bench.notRun([1])
    for text in [
      #"{"t":"failed","script":1}"#, #"{"t":"failed","script":0}"#, #"{"t":"failed","script":7}"#, "{}", "x",
      #"{"t":"failed","script":1e300}"#,
    ] { bench.say(text) }
    bench.session.finish()
    try await bench.closed()
    #expect(bench.notRun == [1] && bench.told.count == 1)
  }

  @Test("VA-906: what has not loaded within five seconds did not run")
  func slow() async throws {
    let bench = Bench()
    try await bench.running()
    bench.say(#"{"t":"loaded","script":0}"#)
    bench.say(#"{"t":"url","url":"https://v.test/mark"}"#)
    try await bench.sleeping(1)
    while bench.beacons.hits.isEmpty { await Task.yield() }
    bench.clock.advance(by: .seconds(5))
    try await bench.notRun([1])
    bench.session.finish()
    try await bench.closed()
  }

  @Test("VA-906: without an engine, with a dead page or a page that does not answer, no script ran")
  func noPage() async throws {
    let unavailable = Bench { $0.openFailure = PageHostError(.unavailable, "no engine") }
    try await unavailable.notRun([0, 1])
    let broken = Bench { script in
      script.load = { _ in [.started, .failed(PageHostError(.loadFailed, "no document"))] }
    }
    try await broken.notRun([0, 1])
    let dead = Bench()
    try await dead.running()
    dead.page?.die(.crash)
    try await dead.notRun([0, 1])
    let stuck = Bench { $0.call = { _, _ in .spin } }
    try await stuck.running()
    try await stuck.sleeping(2)
    stuck.clock.advance(by: .seconds(5))
    try await stuck.notRun([0, 1])
    try await stuck.closed()
    for bench in [unavailable, broken, dead] { bench.session.finish() }
  }

  @Test("VA-905: URLs of scripts go to the beacons, http and https alone, at most 200, and only from the main frame")
  func urls() async throws {
    let bench = Bench()
    try await bench.running()
    bench.say(#"{"t":"url","url":"file:///etc/passwd"}"#)
    bench.say(#"{"t":"url","url":"https://frame.test/"}"#, isMain: false)
    for number in 0..<210 { bench.say(#"{"t":"url","url":"https://v.test/\#(number)"}"#) }
    bench.session.finish()
    try await bench.closed()
    while bench.beacons.hits.count < 200 { await Task.yield() }
    let sent = bench.beacons.hits.compactMap { $0.get("url") }
    #expect(sent == (0..<200).map { "https://v.test/\($0)" })
  }

  @Test("VA-905: http is reached only when a script of this machine asks for it")
  func insecure() async throws {
    let bench = Bench(urls: ["http://127.0.0.1:1/v.js"])
    try await bench.running()
    #expect(bench.page?.options?.network.allowInsecure == true)
    bench.session.finish()
    try await bench.closed()
  }
}
