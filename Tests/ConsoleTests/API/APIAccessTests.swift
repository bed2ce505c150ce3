import Authoring
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("API access") struct APIAccessTests {
  private static let operations = APIFixture().api.operations

  /// A path with the names filled in.
  private static func path(of operation: APIOperation, container: String = "GTM-SHOP") -> String {
    operation.path.replacing("{container}", with: container).replacing("{kind}", with: "tags")
      .replacing("{version}", with: "1").replacing("{environment}", with: "live").replacing("{id}", with: "1")
      .replacing("{session}", with: "s")
  }

  @Test("CO-900: without a valid token every operation but the setup is 401", arguments: operations.map(\.id))
  func noToken(id: String) async throws {
    let fixture = APIFixture()
    try await fixture.prepare()
    let operation = try #require(Self.operations.first { $0.id == id })
    let expired = try await fixture.token(.admin, expires: fixture.clock.wallMilliseconds)
    let headers: [HTTPHeaders] = [
      [:], ["Authorization": ""], ["Authorization": "Bearer"], ["Authorization": "Bearer "],
      ["Authorization": "Bearer twa_nothing"], ["Authorization": "Basic YTpi"], ["Authorization": "Bearer \(expired)"],
    ]
    for head in headers {
      let response = await fixture.send(
        operation.method, Self.path(of: operation), body: operation.bodyLimit > 0 ? Array("{}".utf8) : [],
        headers: head)
      guard operation.access != .open else {
        #expect(response.status == 400)
        continue
      }
      #expect(response.status == 401)
      #expect(response.refusal == "NO_TOKEN")
      #expect(response.headers["WWW-Authenticate"] == "Bearer")
    }
  }

  @Test(
    "CO-900, CO-901: each operation takes its scope and those above, and refuses those below, in the log",
    arguments: operations.filter { $0.access != .open }.map(\.id))
  func scopes(id: String) async throws {
    let operation = try #require(Self.operations.first { $0.id == id })
    let needed = try #require(operation.access.scope)
    for scope in AccessScope.allCases {
      let fixture = APIFixture()
      try await fixture.prepare()
      let token = try await fixture.token(scope)
      let response = await fixture.send(operation.method, Self.path(of: operation), token: token)
      let log = try await fixture.store.activities(before: nil, of: nil, limit: 9)
      let refusals = log.filter { $0.activity.action == .refused }.map(\.activity)
      if scope < needed {
        #expect(response.status == 403)
        #expect(response.refusal == "FORBIDDEN")
        #expect(refusals.map(\.subject) == ["\(operation.method) \(operation.path)"])
        #expect(refusals.first?.from == scope.rawValue)
        #expect(refusals.first?.to == needed.rawValue)
      } else {
        #expect(![401, 403].contains(response.status))
        #expect(refusals.isEmpty)
      }
    }
  }

  @Test(
    "CO-901: a token for one container opens no other, and nothing of the server as a whole",
    arguments: operations.filter { $0.access != .open }.map(\.id))
  func containers(id: String) async throws {
    let operation = try #require(Self.operations.first { $0.id == id })
    let fixture = APIFixture()
    try await fixture.prepare()
    try await fixture.prepare("GTM-OTHER")
    let token = try await fixture.token(.admin, for: "GTM-OTHER")
    let response = await fixture.send(operation.method, Self.path(of: operation), token: token)
    switch operation.access {
    case .open: break
    case .any: #expect(response.status != 403)
    case .server: #expect(response.status == 403)
    case .container:
      #expect(response.status == 403)
      let own = await fixture.send(operation.method, Self.path(of: operation, container: "GTM-OTHER"), token: token)
      #expect(own.status != 403)
      // Whether there is such a container is not told either.
      let none = await fixture.send(operation.method, Self.path(of: operation, container: "GTM-NONE"), token: token)
      #expect(none.status == 403)
    }
  }

  @Test("what an operation without a container shows to a token for one is about that one")
  func filtered() async throws {
    let fixture = APIFixture()
    try await fixture.prepare()
    try await fixture.prepare("GTM-OTHER")
    let token = try await fixture.token(.admin, for: "GTM-OTHER")
    _ = try await fixture.token(.read)
    let containers = try await fixture.ok("GET", "/containers", token: token).items("containers")
    #expect(containers.map { $0["id"] } == ["GTM-OTHER"])
    let tokens = try await fixture.ok("GET", "/tokens", token: token).items("tokens")
    #expect(tokens.map { $0["container"] } == ["GTM-OTHER"])
    let activity = try await fixture.ok("GET", "/activity", token: token).items("activity")
    #expect(!activity.isEmpty)
    #expect(activity.allSatisfy { $0["container"] == "GTM-OTHER" })
    for path in ["/tokens?container=GTM-SHOP", "/activity?container=GTM-SHOP"] {
      #expect(await fixture.send("GET", path, token: token).status == 403)
    }
    for container: Value in ["GTM-SHOP", nil] {
      let wish: Value = ["name": "n", "scope": "read", "container": container]
      #expect(await fixture.send("POST", "/tokens", token: token, json: wish).status == 403)
    }
    let log = try await fixture.store.activities(before: nil, of: "GTM-OTHER", limit: 99).map(\.activity)
    #expect(
      log.filter { $0.action == .refused }.map(\.subject) == ["POST /tokens", "GET /activity", "GET /tokens"])
    let foreign = try await fixture.store.tokens(of: nil).first { $0.container == nil }
    #expect(await fixture.send("DELETE", "/tokens/\(foreign?.id ?? "")", token: token).status == 404)
  }

  @Test("CO-901, CO-802: who may remove a container may undo that, with the same token; others are told whose it is")
  func restore() async throws {
    let fixture = APIFixture()
    try await fixture.prepare()
    try await fixture.prepare("GTM-OTHER")
    let own = try await fixture.token(.admin, for: "GTM-SHOP")
    let other = try await fixture.token(.admin, for: "GTM-OTHER")
    _ = try await fixture.ok("DELETE", "/containers/GTM-SHOP", token: own)
    let refused = await fixture.send("POST", "/restore", token: other, json: ["container": "GTM-SHOP"])
    #expect(refused.status == 403)
    #expect(refused.message == "the token is for container GTM-OTHER alone")
    let restored = try await fixture.ok("POST", "/restore", token: own, json: ["container": "GTM-SHOP"])
    #expect(restored["id"] == "GTM-SHOP")
    let create = await fixture.send("POST", "/containers", token: own, json: ["name": "n"])
    #expect(create.message == "the token is for container GTM-SHOP alone")
  }

  @Test("CO-900: a token can be asked what it may do")
  func own() async throws {
    let fixture = APIFixture()
    try await fixture.prepare()
    let token = try await fixture.ok("GET", "/token", token: try await fixture.token(.publish, for: "GTM-SHOP"))
    #expect(token["scope"] == "publish")
    #expect(token["container"] == "GTM-SHOP")
    #expect(token["token"] == nil)
  }

  @Test("CO-900: a body that is packed is refused by its head's word, and not read as if it were plain")
  func packed() async throws {
    let fixture = APIFixture()
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    for coding in ["gzip", "br", "identity, gzip"] {
      let response = await fixture.send(
        "PUT", "/containers/GTM-SHOP/workspace?revision=1", token: token, body: APIFixture.workspace.exportBytes,
        headers: ["Content-Encoding": coding])
      #expect(response.status == 415)
      #expect(response.message.contains("Content-Encoding"))
    }
    let plain = await fixture.send(
      "PUT", "/containers/GTM-SHOP/workspace?revision=1", token: token, body: APIFixture.workspace.exportBytes,
      headers: ["Content-Encoding": "identity"])
    #expect(plain.status == 200)
  }

  @Test("CO-403: the use of a token is in the log once an hour, a refusal once a minute")
  func notes() async throws {
    let fixture = APIFixture()
    let token = try await fixture.token(.read)
    func count(_ action: Activity.Action) async throws -> Int {
      try await fixture.store.activities(before: nil, of: nil, limit: 1000).filter { $0.activity.action == action }
        .count
    }
    for minute in 0..<120 {
      for _ in 0..<3 {
        #expect(await fixture.send("GET", "/containers", token: token).status == 200)
        #expect(await fixture.send("GET", "/tokens", token: token).status == 403)
      }
      if minute < 119 { fixture.clock.advance(by: .seconds(60)) }
    }
    #expect(try await count(.tokenUsed) == 2)
    #expect(try await count(.refused) == 120)
  }
}
