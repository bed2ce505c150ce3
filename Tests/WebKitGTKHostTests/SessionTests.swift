import Foundation
import Hits
import TestSupport
import Testing
import WebTags
import WebViewHost

@Suite("WebKitGTK: what a page keeps", RealEngine.condition) struct SessionTests {
  private static let write = """
    document.cookie = "kept=1; Max-Age=1000";
    document.cookie = "session=1";
    localStorage.setItem("kept", "1");
    return await new Promise((done, fail) => {
      const open = indexedDB.open("kept", 1);
      open.onupgradeneeded = () => open.result.createObjectStore("kept");
      open.onsuccess = () => {
        const change = open.result.transaction("kept", "readwrite");
        change.objectStore("kept").put(1, "kept");
        change.oncomplete = () => { open.result.close(); done("written"); };
      };
      open.onerror = fail;
    });
    """
  private static let read = """
    return [document.cookie, localStorage.getItem("kept"), (await indexedDB.databases()).length]
    """

  /// A page of a session, at a place that is the same for all of a test.
  private func page(_ session: PageSession, factory: WebViewHostFactory) async throws -> RealPage {
    let page = try await RealPage(factory: factory, options: PageHostOptions(session: session))
    let id = page.begin()
    await page.host.load(.html(RealPage.document, base: try #require(URL(string: "https://tags.example/"))), id: id)
    try await page.finished(id)
    return page
  }

  @Test("WT-708, 1221: cookies, localStorage and IndexedDB of a folder outlive the helper; those in memory do not")
  func persistence() async throws {
    let directory = try TemporaryDirectory()
    let own = WebViewHostFactory(settings: EngineSettings(sandbox: .whenPossible))
    for session in [PageSession.directory(directory.url), .ephemeral] {
      let factory = session == .ephemeral ? RealEngine.factory : own
      let first = try await page(session, factory: factory)
      #expect(try await first.run(Self.write) == "written")
      #expect(try await first.run(Self.read) == ["kept=1; session=1", "1", 1])
      await first.host.close()
      let second = try await page(session, factory: factory)
      #expect(try await second.run(Self.read) == (session == .ephemeral ? ["", nil, 0] : ["kept=1", "1", 1]))
      await second.host.close()
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.file("data"))
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test("WT-143, 145: pages of one shared session see each other's cookies; pages of two folders do not (WT-1225)")
  func sharing() async throws {
    let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let shared = SharedWebSession(directory: nil)
    let factory = RealEngine.factory
    let pages = [
      try await page(.shared(shared), factory: factory), try await page(.shared(shared), factory: factory),
      try await page(.directory(one.url), factory: factory), try await page(.directory(other.url), factory: factory),
    ]
    _ = try await pages[0].run("document.cookie = 'session=shared'; return 0")
    _ = try await pages[2].run("document.cookie = 'session=one'; return 0")
    #expect(try await pages[1].host.cookies(for: nil).map(\.value) == ["shared"])
    #expect(try await pages[1].run("return document.cookie") == "session=shared")
    #expect(try await pages[2].run("return document.cookie") == "session=one")
    #expect(try await pages[3].run("return document.cookie") == "")
    #expect(try await pages[3].host.cookies(for: nil) == [])
  }

  @Test("WT-700, 708: the whole jar is read and written, with what scripts cannot see")
  func jar() async throws {
    let page = try await RealPage { request in
      .response(
        status: 200, headers: request.target == "/set" ? ["Set-Cookie": "server=1; HttpOnly; Path=/; Max-Age=500"] : [:]
      )
    }
    try await page.load(RealPage.document)
    _ = try await page.run("await fetch('/set'); return 0")
    let here = try #require(URL(string: page.server.url("/")))
    let server = try #require(try await page.host.cookies(for: here).first)
    #expect(server.name == "server" && server.httpOnly && server.expires != nil && server.domain == "127.0.0.1")
    let cookie = WebCookie(
      name: "utag_main", value: "v_id:0123%20", domain: "127.0.0.1", path: "/",
      expires: Date(timeIntervalSince1970: 4_000_000_000), sameSite: .lax)
    try await page.host.setCookie(cookie)
    let elsewhere = WebCookie(name: "a", value: "b", domain: ".tags.example", secure: true, httpOnly: true)
    try await page.host.setCookie(elsewhere)
    #expect(try await page.run("return document.cookie") == "utag_main=v_id:0123%20")
    #expect(try await page.host.cookies(for: here).contains(cookie))
    #expect(try await page.host.cookies(for: URL(string: "https://www.tags.example/x")).map(\.name) == ["a"])
    try await page.host.setCookie(WebCookie(name: "utag_main", value: "new", domain: "127.0.0.1"))
    #expect(try await page.host.cookies(for: here).first { $0.name == "utag_main" }?.value == "new")
    try await page.host.removeCookies(for: here)
    #expect(try await page.host.cookies(for: nil).map(\.name) == ["a"])
    try await page.host.removeCookies(for: URL(string: "https://deep.www.tags.example/"))
    #expect(try await page.host.cookies(for: nil) == [])
    await #expect(throws: PageHostError.self) {
      try await page.host.setCookie(WebCookie(name: "", value: "", domain: "127.0.0.1"))
    }
  }

  @Test("WT-700, 852: erasing leaves nothing of the session")
  func erase() async throws {
    let directory = try TemporaryDirectory()
    let page = try await page(.directory(directory.url), factory: RealEngine.factory)
    #expect(try await page.run(Self.write) == "written")
    try await page.host.eraseData()
    #expect(try await page.host.cookies(for: nil) == [])
    let id = page.begin()
    await page.host.load(.html(RealPage.document, base: try #require(URL(string: "https://tags.example/"))), id: id)
    try await page.finished(id)
    #expect(try await page.run(Self.read) == ["", nil, 0])
  }

  @Test("WT-145: the session of the app's own views cannot be had through the helper")
  func appSession() async throws {
    #expect(!RealEngine.factory.sharesAppSession)
    let host = RealEngine.factory.make()
    let error = await #expect(throws: PageHostError.self) { try await host.open(PageHostOptions(session: .appDefault)) }
    #expect(error == PageHostError(.unavailable, "needs the in-process host"))
    await host.close()
  }
}
