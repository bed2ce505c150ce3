import Authoring
import Hits
import TagManager
import Testing

@testable import Console

@Suite("API: entities") struct EntityOperationsTests {
  private let fixture = APIFixture()
  private static let path = "/containers/GTM-SHOP/workspace"

  private func workspace() async throws -> Workspace {
    let text = try #require(try await fixture.store.draft(of: APIFixture.id)?.text)
    return try #require(WorkspaceReading(export: text).workspace)
  }

  @Test(
    "CO-200: entities of every kind are added, read, replaced and removed, by their ids",
    arguments: EntityCollection.allCases)
  func everyKind(collection: EntityCollection) async throws {
    try await fixture.prepare(workspace: Workspace())
    let token = try await fixture.token(.edit)
    let path = "\(Self.path)/\(collection.rawValue)"
    let idField = collection.kind.idField
    var entity: [String: Value] = ["name": "One", "unknown": ["kept", 1.5, nil]]
    if collection == .builtInVariables { entity["type"] = "EVENT_NAME" }
    let made = try await fixture.ok("POST", path + "?revision=1", token: token, json: .map(entity))
    let id = collection == .builtInVariables ? "EVENT_NAME" : "1"
    entity[idField] = .string(id)
    #expect(made["entity"] == .map(entity))
    let read = try await fixture.ok("GET", "\(path)/\(id)", token: token)
    #expect(read["entity"] == .map(entity))
    #expect(read["revision"] == 2)
    entity["name"] = "Two"
    let put = try await fixture.ok("PUT", "\(path)/\(id)?revision=2", token: token, json: .map(entity))
    #expect(put["entity"]?.map?["name"] == "Two")
    let list = try await fixture.ok("GET", path, token: token)
    #expect(list.items("entities") == [entity])
    #expect(list["total"] == 1)
    #expect(collection.fields(in: try await workspace()) == [entity])
    #expect(await fixture.send("POST", path + "?revision=3", token: token, json: .map(entity)).refusal == "EXISTS")
    _ = try await fixture.ok("DELETE", "\(path)/\(id)?revision=3", token: token)
    #expect(await fixture.send("GET", "\(path)/\(id)", token: token).status == 404)
    #expect(await fixture.send("DELETE", "\(path)/\(id)?revision=4", token: token).status == 404)
    #expect(try await fixture.store.draft(of: APIFixture.id)?.revision == 4)
  }

  @Test("CO-205: a variable's new name goes into what refers to it")
  func rename() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    var variable = APIFixture.workspace.variables[0]
    variable.name = "Welcome"
    _ = try await fixture.ok(
      "PUT", Self.path + "/variables/2?revision=1", token: token, json: .map(variable.fields))
    #expect(try await workspace().tags[0].parameters[0].text == "https://example.com/?s={{Welcome}}")
  }

  @Test("a new entity's id is the next number, below those of standard triggers")
  func ids() async throws {
    try await fixture.prepare(
      workspace: Workspace(triggers: ["3", "2147479553", "x"].map { Trigger(fields: ["triggerId": .string($0)]) }))
    let token = try await fixture.token(.edit)
    let made = try await fixture.ok("POST", Self.path + "/triggers?revision=1", token: token, json: ["name": "t"])
    #expect(made["entity"]?.map?["triggerId"] == "4")
  }

  @Test("CO-401: a stale change of an entity is 409, with the change made on what is there now")
  func stale() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    _ = try await fixture.ok("POST", Self.path + "/tags?revision=1", token: token, json: ["name": "Theirs"])
    let response = await fixture.send("POST", Self.path + "/folders?revision=1", token: token, json: ["name": "Mine"])
    #expect(response.refusal == "STALE")
    let yours = response.fields["yours"]?.map?["containerVersion"]?.map
    #expect(yours?["folder"]?.list?.first?.map?["name"] == "Mine")
    #expect(yours?["tag"]?.list?.last?.map?["name"] == "Theirs")
    #expect(try await workspace().folders.isEmpty)
  }

  @Test("entities are listed in pages that fit together")
  func pages() async throws {
    let tags = (0..<25).map { Tag(fields: ["tagId": .string("\($0)"), "name": .string("t\($0)")]) }
    try await fixture.prepare(workspace: Workspace(tags: tags))
    let token = try await fixture.token(.read)
    var found: [Value?] = []
    var after: Int64? = 0
    while let start = after {
      let page = try await fixture.ok("GET", Self.path + "/tags?limit=10&after=\(start)", token: token)
      #expect(page["total"] == 25)
      found += page.items("entities").map { $0["name"] }
      after = page.integer("next")
    }
    #expect(found == (0..<25).map { .string("t\($0)") })
    let beyond = try await fixture.ok("GET", Self.path + "/tags?after=9223372036854775807", token: token)
    #expect(beyond.items("entities").isEmpty)
  }

  @Test("a kind that is none, an id that is none, and a body that is no object are refused")
  func refused() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    #expect(await fixture.send("GET", Self.path + "/widgets", token: token).status == 404)
    #expect(await fixture.send("GET", Self.path + "/tags/99", token: token).status == 404)
    for body in ["[]", "7", "", "{", String(repeating: "[", count: 65) + String(repeating: "]", count: 65)] {
      let response = await fixture.send(
        "PUT", Self.path + "/tags/1?revision=1", token: token, body: Array(body.utf8))
      #expect(response.status == 400)
    }
    let built = await fixture.send("POST", Self.path + "/builtInVariables?revision=1", token: token, json: [:])
    #expect(built.status == 400)
  }

  @Test("CO-401: what could not be read again is not saved: a new name makes a text too long")
  func beyondLimits() async throws {
    var workspace = APIFixture.workspace
    workspace.tags[0].fields["parameter"] = [
      ["type": "TEMPLATE", "key": "url", "value": .string(String(repeating: "{{Greeting}}", count: 80_000))]
    ]
    try await fixture.prepare(workspace: workspace)
    let token = try await fixture.token(.edit)
    let path = "/containers/GTM-SHOP/workspace/variables/2?revision=1"
    let renamed = workspace.variables[0].fields.merging(["name": "A greeting with a long name"]) { $1 }
    let response = await fixture.send("PUT", path, token: token, json: .map(renamed))
    #expect(response.status == 422)
    let draft = try await fixture.ok("GET", "/containers/GTM-SHOP/workspace", token: token)
    #expect(draft.integer("revision") == 1)
  }
}
