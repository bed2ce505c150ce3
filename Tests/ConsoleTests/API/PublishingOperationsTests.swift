import Authoring
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("API: versions and publishing") struct PublishingOperationsTests {
  private let fixture = APIFixture()
  private static let path = "/containers/GTM-SHOP"

  /// Versions whose greeting is their number.
  private func prepare(versions: Int) async throws -> String {
    try await fixture.prepare()
    let token = try await fixture.token(.admin)
    for number in 1..<versions + 1 {
      let variable: Value = [
        "name": "Greeting", "type": "c",
        "parameter": [["type": "TEMPLATE", "key": "value", "value": .string("\(number)")]],
      ]
      let saved = try await fixture.ok(
        "PUT", Self.path + "/workspace/variables/2?revision=\(number)", token: token, json: variable)
      let made = try await fixture.ok(
        "POST", Self.path + "/versions", token: token,
        json: ["revision": saved["revision"] ?? 0, "name": .string("v\(number)"), "notes": "n"])
      #expect(made["number"] == .int(Int64(number)))
    }
    return token
  }

  @Test("CO-400: versions are made of the revision that was seen, listed, read and compared")
  func versions() async throws {
    let token = try await prepare(versions: 3)
    let first = try await fixture.ok("GET", Self.path + "/versions?limit=2", token: token)
    #expect(first.items("versions").map { $0["number"] } == [3, 2])
    #expect(first["next"] == 2)
    let rest = try await fixture.ok("GET", Self.path + "/versions?before=2", token: token)
    #expect(rest.items("versions").map { $0["name"] } == ["v1"])
    let second = try await fixture.ok("GET", Self.path + "/versions/2", token: token)
    #expect(second["parent"] == 1)
    #expect(second["author"] == "admin")
    #expect(second["created"] == .int(fixture.clock.wallMilliseconds))
    let changes = try await fixture.ok("GET", Self.path + "/versions/3/changes", token: token).items("changes")
    #expect(changes.count == 1)
    #expect(
      changes.first?["fields"] == [["name": "parameter.value", "from": "2", "to": "3"]])
    let far = try await fixture.ok("GET", Self.path + "/versions/3/changes?from=1", token: token).items("changes")
    #expect(far.first?["fields"]?.list?.first?.map?["from"] == "1")
    #expect(await fixture.send("GET", Self.path + "/versions/4", token: token).status == 404)
    #expect(await fixture.send("GET", Self.path + "/versions/x", token: token).status == 404)
    let stale = await fixture.send("POST", Self.path + "/versions", token: token, json: ["revision": 1])
    #expect(stale.refusal == "STALE")
    #expect(stale.fields["theirs"]?.map?["revision"] == 4)
  }

  @Test(
    "CO-405: a version is downloaded in every form, under the name of a default container, each time the same bytes",
    arguments: [
      ("json", "GTM-SHOP.json", ContainerForm.compiledJSON), ("binary", "GTM-SHOP", .binary),
      ("plist", "GTM-SHOP.plist", .propertyList), ("values", "GTM-SHOP.json", .flatJSON),
      ("workspace", "GTM-SHOP.workspace.json", .workspaceExport),
    ])
  func download(form: String, name: String, expected: ContainerForm) async throws {
    let token = try await prepare(versions: 1)
    let path = Self.path + "/versions/1/download?form=\(form)"
    let first = await fixture.send("GET", path, token: token)
    #expect(first.status == 200)
    #expect(first.headers["Content-Disposition"] == "attachment; filename=\"\(name)\"")
    let result = ContainerDecoder.decode(first.body, id: nil)
    #expect(result.form == expected)
    if expected == .compiledJSON || expected == .binary { #expect(result.container?.version == "1") }
    fixture.clock.advance(by: .seconds(1000))
    #expect(await fixture.send("GET", path, token: token) == first)
    #expect(await fixture.send("GET", Self.path + "/versions/1/download?form=zip", token: token).status == 400)
    #expect(await fixture.send("GET", Self.path + "/versions/9/download?form=\(form)", token: token).status == 404)
  }

  @Test("CO-400: each rollback goes to an older version, until there is none")
  func rollingBackAgain() async throws {
    let token = try await prepare(versions: 3)
    let live = Self.path + "/environments/live"
    for version: Value in [1, 2, 3] {
      _ = try await fixture.ok("POST", live + "/publish", token: token, json: ["version": version])
    }
    for version: Value in [2, 1] {
      #expect(try await fixture.ok("POST", live + "/rollback", token: token, json: [:])["version"] == version)
    }
    #expect(await fixture.send("POST", live + "/rollback", token: token).status == 422)
  }

  @Test("CO-400, CO-404: publish, roll out in steps, roll back")
  func publishing() async throws {
    let token = try await prepare(versions: 3)
    let live = Self.path + "/environments/live"
    func post(_ path: String, _ body: Value) async throws -> [Value?] {
      let made = try await fixture.ok("POST", live + path, token: token, json: body)
      return [made["version"], made["percent"], made["previous"], made["sequence"]]
    }
    let before = fixture.deliveries.withLock { $0 }
    #expect(await fixture.send("POST", live + "/rollback", token: token).status == 422)
    #expect(await fixture.send("POST", live + "/rollout", token: token, json: ["percent": 5]).status == 422)
    #expect(
      await fixture.send("POST", live + "/publish", token: token, json: ["version": 1, "percent": 5]).status == 422)
    #expect(try await post("/publish", ["version": 1]) == [1, 100, nil, 1])
    #expect(await fixture.send("POST", live + "/rollback", token: token).status == 422)
    #expect(try await post("/publish", ["version": 2, "percent": 10.25]) == [2, .double(10.25), 1, 2])
    #expect(try await post("/rollout", ["percent": 50]) == [2, 50, 1, 3])
    #expect(try await post("/rollback", [:]) == [1, 100, nil, 4])
    #expect(try await post("/publish", ["version": 3]) == [3, 100, nil, 5])
    #expect(try await post("/rollback", [:]) == [1, 100, nil, 6])
    #expect(try await post("/rollback", ["version": 2]) == [2, 100, nil, 7])
    #expect(fixture.deliveries.withLock { $0 } == before + 7)
    let list = try await fixture.ok("GET", live + "/publications?limit=2", token: token).items("publications")
    #expect(list.map { $0["sequence"] } == [7, 6])
    for body: Value in [["version": 9], ["version": 0]] {
      #expect(await fixture.send("POST", live + "/publish", token: token, json: body).status == 404)
    }
    for body: Value in [["version": 1, "percent": 101], ["version": 1, "percent": 0.001], [:], ["version": -1]] {
      #expect(await fixture.send("POST", live + "/publish", token: token, json: body).status == 400)
    }
    let nowhere = Self.path + "/environments/nowhere"
    #expect(await fixture.send("POST", nowhere + "/publish", token: token, json: ["version": 1]).status == 404)
    #expect(await fixture.send("GET", nowhere + "/publications", token: token).status == 404)
  }

  @Test("CO-206: a version with errors is not published, and the answer says why")
  func errors() async throws {
    let token = try await prepare(versions: 1)
    let saved = try await fixture.ok("DELETE", Self.path + "/workspace/variables/2?revision=2", token: token)
    _ = try await fixture.ok(
      "POST", Self.path + "/versions", token: token, json: ["revision": saved["revision"] ?? 0])
    let response = await fixture.send(
      "POST", Self.path + "/environments/live/publish", token: token, json: ["version": 2])
    #expect(response.status == 422)
    #expect(response.codes.contains("unknownReference"))
    #expect(await fixture.send("GET", Self.path + "/versions/2/download", token: token).status == 422)
    #expect(await fixture.send("GET", Self.path + "/versions/2/download?form=workspace", token: token).status == 200)
  }

  @Test("CO-202: a container of another kind is kept and exported, and says plainly that it is not published")
  func otherKinds() async throws {
    var workspace = APIFixture.workspace
    workspace.container["usageContext"] = ["WEB"]
    try await fixture.prepare(kind: .web, workspace: workspace)
    let token = try await fixture.token(.admin)
    _ = try await fixture.ok("POST", Self.path + "/versions", token: token, json: ["revision": 1])
    let response = await fixture.send(
      "POST", Self.path + "/environments/live/publish", token: token, json: ["version": 1])
    #expect(response.status == 422)
    #expect(response.codes == ["webContainer"])
    #expect(await fixture.send("GET", Self.path + "/workspace/export", token: token).status == 200)
  }

  @Test("CO-202: a container of another kind is not published, whatever its workspace says")
  func otherKind() async throws {
    try await fixture.prepare(kind: .web)
    let token = try await fixture.token(.admin)
    _ = try await fixture.ok("POST", Self.path + "/versions", token: token, json: ["revision": 1])
    let response = await fixture.send(
      "POST", Self.path + "/environments/live/publish", token: token, json: ["version": 1])
    #expect(response.status == 422)
    #expect(response.message == "GTM-SHOP is not for apps, and only what is for apps is published")
  }

  @Test("CO-400: environments have tokens that are shown once, and can be renewed")
  func environments() async throws {
    let token = try await prepare(versions: 1)
    let path = Self.path + "/environments"
    let made = try await fixture.ok("POST", path, token: token, json: ["name": "staging"])
    #expect(made["number"] == 2)
    let secret = try #require(made["token"]?.string)
    #expect(try await fixture.store.environments(of: APIFixture.id)[1].digest == SecretDigest(of: secret))
    _ = try await fixture.ok("POST", path + "/staging/publish", token: token, json: ["version": 1])
    let list = try await fixture.ok("GET", path, token: token).items("environments")
    #expect(list.map { $0["name"] } == ["live", "staging"])
    #expect(list[0]["publication"] == nil)
    #expect(list[1]["publication"]?.map?["version"] == 1)
    #expect(list[1]["token"] == nil)
    let renewed = try await fixture.ok("POST", path + "/staging/token", token: token)
    #expect(renewed["token"]?.string != secret)
    #expect(await fixture.send("POST", path + "/live/token", token: token).status == 422)
    #expect(await fixture.send("DELETE", path + "/live", token: token).status == 422)
    #expect(await fixture.send("POST", path, token: token, json: ["name": "staging"]).refusal == "EXISTS")
    for name: Value in ["a b", "", ".", "..", ".hidden", "a/b", "é"] {
      #expect(await fixture.send("POST", path, token: token, json: ["name": name]).status == 400, "\(name)")
    }
    for name: Value in ["LIVE", "Staging"] {
      let refused = await fixture.send("POST", path, token: token, json: ["name": name])
      #expect(refused.status == 409)
      #expect(refused.message.contains("case of letters"))
    }
    _ = try await fixture.ok("DELETE", path + "/staging", token: token)
    #expect(await fixture.send("DELETE", path + "/staging", token: token).status == 404)
  }
}
