import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Sessions and rights") struct SessionAccessTests {
  private static let operations = SiteFixture().site.api.operations.filter { $0.access != .open }

  private static func path(of operation: APIOperation, container: String = "GTM-SHOP") -> String {
    operation.path.replacing("{container}", with: container).replacing("{kind}", with: "tags")
      .replacing("{version}", with: "1").replacing("{environment}", with: "live").replacing("{id}", with: "1")
      .replacing("{session}", with: "s")
  }

  @Test(
    "CO-901: each operation takes the role it takes of a token, and refuses those below, in the log",
    arguments: operations.map(\.id))
  func roles(id: String) async throws {
    let operation = try #require(Self.operations.first { $0.id == id })
    let needed = try #require(operation.access.scope)
    for scope in AccessScope.allCases {
      let fixture = SiteFixture()
      try await fixture.prepare()
      try await fixture.person("Ada", AccessRights(everywhere: scope))
      let browser = try await fixture.browser("Ada")
      _ = await browser.get("/account")
      let response = await browser.call(operation.method, Self.path(of: operation))
      let refusals = try await fixture.store.activities(before: nil, of: nil, limit: 9).map(\.activity)
        .filter { $0.action == .refused }
      if scope < needed {
        #expect(response.status == 403)
        #expect(refusals.map(\.subject) == ["\(operation.method) \(operation.path)"])
        #expect(refusals.first?.by.actor == Actor(id: "user:id-Ada", name: "Ada"))
      } else {
        #expect(![401, 403].contains(response.status))
        #expect(refusals.isEmpty)
      }
    }
  }

  @Test("CO-901: the operations that are tried here are those of the description, with its scopes")
  func described() async throws {
    let document = await SiteFixture().send("GET", "/api/openapi.json").fields
    var scopes: [String: String] = [:]
    for (path, item) in document["paths"]?.map ?? [:] {
      for (method, operation) in item.map ?? [:] where method != "parameters" {
        guard let scope = operation.map?["x-scope"]?.string else { continue }
        scopes["\(method.uppercased()) \(path)"] = scope
      }
    }
    #expect(scopes.count > 40)
    let tried = Self.operations.map { ("\($0.method) \(ConsoleAPI.root)\($0.path)", $0.access.scope?.rawValue) }
    #expect(scopes == Dictionary(uniqueKeysWithValues: tried).compactMapValues { $0 })
  }

  @Test(
    "CO-901: a role for one container opens no other, and nothing of the server as a whole",
    arguments: operations.map(\.id))
  func containers(id: String) async throws {
    let operation = try #require(Self.operations.first { $0.id == id })
    let fixture = SiteFixture()
    try await fixture.prepare()
    try await fixture.prepare("GTM-OTHER")
    try await fixture.person("Ada", AccessRights(containers: ["GTM-OTHER": .admin]))
    let browser = try await fixture.browser("Ada")
    _ = await browser.get("/account")
    let response = await browser.call(operation.method, Self.path(of: operation))
    switch operation.access {
    case .open, .any: #expect(response.status != 401)
    case .server: #expect(response.status == 403)
    case .container:
      #expect(response.status == 403)
      #expect(await browser.call(operation.method, Self.path(of: operation, container: "GTM-OTHER")).status != 403)
      #expect(await browser.call(operation.method, Self.path(of: operation, container: "GTM-NONE")).status == 403)
    }
  }

  @Test("CO-901: with roles for several containers, lists hold those, each with what the role in it lets see")
  func several() async throws {
    let fixture = SiteFixture()
    for id: ContainerID in ["GTM-A", "GTM-B", "GTM-C"] { try await fixture.prepare(id) }
    try await fixture.person("Ada", AccessRights(containers: ["GTM-A": .read, "GTM-C": .admin]))
    let browser = try await fixture.browser("Ada")
    _ = await browser.get("/account")
    let listed = await browser.call("GET", "/containers").fields.items("containers")
    #expect(listed.map { $0["id"] } == ["GTM-A", "GTM-C"])
    let page = await browser.get("/containers").text
    #expect(page.contains("GTM-A") && page.contains("GTM-C") && !page.contains("GTM-B"))
    let activity = await browser.call("GET", "/activity").fields.items("activity")
    #expect(Set(activity.compactMap { $0["container"]?.string }) == ["GTM-A", "GTM-C"])
    #expect(await browser.call("GET", "/activity?container=GTM-B").status == 403)
    #expect(await browser.call("GET", "/tokens?container=GTM-A").status == 403)
    #expect(await browser.call("GET", "/tokens?container=GTM-C").status == 200)
    let wish: Value = ["name": "x", "scope": "read", "container": "GTM-A"]
    #expect(await browser.call("POST", "/tokens", json: wish).status == 403)
    #expect(await browser.get("/containers/GTM-B").status == 403)
    #expect(await browser.get("/settings").status == 403)
    #expect(await browser.get("/hits").status == 403)
  }

  @Test("CO-902: a script of a page changes something only with the session's token; reading needs none")
  func csrfOfScripts() async throws {
    let fixture = SiteFixture()
    try await fixture.prepare()
    try await fixture.person("Ada", AccessRights(everywhere: .admin))
    let browser = try await fixture.browser("Ada")
    _ = await browser.get("/account")
    #expect(await browser.call("GET", "/containers", token: "").status == 200)
    let other = BrowserKey(text: Secret(.session, from: SeededRandomSource(seed: 3)).text).token
    for token in ["", "x", other, browser.token + "0", String(browser.token.dropLast())] {
      let response = await browser.call("POST", "/containers", json: ["name": "n"], token: token)
      #expect(response.status == 403)
    }
    #expect(await browser.call("POST", "/containers", json: ["name": "n"]).status == 201)
  }

  @Test("CO-902: every form of every page is refused without its token, and changes nothing")
  func csrfOfForms() async throws {
    let fixture = SiteFixture()
    try await fixture.prepare()
    try await fixture.person("Ada", AccessRights(everywhere: .admin))
    let browser = try await fixture.browser("Ada")
    let log = try await fixture.store.activities(before: nil, of: nil, limit: 99).count
    var count = 0
    for route in fixture.site.routes where route.handlers["POST"] != nil {
      let path = route.path.replacing("{container}", with: "GTM-SHOP").replacing("{kind}", with: "tags")
        .replacing("{id}", with: "1").replacing("{version}", with: "1").replacing("{environment}", with: "live")
      for token in ["", "0123456789abcdef0123456789abcdef"] {
        let response = await browser.post(path, [BrowserKey.field: token, "revision": "1", "name": "x"])
        #expect(response.status == 403, "\(path)")
        count += 1
      }
    }
    #expect(count > 40)
    #expect(try await fixture.store.activities(before: nil, of: nil, limit: 99).count == log)
  }

  @Test("CO-900: people are made, given roles and passwords, and the last administrator stays")
  func users() async throws {
    let fixture = SiteFixture()
    try await fixture.prepare()
    let ada = try await fixture.person("Ada", AccessRights(everywhere: .admin))
    let browser = try await fixture.browser("Ada")
    _ = await browser.get("/account")
    let wish: Value = [
      "name": "Bob", "password": "a good password", "roles": [["role": "editor", "container": "GTM-SHOP"]],
    ]
    let made = await browser.call("POST", "/users", json: wish)
    #expect(made.status == 201)
    #expect(!made.text.contains("password"))
    #expect(await browser.call("POST", "/users", json: wish).status == 409)
    let easy: Value = ["name": "Cy", "password": "short", "roles": []]
    #expect(await browser.call("POST", "/users", json: easy).status == 422)
    let nowhere: Value = [
      "name": "Cy", "password": "a good password", "roles": [["role": "admin", "container": "GTM-X"]],
    ]
    #expect(await browser.call("POST", "/users", json: nowhere).status == 422)
    let id = try #require(made.fields["id"]?.string)
    for change: Value in [["roles": [["role": "viewer"]]], ["isDisabled": true]] {
      #expect(await browser.call("PATCH", "/users/\(ada.id)", json: change).status == 409)
    }
    #expect(await browser.call("PATCH", "/users/\(id)", json: ["roles": [["role": "admin"]]]).status == 200)
    #expect(await browser.call("PATCH", "/users/\(ada.id)", json: ["roles": [["role": "viewer"]]]).status == 200)
    #expect(await browser.call("GET", "/users").status == 403)
    #expect(await browser.call("PUT", "/users/\(id)/password", json: ["password": "another one"]).status == 403)
  }

  @Test("CO-901: the tokens of a person who is let in no more let nobody in either")
  func tokensOfDisabled() async throws {
    let fixture = SiteFixture()
    let ada = try await fixture.person("Ada", AccessRights(everywhere: .admin))
    try await fixture.person("Eve", AccessRights(everywhere: .admin))
    let browser = try await fixture.browser("Ada")
    let made = await browser.call("POST", "/tokens", json: ["name": "own", "scope": "read"])
    let head: HTTPHeaders = ["Authorization": "Bearer \(made.fields["token"]?.string ?? "")"]
    #expect(await fixture.send("GET", "/api/v1/containers", headers: head).status == 200)
    _ = try await fixture.store.setDisabled(true, of: ada.id, by: Authorship(.server, at: 2))
    #expect(await fixture.send("GET", "/api/v1/containers", headers: head).status == 401)
  }

  @Test("CO-901: a token may do no more than the person who has made it still may")
  func tokensOfDemoted() async throws {
    let fixture = SiteFixture()
    try await fixture.prepare()
    let ada = try await fixture.person("Ada", AccessRights(everywhere: .admin))
    try await fixture.person("Eve", AccessRights(everywhere: .admin))
    let browser = try await fixture.browser("Ada")
    let made = await browser.call("POST", "/tokens", json: ["name": "own", "scope": "admin"])
    let head: HTTPHeaders = ["Authorization": "Bearer \(made.fields["token"]?.string ?? "")"]
    for (rights, mayList, maySee) in [
      (AccessRights(everywhere: .admin), 200, 200), (AccessRights(everywhere: .edit), 403, 200),
      (AccessRights(containers: ["GTM-SHOP": .read]), 403, 200), (AccessRights(), 403, 403),
    ] {
      _ = try await fixture.store.setRights(rights, of: ada.id, by: Authorship(.server, at: 2))
      #expect(await fixture.send("GET", "/api/v1/users", headers: head).status == mayList)
      #expect(await fixture.send("GET", "/api/v1/containers/GTM-SHOP", headers: head).status == maySee)
    }
  }

  @Test("CO-100: the set-up over the API may give a password, by which the administrator signs in")
  func setUpWithPassword() async throws {
    let fixture = SiteFixture()
    let secret = Secret(.setup, from: SeededRandomSource(seed: 1))
    _ = try await fixture.store.offerSetup(secret.digest)
    let body: Value = ["token": .string(secret.text), "name": "Ada", "password": .string(SiteFixture.password)]
    let response = await fixture.send("POST", "/api/v1/setup", body: body.jsonBytes)
    #expect(response.status == 201)
    _ = try await fixture.browser("Ada")
  }
}
