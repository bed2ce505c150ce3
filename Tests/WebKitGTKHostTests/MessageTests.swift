import Foundation
import Hits
import TestSupport
import Testing
import WebTags

@Suite("WebKitGTK: what a page says and where it goes", RealEngine.condition) struct MessageTests {
  @Test("WT-701, 710: texts arrive in order, unchanged, with the load's id; what is no text does not")
  func messages() async throws {
    let page = try await RealPage()
    let texts = ["plain", "quote ' \" \\ </script>", "line\nand \u{2028}", "é🙂", ""]
    let list = Value.list(texts.map(Value.string)).jsonText
    let id = try await page.load(RealPage.document)
    _ = try await page.run(
      "\(list).forEach(post); webkit.messageHandlers.tagworks.postMessage({no: 1}); post('end'); return 0")
    _ = try await page.events.first("the last message") { $0.message == "end" ? true : nil }
    #expect(page.events.seen.compactMap(\.message) == texts + ["end"])
    #expect(page.events.seen.filter { $0.message != nil }.allSatisfy { $0.load == id })
  }

  @Test("WT-710: a message of more than 1 MiB is dropped")
  func limit() async throws {
    let page = try await RealPage()
    try await page.load(RealPage.document)
    _ = try await page.run("post('x'.repeat(1048577)); post('y'.repeat(1048576)); post('end'); return 0")
    _ = try await page.events.first("the last message") { $0.message == "end" ? true : nil }
    #expect(page.events.seen.compactMap { $0.message?.utf8.count } == [1_048_576, 3])
  }

  @Test("WT-840: the bootstrap runs before the page's scripts, in the main frame alone, from the next load on")
  func bootstrap() async throws {
    let page = try await RealPage { _ in
      .response(
        status: 200, headers: ["Content-Type": "text/html"],
        body: Array("<script>parent.post('frame ' + typeof window.early)</script>".utf8))
    }
    try await page.load(RealPage.document)
    await page.host.setBootstrap("window.early = 'first'")
    #expect(try await page.run("return typeof window.early") == "undefined")
    let document = RealPage.document + "<script>post('main ' + window.early)</script><iframe src='/frame'></iframe>"
    try await page.load(document)
    await page.host.setBootstrap("window.early = 'second'")
    try await page.load(document)
    #expect(
      page.events.seen.compactMap(\.message) == [
        "main first", "frame undefined", "main second", "frame undefined",
      ])
  }

  @Test("WT-507, 509: where all frames may command, command URLs are commands and go nowhere")
  func commands() async throws {
    let page = try await RealPage(options: PageHostOptions(navigationCommands: .any))
    try await page.load(RealPage.document)
    _ = try await page.run(
      """
      for (let i = 0; i < 20; i++) {
        const frame = document.createElement("iframe");
        frame.src = "tealium://frame?request=" + i;
        document.body.append(frame);
      }
      window.open("tealium://window?request=%7B%7D");
      window.open("TEALIUM://blank", "_blank");
      location.href = "tealium://lost";
      window.open("tealium://place", "_self");
      return 0;
      """)
    let urls: @Sendable () -> [String] = {
      page.events.seen.compactMap { if case .command(let url, _) = $0.kind { url } else { nil } }
    }
    _ = try await page.events.first("the last command") { _ in urls().count >= 23 ? true : nil }
    #expect(urls().filter { $0.hasPrefix("tealium://frame") } == (0..<20).map { "tealium://frame?request=\($0)" })
    // Of several navigations of one frame in one turn only the last reaches any engine (WT-508).
    #expect(
      Set(urls().filter { !$0.hasPrefix("tealium://frame") })
        == ["tealium://window?request=%7B%7D", "tealium://blank", "tealium://place"])
    #expect(try await page.run("return location.pathname") == "/")
  }

  @Test("WT-820: a navigation to a file goes nowhere; WebKit gives no sign of it")
  func file() async throws {
    let page = try await Self.shared.value
    _ = try await page.run("location.href = 'file:///etc/hostname'; return 0")
    #expect(try await page.run("await new Promise(done => setTimeout(done, 100)); return window.mark") == "still here")
  }

  @Test(
    "WT-500, 509: an engine that cannot tell the frame takes no navigation for a command; it is only stopped",
    arguments: [NavigationCommands.off, .mainFrame])
  func noCommands(commands: NavigationCommands) async throws {
    let page = try await RealPage(options: PageHostOptions(navigationCommands: commands))
    #expect(!page.capabilities.tellsNavigationFrames)
    try await page.load(RealPage.document)
    for url in ["tealium://id?request=1", "tealiumx://a", "mailto:a@b.example", "myapp://x"] {
      _ = try await page.run("location.href = '\(url)'; return 0")
      _ = try await page.events.first("blocked \(url)") { $0.blocked?.url == url ? true : nil }
    }
    #expect(!page.events.seen.contains { if case .command = $0.kind { true } else { false } })
  }

  @Test(
    "WT-704: the page stays where it is: a navigation away is stopped before its request leaves",
    arguments: [
      "location.href = '/away'", "location.replace('/away')", "location.assign('/away')", "location.reload()",
      "document.body.innerHTML = '<form action=/away></form>'; document.forms[0].submit()",
      "document.body.innerHTML = '<form action=/away method=post></form>'; document.forms[0].submit()",
      "document.head.innerHTML = '<meta http-equiv=refresh content=\"0;url=/away\">'",
      "const a = document.createElement('a'); a.href = '/away'; document.body.append(a); a.click()",
      "location.href = 'data:text/html,<p>away'", "location.href = URL.createObjectURL(new Blob(['<p>away']))",
      "window.open('/away')", "window.open('/away', '_self')", "window.open('/away', '_top')",
    ])
  func navigation(script: String) async throws {
    let page = try await Self.shared.value
    let before = page.events.seen.count
    _ = try await page.run("\(script); return 0")
    _ = try await page.events.first("a stopped navigation", after: before) { $0.blocked != nil ? true : nil }
    #expect(try await page.run("return window.mark") == "still here")
    #expect(page.server.requests.allSatisfy { $0.target != "/away" && $0.target != "/" })
  }

  @Test("WT-704: the app's own decision on a navigation is awaited")
  func decision() async throws {
    let asked = Locked<[PageNavigation]>([])
    var options = PageHostOptions()
    options.decideNavigation = { navigation in
      asked.withLock { $0.append(navigation) }
      return navigation.url.hasSuffix("/yes") ? .allow : .cancel
    }
    let page = try await RealPage(options: options) { _ in
      .response(
        status: 200, headers: ["Content-Type": "text/html"],
        body: Array((RealPage.document + "<script>post('arrived')</script>").utf8))
    }
    try await page.load(RealPage.document)
    _ = try await page.run("location.href = '/no'; return 0")
    _ = try await page.events.first("no") { $0.blocked?.url == page.server.url("/no") ? true : nil }
    _ = try await page.run("location.href = '/yes'; return 0")
    _ = try await page.events.first("the new document") { $0.message == "arrived" ? true : nil }
    #expect(asked.withLock { $0.map(\.url) } == ["/no", "/yes"].map(page.server.url))
    #expect(page.server.requests.map(\.target) == ["/yes"])
  }

  @Test("WT-704: dialogs, permissions and downloads are refused, and nothing waits for them")
  func refusals() async throws {
    let page = try await RealPage { _ in
      .response(
        status: 200, headers: ["Content-Type": "application/octet-stream", "Content-Disposition": "attachment"],
        body: [0])
    }
    try await page.load(RealPage.document)
    #expect(try await page.run("alert(1); return [confirm('?'), prompt('?')]") == [false, nil])
    #expect(try await page.run("return Notification ? await Notification.requestPermission() : 'denied'") != "granted")
    _ = try await page.run(
      "const f = document.createElement('iframe'); f.src = '/file.bin'; document.body.append(f); return 0")
    try await page.server.requests(atLeast: 1)
    #expect(try await page.run("return 'alive'") == "alive")
  }

  /// One page for the tests of stopped navigations.
  private static let shared = Task {
    let page = try await RealPage { _ in .text("away") }
    try await page.load(RealPage.document + "<script>window.mark = 'still here'</script>")
    return page
  }
}

extension PageEvent {
  /// The text of a message.
  var message: String? {
    if case .message("tagworks", let body, _) = kind { body } else { nil }
  }

  /// The navigation that was stopped.
  var blocked: PageNavigation? {
    if case .navigationBlocked(let navigation) = kind { navigation } else { nil }
  }

  /// Why the process ended.
  var termination: TerminationReason? {
    if case .processTerminated(let reason) = kind { reason } else { nil }
  }
}
