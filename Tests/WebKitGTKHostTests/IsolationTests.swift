import Foundation
import Hits
import TestSupport
import Testing
import WebTags

@Suite("WebKitGTK: what a page may reach", RealEngine.condition) struct IsolationTests {
  private static let tryAll = """
    window.tryAll = url => Promise.all([
      new Promise(done => { const i = new Image(); i.onload = () => done("loaded"); i.onerror = () => done("failed");
        i.src = url + "?image"; }),
      fetch(url + "?fetch", {mode: "no-cors"}).then(() => "loaded", () => "failed"),
      fetch(url + "?keepalive", {mode: "no-cors", keepalive: true}).then(() => "loaded", () => "failed"),
      new Promise(done => { const s = document.createElement("script"); s.onload = () => done("loaded");
        s.onerror = () => done("failed"); s.src = url + "?script"; document.head.append(s); }),
      new Promise(done => { const x = new XMLHttpRequest(); x.onload = () => done("loaded");
        x.onerror = () => done("failed"); x.open("GET", url + "?xhr"); x.send(); }),
      new Promise(done => done(navigator.sendBeacon(url + "?beacon", "x") ? "loaded" : "failed")).catch(() => "failed"),
      new Promise(done => { const l = document.createElement("link"); l.rel = "stylesheet";
        l.onload = () => done("loaded"); l.onerror = () => done("failed"); l.href = url + "?style";
        document.head.append(l); }),
    ]);
    window.tryFrame = url => { const f = document.createElement("iframe"); f.src = url + "?frame";
      document.body.append(f); };
    window.trySocket = url => new Promise(done => { const w = new WebSocket(url); w.onopen = () => done("loaded");
      w.onerror = () => done("failed"); });
    """

  /// One page for the tests of what is forbidden.
  private static let shared = Task { try await page() }

  private static func page() async throws -> RealPage {
    let page = try await RealPage { request in
      let kinds = ["image": "image/gif", "script": "text/javascript", "style": "text/css"]
      let kind = String(request.target.split(separator: "?").last ?? "")
      return .response(
        status: 200, headers: ["Content-Type": kinds[kind] ?? "text/html", "Access-Control-Allow-Origin": "*"],
        body: kind == "image" ? pixel : [])
    }
    try await page.load(RealPage.document + "<script>\(tryAll)</script>")
    return page
  }

  @Test("WT-810: what the policy allows is reached by every way there is")
  func allowed() async throws {
    let page = try await Self.page()
    let results = try await page.run("return await tryAll('/x')")
    #expect(results == .list(Array(repeating: "loaded", count: 7)))
    _ = try await page.run("tryFrame('/x'); return 0")
    try await page.server.requests(atLeast: 8)
  }

  @Test("WT-810, 811: what it forbids gets no connection, by no way", arguments: Forbidden.all)
  func forbidden(example: Forbidden) async throws {
    let other = try LoopbackServer { _ in .text("") }
    let page = try await Self.shared.value
    var policy = example.policy
    policy.allowInsecure = true
    try await page.host.setNetworkPolicy(policy)
    let url = example.url.replacing("PORT", with: "\(other.port)")
    let results = try await page.run("return await tryAll('\(url)')")
    #expect(results == .list(Array(repeating: "failed", count: 7)))
    let socket = "ws" + url.dropFirst(url.hasPrefix("http") ? 4 : 2)
    #expect(try await page.run("tryFrame('\(url)'); return await trySocket('\(socket)')") == "failed")
    #expect(try await page.run("return 'alive'") == "alive")
    #expect(other.connections == 0)
  }

  @Test("WT-810: a policy that is set later counts from then on, also for the document that is there")
  func changed() async throws {
    let page = try await Self.page()
    #expect(try await page.run("return (await tryAll('/a'))[0]") == "loaded")
    try await page.host.setNetworkPolicy(NetworkPolicy(allowed: ["cdn.example"], allowInsecure: true))
    #expect(try await page.run("return (await tryAll('/b'))[0]") == "failed")
    try await page.host.setNetworkPolicy(NetworkPolicy(allowed: ["127.0.0.1"], allowInsecure: true))
    #expect(try await page.run("return (await tryAll('/c'))[0]") == "loaded")
    #expect(page.server.requests.allSatisfy { !$0.target.hasPrefix("/b") })
  }

  @Test("WT-820: no file is read, by no way")
  func files() async throws {
    let page = try await Self.page()
    let results = try await page.run("return await tryAll('file:///etc/hostname')")
    #expect(results == .list(Array(repeating: "failed", count: 7)))
    let frame = """
      tryFrame('file:///etc/hostname');
      await new Promise(done => setTimeout(done, 100));
      return document.querySelector('iframe').contentDocument?.body?.textContent ?? ''
      """
    #expect(try await page.run(frame) == "")
    #expect(
      try await page.run(
        "return await fetch('file:///etc/passwd').then(() => 'read', error => error.name)") == "TypeError")
  }

  @Test("WT-701: a request that fails is reported with its URL and a reason")
  func failedRequest() async throws {
    let page = try await Self.page()
    let closed = try LoopbackServer { _ in .text("") }.port
    _ = try await page.run("new Image().src = 'http://127.0.0.1:\(closed)/gone.gif'; return 0")
    let reason = try await page.events.first("the failed request") { event -> String? in
      guard case .resourceFailed("http://127.0.0.1:\(closed)/gone.gif", let reason) = event.kind else { return nil }
      return reason
    }
    #expect(!reason.isEmpty)
  }

  private static let pixel: [UInt8] = [
    0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x21, 0xF9, 4, 1, 0, 0, 0, 0,
    0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
  ]
}

/// What a page must not reach, and under which policy.
struct Forbidden: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var url: String
  var policy: NetworkPolicy

  static let all = [
    Forbidden(
      testDescription: "a host that is not listed", url: "http://localhost:PORT/",
      policy: NetworkPolicy(allowed: ["127.0.0.1"])),
    Forbidden(
      testDescription: "a blocked host", url: "http://localhost:PORT/", policy: NetworkPolicy(blocked: ["localhost"])),
    Forbidden(
      testDescription: "a blocked host with a dot", url: "http://localhost.:PORT/",
      policy: NetworkPolicy(blocked: ["localhost"])),
    Forbidden(
      testDescription: "a user name like an allowed host", url: "http://127.0.0.1:1@localhost:PORT/",
      policy: NetworkPolicy(allowed: ["127.0.0.1"])),
    Forbidden(testDescription: "http elsewhere", url: "http://tagworks.invalid:PORT/", policy: .open),
    Forbidden(testDescription: "a private range", url: "https://10.1.2.3:PORT/", policy: .open),
    Forbidden(testDescription: "a private range of IPv6", url: "https://[fd00::1]:PORT/", policy: .open),
    Forbidden(testDescription: "link-local metadata", url: "https://169.254.169.254:PORT/", policy: .open),
  ]
}
