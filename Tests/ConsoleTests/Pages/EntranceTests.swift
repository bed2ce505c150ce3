import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Entrance") struct EntranceTests {
  private let fixture = SiteFixture()

  @Test("CO-100: the one-time link leads to the page that makes the first administrator, who is then signed in")
  func setUp() async throws {
    let secret = Secret(.setup, from: SeededRandomSource(seed: 1))
    _ = try await fixture.store.offerSetup(secret.digest)
    let browser = TestBrowser(fixture)
    let page = await browser.get("/setup?token=\(secret.text)")
    #expect(page.status == 200)
    let before = browser.cookie
    let short = await browser.submit(page, to: "/setup", ["name": "Ada", "password": "short"])
    #expect(short.status == 422)
    #expect(short.text.contains("use at least 10 characters"))
    #expect(FormReader(short.text).values["name"] == "Ada")
    #expect(!short.text.contains("value=\"short\""))
    let done = await browser.submit(short, to: "/setup", ["name": "Ada", "password": SiteFixture.password])
    #expect(done.status == 303)
    #expect(done.headers["Location"] == "/containers")
    #expect(browser.cookie != before)
    #expect(await browser.get("/containers").status == 200)
    #expect(try await fixture.store.users().map(\.rights) == [AccessRights(everywhere: .admin)])
    let again = await TestBrowser(fixture).get("/setup?token=\(secret.text)")
    #expect(again.headers["Location"] == "/sign-in")
  }

  @Test("CO-100: another token sets nothing up")
  func wrongToken() async throws {
    _ = try await fixture.store.offerSetup(Secret(.setup, from: SeededRandomSource(seed: 1)).digest)
    let browser = TestBrowser(fixture)
    let page = await browser.get("/setup?token=tws_other")
    let done = await browser.submit(page, to: "/setup", ["name": "Ada", "password": SiteFixture.password])
    #expect(done.status == 403)
    #expect(try await fixture.store.users().isEmpty)
  }

  @Test("CO-902: without a session every page leads to the sign-in, and back to itself afterwards")
  func asked() async throws {
    try await fixture.person("Ada", AccessRights(everywhere: .admin))
    for route in fixture.site.routes where !["/sign-in", "/setup", "/"].contains(route.path) {
      guard !route.path.hasPrefix("/assets/") else { continue }
      let path = route.path.replacing("{container}", with: "GTM-SHOP").replacing("{kind}", with: "tags")
        .replacing("{id}", with: "1").replacing("{version}", with: "1").replacing("{environment}", with: "live")
        .replacing("{number}", with: "1")
      for method in ["GET", "POST"] where route.handlers[method] != nil {
        let response = await fixture.send(method, path)
        #expect(response.status == 303, "\(method) \(path)")
        #expect(response.headers["Location"]?.hasPrefix("/sign-in") == true)
      }
    }
    let browser = TestBrowser(fixture)
    let page = await browser.get("/sign-in?next=/hits")
    let done = await browser.submit(page, to: "/sign-in", ["name": "ada", "password": SiteFixture.password])
    #expect(done.headers["Location"] == "/hits")
    for other in ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/a?b"] {
      let browser = TestBrowser(fixture)
      let page = await browser.get("/sign-in?next=\(URIEscape.hit.escape(other))")
      let done = await browser.submit(page, to: "/sign-in", ["name": "ada", "password": SiteFixture.password])
      #expect(done.headers["Location"] == "/containers", "\(other)")
    }
  }

  @Test("CO-902: the cookie is HttpOnly, Lax, and Secure behind TLS; what is stored is its digest")
  func cookie() async throws {
    for isSecure in [false, true] {
      let fixture = SiteFixture(isSecure: isSecure)
      try await fixture.person("Ada", AccessRights(everywhere: .read))
      let browser = TestBrowser(fixture)
      let page = await browser.get("/sign-in")
      let done = await browser.submit(page, to: "/sign-in", ["name": "Ada", "password": SiteFixture.password])
      for response in [page, done] {
        let setting = try #require(response.headers["Set-Cookie"])
        #expect(setting.contains("; HttpOnly; SameSite=Lax"))
        #expect(setting.hasSuffix("; Secure") == isSecure)
        #expect(setting.contains("Path=/;"))
      }
      let key = try #require(browser.cookie)
      // 256 bits in base64url.
      #expect(key.dropFirst(4).utf8.count == 43)
      #expect(try await fixture.store.session(SecretDigest(of: key)) != nil)
    }
  }

  @Test("CO-902: signing in gives a new secret, whatever the browser came with: nobody can choose it for another")
  func fixation() async throws {
    try await fixture.person("Ada", AccessRights(everywhere: .read))
    let attacker = TestBrowser(fixture)
    _ = await attacker.get("/sign-in")
    let planted = try #require(attacker.cookie)
    let victim = TestBrowser(fixture)
    victim.cookie = planted
    let page = await victim.get("/sign-in")
    _ = await victim.submit(page, to: "/sign-in", ["name": "Ada", "password": SiteFixture.password])
    #expect(victim.cookie != planted)
    #expect(await victim.get("/containers").status == 200)
    #expect(await attacker.get("/containers").status == 303)
    // A session of another person that is planted ends when its browser signs in anew.
    let first = try #require(victim.cookie)
    let second = TestBrowser(fixture)
    second.cookie = first
    _ = await second.post("/sign-out", [BrowserKey.field: BrowserKey(text: first).token])
    #expect(await victim.get("/containers").status == 303)
  }

  @Test("CO-902: a session lasts 12 hours without a request, and longer with them")
  func idle() async throws {
    try await fixture.person("Ada", AccessRights(everywhere: .read))
    let browser = try await fixture.browser("Ada")
    for _ in 0..<5 {
      fixture.clock.advance(by: .seconds(12 * 3600 - 1))
      #expect(await browser.get("/containers").status == 200)
    }
    fixture.clock.advance(by: .seconds(12 * 3600))
    #expect(await browser.get("/containers").status == 303)
  }

  @Test("CO-902: wrong names and passwords are told alike, and slowed down; the right one is refused meanwhile too")
  func throttled() async throws {
    try await fixture.person("Ada", AccessRights(everywhere: .read))
    let browser = TestBrowser(fixture)
    _ = await browser.get("/sign-in")
    var texts: Set<String> = []
    for name in ["Ada", "Nobody"] {
      let response = await browser.post("/sign-in", ["name": name, "password": "wrong password"])
      #expect(response.status == 401)
      texts.insert(response.text.replacing(name, with: "").replacing(browser.token, with: ""))
    }
    #expect(texts.count == 1)
    for _ in 0..<5 { _ = await browser.post("/sign-in", ["name": "Ada", "password": "wrong password"]) }
    let refused = await browser.post("/sign-in", ["name": "Ada", "password": SiteFixture.password])
    #expect(refused.status == 429)
    #expect(refused.headers["Retry-After"] == "2")
    fixture.clock.advance(by: .seconds(2))
    #expect(await browser.post("/sign-in", ["name": "Ada", "password": SiteFixture.password]).status == 303)
    let log = try await fixture.store.activities(before: nil, of: nil, limit: 99).map(\.activity)
    #expect(log.filter { $0.action == .signInFailed }.count == 7)
    #expect(log.filter { $0.action == .signedIn }.map(\.by.actor.name) == ["Ada"])
    #expect(!"\(log)".contains("password"))
  }

  @Test("CO-901: whoever is disabled is out at once, and comes in no more")
  func disabled() async throws {
    let ada = try await fixture.person("Ada", AccessRights(everywhere: .read))
    let browser = try await fixture.browser("Ada")
    _ = try await fixture.store.setDisabled(true, of: ada.id, by: Authorship(.server, at: 2))
    #expect(await browser.get("/containers").status == 303)
    let other = TestBrowser(fixture)
    _ = await other.get("/sign-in")
    #expect(await other.post("/sign-in", ["name": "Ada", "password": SiteFixture.password]).status == 401)
  }

  @Test("CO-902: another password ends the other sessions of the person, and asks for the present one")
  func password() async throws {
    try await fixture.person("Ada", AccessRights(everywhere: .read))
    let browser = try await fixture.browser("Ada")
    let other = try await fixture.browser("Ada")
    _ = await browser.get("/account")
    let wrong = await browser.post("/account", ["current": "wrong", "password": "another password"])
    #expect(wrong.status == 422)
    let before = try await fixture.store.activities(before: nil, of: nil, limit: 99).count
    let done = await browser.post("/account", ["current": SiteFixture.password, "password": "another password"])
    let after = try await fixture.store.activities(before: nil, of: nil, limit: 99)
    #expect(after.dropLast(before).map(\.activity.action) == [.passwordChanged])
    #expect(done.status == 303)
    #expect(await browser.get("/account").status == 200)
    #expect(await other.get("/account").status == 303)
    #expect(try await fixture.store.account(named: "Ada")?.password == "plain:another password")
  }
}
