import Foundation
import Hits
import TestSupport
import Testing
import WebTags

@Suite("WebKitGTK: loading", RealEngine.condition) struct LoadingTests {
  @Test("WT-701: a text is loaded as a document of its base, and its events come in order")
  func text() async throws {
    let page = try await RealPage()
    let id = try await page.load(RealPage.document + "<img src='/pixel.gif'>", path: "/page?query=1")
    #expect(page.events.seen.map(\.kind) == [.started, .finished(url: page.server.url("/page?query=1"))])
    #expect(page.events.seen.allSatisfy { $0.load == id })
    #expect(try await page.run("return location.href") == .string(page.server.url("/page?query=1")))
    #expect(page.server.requests.map(\.target) == ["/pixel.gif"])
  }

  @Test("WT-303: a URL is loaded by its redirects, and the answer's status comes before the document")
  func url() async throws {
    let page = try await RealPage { request in
      switch request.target {
      case "/from": .redirect(302, to: "/to")
      case "/to": .response(status: 200, headers: ["Content-Type": "text/html"], body: Array("<p>".utf8))
      default: .response(status: 404, headers: ["Content-Type": "text/html"], body: Array("<p>none".utf8))
      }
    }
    let (id, to) = (page.begin(), page.server.url("/to"))
    await page.host.load(.url(try #require(URL(string: page.server.url("/from")))), id: id)
    try await page.finished(id)
    #expect(
      page.events.seen.map(\.kind) == [
        .started, .redirected(url: to), .response(status: 200, mime: "text/html", url: to), .finished(url: to),
      ])
    let missing = page.begin()
    await page.host.load(.url(try #require(URL(string: page.server.url("/missing")))), id: missing)
    try await page.finished(missing)
    #expect(
      page.events.seen.contains {
        $0.kind == .response(status: 404, mime: "text/html", url: page.server.url("/missing"))
      })
  }

  @Test(
    "WT-303, 820: a document that cannot be had fails and is not ready",
    arguments: [
      ("http://127.0.0.1:1/", nil), ("http://127.0.0.1:9/", nil), ("http://tagworks.invalid/", .blocked),
      ("https://tagworks.invalid/", .loadFailed), ("file:///etc/hostname", .blocked), ("ftp://127.0.0.1/", .blocked),
    ] as [(String, PageHostError.Code?)])
  func failures(url: String, code: PageHostError.Code?) async throws {
    let page = try await Self.shared.value
    try await page.load(RealPage.document)
    let id = page.begin()
    await page.host.load(.url(try #require(URL(string: url))), id: id)
    let error = await #expect(throws: PageHostError.self) { try await page.finished(id) }
    if let code { #expect(error?.code == code) }
    // What comes after is as if nothing had been.
    try await page.load(RealPage.document)
    #expect(try await page.run("return 1") == 1)
  }

  @Test(
    "WT-821: a certificate that nobody trusts fails the load and what the page asks for, and nothing can allow it",
    .enabled(if: TLSServer.program != nil, "openssl is not installed"))
  func untrusted() async throws {
    let server = try await TLSServer()
    let page = try await RealPage()
    let id = page.begin()
    await page.host.load(.url(try #require(URL(string: "https://127.0.0.1:\(server.port)/"))), id: id)
    let error = await #expect(throws: PageHostError.self) { try await page.finished(id) }
    #expect(error?.code == .tls)
    try await page.load(RealPage.document)
    let fetch = "return await fetch('https://127.0.0.1:\(server.port)/', {mode: 'no-cors'}).then(() => 1, () => 0)"
    #expect(try await page.run(fetch) == 0)
  }

  @Test("WT-303: a refused connection is a failed load")
  func refused() async throws {
    let page = try await RealPage()
    let port = try LoopbackServer { _ in .text("") }.port
    let id = page.begin()
    await page.host.load(.url(try #require(URL(string: "http://127.0.0.1:\(port)/"))), id: id)
    let error = await #expect(throws: PageHostError.self) { try await page.finished(id) }
    #expect(error?.code == .loadFailed)
  }

  @Test("WT-700: a new load takes the place of the one under way, whatever had come of that")
  func superseded() async throws {
    let page = try await RealPage { request in
      request.target == "/slow" ? .hang(after: []) : .text("")
    }
    let slow = page.begin()
    await page.host.load(.url(try #require(URL(string: page.server.url("/slow")))), id: slow)
    try await page.server.requests(atLeast: 1)
    let ids = (0..<10).map { _ in page.begin() }
    for id in ids {
      let base = try #require(URL(string: page.server.url("/")))
      await page.host.load(.html(RealPage.document + "<title>\(id.rawValue)</title>", base: base), id: id)
    }
    let last = try #require(ids.last)
    try await page.finished(last)
    #expect(try await page.run("return document.title") == .string("\(last.rawValue)"))
    func end(of id: LoadID) -> PageEvent.Kind? { page.events.seen.last { $0.load == id }?.kind }
    #expect(end(of: slow) == .failed(.superseded))
    // Those between may have been there before the next one came.
    for id in ids.dropLast() {
      #expect([.failed(.superseded), .finished(url: page.server.url("/"))].contains(end(of: id)))
    }
    #expect(
      page.events.seen.filter { $0.load == last }.map(\.kind) == [.started, .finished(url: page.server.url("/"))])
  }

  @Test("WT-315, 700: a stopped load reports nothing more, and the calls that wait for it fail")
  func stopped() async throws {
    let page = try await RealPage { request in
      request.target == "/slow.js" ? .hang(after: []) : .text("")
    }
    let id = page.begin()
    let base = try #require(URL(string: page.server.url("/")))
    await page.host.load(.html("<script src='/slow.js'></script>", base: base), id: id)
    try await page.server.requests(atLeast: 1)
    let waiting = Task.immediate { try await page.host.call("run", "\"\"") }
    await page.host.stop()
    let error = await #expect(throws: PageHostError.self) { try await waiting.value }
    #expect(error?.code == .superseded)
    let before = page.events.seen.count
    try await page.load(RealPage.document)
    #expect(page.events.seen[before...].allSatisfy { $0.load != id })
  }

  @Test("WT-315: a call before and during a load waits for it")
  func waiting() async throws {
    let gate = DispatchSemaphore(value: 0)
    let page = try await RealPage { request in
      gate.wait()
      return .response(
        status: 200, headers: ["Content-Type": "text/javascript"], body: Array("window.late = () => 'late'".utf8))
    }
    let host = page.host
    let before = Task.immediate { try await host.call("late", "null") }
    let (id, base) = (page.begin(), try #require(URL(string: page.server.url("/"))))
    await host.load(.html("<script src='/late.js'></script>", base: base), id: id)
    try await page.server.requests(atLeast: 1)
    let during = Task.immediate { try await host.call("late", "null") }
    gate.signal()
    try await page.finished(id)
    for call in [before, during] { #expect(try await call.value == "\"late\"") }
  }

  /// One page for loads that fail.
  private static let shared = Task { try await RealPage() }
}
