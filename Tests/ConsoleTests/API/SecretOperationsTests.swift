import Authoring
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("API: tokens, previews and the log") struct SecretOperationsTests {
  private let fixture = APIFixture()

  @Test("CO-900: tokens are made with a scope and an end, listed, and revoked at once")
  func tokens() async throws {
    try await fixture.prepare()
    let admin = try await fixture.token(.admin)
    let made = try await fixture.ok(
      "POST", "/tokens", token: admin,
      json: ["name": "CI", "scope": "edit", "container": "GTM-SHOP", "days": 1])
    let token = try #require(made["token"]?.string)
    #expect(made["expires"] == .int(fixture.clock.wallMilliseconds + 86_400_000))
    #expect(await fixture.send("GET", "/containers/GTM-SHOP", token: token).status == 200)
    fixture.clock.advance(by: .seconds(86_399))
    #expect(await fixture.send("GET", "/containers/GTM-SHOP", token: token).status == 200)
    fixture.clock.advance(by: .seconds(1))
    #expect(await fixture.send("GET", "/containers/GTM-SHOP", token: token).status == 401)
    let lasting = try await fixture.ok("POST", "/tokens", token: admin, json: ["name": "x", "scope": "read"])
    let other = try #require(lasting["token"]?.string)
    #expect(lasting["expires"] == nil)
    let listed = try await fixture.ok("GET", "/tokens?container=GTM-SHOP", token: admin).items("tokens")
    #expect(listed.map { $0["name"] } == ["CI"])
    _ = try await fixture.ok("DELETE", "/tokens/\(lasting["id"]?.string ?? "")", token: admin)
    #expect(await fixture.send("GET", "/containers", token: other).status == 401)
    #expect(await fixture.send("DELETE", "/tokens/none", token: admin).status == 404)
    let nowhere: Value = ["name": "x", "scope": "read", "container": "GTM-NONE"]
    #expect(await fixture.send("POST", "/tokens", token: admin, json: nowhere).status == 404)
    for days: Value in [0, 3651, "1"] {
      let wish: Value = ["name": "x", "scope": "read", "days": days]
      #expect(await fixture.send("POST", "/tokens", token: admin, json: wish).status == 400)
    }
  }

  @Test("CO-900: the last administrator's token is not revoked, another one is")
  func lastAdministrator() async throws {
    try await fixture.prepare()
    let first = try await fixture.token(.admin)
    let own = try await fixture.ok("GET", "/tokens", token: first).items("tokens").filter { $0["scope"] == "admin" }
    let id = try #require(own.last?["id"]?.string)
    for other in own.dropLast() {
      _ = try await fixture.ok("DELETE", "/tokens/\(other["id"]?.string ?? "")", token: first)
    }
    #expect(await fixture.send("DELETE", "/tokens/\(id)", token: first).status == 409)
    #expect(await fixture.send("GET", "/tokens", token: first).status == 200)
    let next = try await fixture.ok("POST", "/tokens", token: first, json: ["name": "next", "scope": "admin"])
    let second = try #require(next["token"]?.string)
    #expect(await fixture.send("DELETE", "/tokens/\(id)", token: second).status == 204)
    #expect(await fixture.send("GET", "/tokens", token: first).status == 401)
  }

  @Test("CO-500: a preview has both links, lets in for 7 days, and can be revoked")
  func previews() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    let path = "/containers/GTM-SHOP/previews"
    let draft = try await fixture.ok("POST", path, token: token, json: ["app": "com.example.shop"])
    let secret = try #require(draft["token"]?.string)
    let query = "id=GTM-SHOP&gtm_auth=\(secret)&gtm_preview=0"
    #expect(draft["appLink"] == .string("tagmanager.c.com.example.shop://preview/p?\(query)"))
    #expect(
      draft["link"] == .string("https://tags.example.com/preview/p?\(query)&gtm_app=com.example.shop"))
    #expect(draft["expires"] == .int(fixture.clock.wallMilliseconds + 7 * 86_400_000))
    let stored = try #require(try await fixture.store.previewToken(SecretDigest(of: secret)))
    #expect(stored.version == nil)
    let none = await fixture.send("POST", path, token: token, json: ["version": 1])
    #expect(none.status == 404)
    _ = try await fixture.ok("POST", "/containers/GTM-SHOP/versions", token: token, json: ["revision": 1])
    let version = try await fixture.ok("POST", path, token: token, json: ["version": 1])
    #expect(version["link"]?.string?.hasSuffix("&gtm_preview=1") == true)
    #expect(version["appLink"] == nil)
    let listed = try await fixture.ok("GET", path, token: token).items("previews")
    #expect(listed.map { $0["version"] } == [1, nil])
    _ = try await fixture.ok("DELETE", path + "/\(version["id"]?.string ?? "")", token: token)
    #expect(try await fixture.ok("GET", path, token: token).items("previews")[0]["revoked"] != nil)
    #expect(await fixture.send("DELETE", path + "/none", token: token).status == 404)
    for app: Value in ["a b", "", "x://y", "é"] {
      #expect(await fixture.send("POST", path, token: token, json: ["app": app]).status == 400)
    }
  }

  @Test("CO-500, TM-1000: the link of the server leads to the app's")
  func redirect() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    let made = try await fixture.ok(
      "POST", "/containers/GTM-SHOP/previews", token: token, json: ["app": "com.example.shop"])
    let link = try #require(made["link"]?.string)
    let response = await fixture.send("GET", link.replacing("https://tags.example.com", with: ""))
    #expect(response.status == 302)
    #expect(response.headers["Location"] == made["appLink"]?.string)
    for query in [
      "", "id=GTM-SHOP&gtm_auth=a&gtm_preview=1", "id=-&gtm_auth=a&gtm_preview=1&gtm_app=a",
      "id=G&gtm_auth=a%0d%0ab&gtm_preview=1&gtm_app=a", "id=G&gtm_auth=a&gtm_preview=x&gtm_app=a",
      "id=G&gtm_auth=a&gtm_preview=1&gtm_app=a%2Fb",
    ] {
      #expect(await fixture.send("GET", "/preview/p?\(query)").status == 400, "\(query)")
    }
  }

  @Test("CO-403: the log is listed in pages, the newest first, with who, what, and from what to what")
  func activity() async throws {
    try await fixture.prepare()
    let admin = try await fixture.token(.admin)
    for number in 1...5 {
      _ = try await fixture.ok(
        "PATCH", "/containers/GTM-SHOP", token: admin, json: ["name": .string("n\(number)")])
    }
    var found: [[String: Value]] = []
    var before = ""
    while true {
      let page = try await fixture.ok("GET", "/activity?container=GTM-SHOP&limit=2\(before)", token: admin)
      found += page.items("activity")
      guard let next = page.integer("next") else { break }
      before = "&before=\(next)"
    }
    let renamings = found.filter { $0["action"] == "containerChanged" }
    #expect(renamings.map { $0["to"] } == ["n5", "n4", "n3", "n2", "n1"])
    #expect(renamings.last?["from"] == "Shop")
    #expect(renamings.allSatisfy { $0["actor"] == "admin" })
    #expect(found.last?["action"] == "containerCreated")
    #expect(found.count == 6)
  }

  @Test("CO-904: no token and no digest is in the log, an export, or any answer but the one that hands it out")
  func secrets() async throws {
    try await fixture.prepare()
    let admin = try await fixture.token(.admin)
    let made = [
      try await fixture.ok("POST", "/tokens", token: admin, json: ["name": "x", "scope": "read"]),
      try await fixture.ok("POST", "/containers/GTM-SHOP/environments", token: admin, json: ["name": "e"]),
      try await fixture.ok("POST", "/containers/GTM-SHOP/environments/e/token", token: admin),
      try await fixture.ok("POST", "/containers/GTM-SHOP/previews", token: admin, json: ["app": "a.b"]),
    ]
    fixture.seen.withLock { $0.removeAll() }
    for operation in fixture.api.operations where operation.method == "GET" {
      let path = operation.path.replacing("{container}", with: "GTM-SHOP").replacing("{kind}", with: "tags")
        .replacing("{version}", with: "1").replacing("{environment}", with: "e").replacing("{id}", with: "1")
        .replacing("{session}", with: "s")
      await fixture.send("GET", path, token: admin)
    }
    let seen = fixture.seen.withLock { $0 }
    #expect(seen.count > 15)
    #expect(fixture.handedOut.count == made.count + 1)
    for secret in fixture.handedOut {
      let digest = SecretDigest(of: secret).bytes
      let hex = digest.map { String($0, radix: 16) }.joined()
      for line in seen {
        #expect(!line.contains(secret.dropFirst(4)))
        #expect(!line.lowercased().contains(hex))
      }
    }
    let log = try await fixture.store.activities(before: nil, of: nil, limit: 1000)
    for line in log {
      for secret in fixture.handedOut { #expect(!"\(line)".contains(secret.dropFirst(4))) }
    }
  }

  @Test("a store that does not work is 5xx without its own words, which go to the log")
  func failing() async throws {
    let directory = try TemporaryDirectory()
    let fixture = APIFixture(try SQLiteWorkspaceStore(path: directory.file("console.sqlite3")))
    let token = try await fixture.token(.admin)
    let other = try WorkspaceTables(path: directory.file("console.sqlite3"))
    try other.run("ALTER TABLE container RENAME TO away")
    let response = await fixture.send("GET", "/containers", token: token)
    #expect(response.status == 500)
    #expect(response.refusal == "FAILED")
    #expect(!response.text.contains("container\""))
    #expect(!response.text.contains(directory.path))
    #expect(fixture.seen.withLock { $0 }.contains { $0.contains("store failed") && $0.contains("no such table") })
  }
}
