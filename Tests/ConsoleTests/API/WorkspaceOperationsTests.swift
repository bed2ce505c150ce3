import Authoring
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("API: containers and drafts") struct WorkspaceOperationsTests {
  private let fixture = APIFixture()

  @Test("CO-100: the one-time token makes the first administrator, and works once")
  func setUp() async throws {
    let secret = Secret(.setup, from: fixture.random)
    _ = try await fixture.store.offerSetup(secret.digest)
    func setUp(_ token: String) async -> ServerResponse {
      await fixture.send("POST", "/setup", body: Value.map(["token": .string(token), "name": "Ada"]).jsonBytes)
    }
    #expect(await setUp("tws_wrong").status == 403)
    let response = await setUp(secret.text)
    #expect(response.status == 201)
    let token = try #require(response.fields["token"]?.string)
    #expect(response.fields["scope"] == "admin")
    #expect(await setUp(secret.text).status == 403)
    _ = try await fixture.ok("POST", "/containers", token: token, json: ["name": "Shop"])
  }

  @Test("containers are made, read, renamed, removed and restored")
  func containers() async throws {
    let admin = try await fixture.token(.admin)
    let made = try await fixture.ok(
      "POST", "/containers", token: admin, json: ["name": "Café", "id": "GTM-CAFE", "kind": "android"])
    #expect(made["kind"] == "android")
    #expect(try await fixture.ok("GET", "/containers/GTM-CAFE", token: admin) == made)
    let own = try await fixture.ok("POST", "/containers", token: admin, json: ["name": "Other"])
    #expect(own["id"]?.string?.hasPrefix("GTM-") == true)
    #expect(own["kind"] == "ios")
    let again: Value = ["name": "Café", "id": "GTM-CAFE"]
    #expect(await fixture.send("POST", "/containers", token: admin, json: again).refusal == "EXISTS")
    let renamed = try await fixture.ok("PATCH", "/containers/GTM-CAFE", token: admin, json: ["name": "Bar"])
    #expect(renamed["name"] == "Bar")
    _ = try await fixture.ok("DELETE", "/containers/GTM-CAFE", token: admin)
    #expect(await fixture.send("GET", "/containers/GTM-CAFE", token: admin).status == 404)
    let restored = try await fixture.ok("POST", "/restore", token: admin, json: ["container": "GTM-CAFE"])
    #expect(restored == renamed)
    #expect(fixture.deliveries.withLock { $0 } == 4)
    let workspace = try await fixture.ok("GET", "/containers/GTM-CAFE/workspace", token: admin)["workspace"]?.map
    let container = workspace?["containerVersion"]?.map?["container"]?.map
    #expect(container?["publicId"] == "GTM-CAFE")
    #expect(container?["usageContext"] == ["ANDROID"])
  }

  @Test(
    "a field that cannot be used is named",
    arguments: [
      ("{}", ["name is missing"]), (#"{"name":7}"#, ["name must be a text"]),
      (#"{"name":"n","kind":"tv"}"#, ["kind must be one of ios, android, web, server, amp"]),
      (
        #"{"name":"n","colour":1,"kind":1}"#,
        ["kind must be one of ios, android, web, server, amp", "colour is not known here"]
      ),
    ])
  func fields(body: String, messages: [String]) async throws {
    let admin = try await fixture.token(.admin)
    let response = await fixture.send("POST", "/containers", token: admin, body: Array(body.utf8))
    #expect(response.status == 400)
    let diagnostics = response.fields["error"]?.map?["diagnostics"]?.list ?? []
    #expect(diagnostics.compactMap { $0.map?["message"]?.string } == messages)
  }

  @Test(
    "what is no small JSON object is refused before anything is done",
    arguments: [
      "", "[]", "{", "null", #"{"name":"\u0000"}"#, #"{"name":" "}"#, #"{"name":"n","id":"-"}"#,
      String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
    ])
  func bodies(body: String) async throws {
    let admin = try await fixture.token(.admin)
    #expect(await fixture.send("POST", "/containers", token: admin, body: Array(body.utf8)).status == 400)
    let headers: HTTPHeaders = ["Content-Type": "text/plain"]
    let typed = await fixture.send(
      "POST", "/containers", token: admin, body: Array(#"{"name":"n"}"#.utf8), headers: headers)
    #expect(typed.status == 415)
    #expect(try await fixture.store.containers(after: nil, limit: 9).isEmpty)
  }

  @Test("CO-201: what is put is given back, as JSON and as a file")
  func replace() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    let text =
      #"{"exportFormatVersion":2,"x":[1.5,null],"containerVersion":{"tag":[],"y":"é","container":{"publicId":"GTM-SHOP"}}}"#
    let saved = await fixture.send(
      "PUT", "/containers/GTM-SHOP/workspace?revision=1", token: token, body: Array(text.utf8))
    #expect(saved.status == 200)
    #expect(saved.fields["revision"] == 2)
    let draft = try await fixture.ok("GET", "/containers/GTM-SHOP/workspace", token: token)
    #expect(draft["workspace"] == (try Value(json: text)))
    #expect(draft["savedBy"] == "edit")
    let file = await fixture.send("GET", "/containers/GTM-SHOP/workspace/export", token: token)
    #expect(try Value(json: file.body) == Value(json: text))
    #expect(file.headers["Content-Disposition"] == #"attachment; filename="GTM-SHOP.workspace.json""#)
  }

  @Test("CO-401: of two authors at once one saves; the other is told both texts, and neither loses any")
  func twoAuthors() async throws {
    try await fixture.prepare()
    let (ada, bob) = (try await fixture.token(.edit), try await fixture.token(.edit))
    func text(_ name: String) -> Value {
      ["exportFormatVersion": 2, "containerVersion": ["name": .string(name)]]
    }
    let path = "/containers/GTM-SHOP/workspace?revision=1"
    async let first = fixture.send("PUT", path, token: ada, json: text("Ada's"))
    async let second = fixture.send("PUT", path, token: bob, json: text("Bob's"))
    let answers = await [first, second]
    #expect(answers.map(\.status).sorted() == [200, 409])
    let loser = try #require(answers.first { $0.status == 409 })
    #expect(loser.refusal == "STALE")
    let adaLost = answers[0].status == 409
    #expect(loser.fields["yours"] == text(adaLost ? "Ada's" : "Bob's"))
    #expect(loser.fields["theirs"]?.map?["workspace"] == text(adaLost ? "Bob's" : "Ada's"))
    #expect(loser.fields["theirs"]?.map?["revision"] == 2)
    // The second one saves on top of what the first one has made.
    let again = try await fixture.ok(
      "PUT", "/containers/GTM-SHOP/workspace?revision=2", token: bob, json: text("Both"))
    #expect(again["revision"] == 3)
  }

  @Test("CO-903: what is no export file, too deep or too large is refused with its diagnostic")
  func unreadable() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    let path = "/containers/GTM-SHOP/workspace?revision=1"
    let deep = String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
    for (text, code) in [
      ("{", "malformedJSON"), ("{}", "notWorkspaceExport"), (#"{"resource":{}}"#, "notWorkspaceExport"),
      (#"{"containerVersion":{},"exportFormatVersion":9}"#, "unknownExportVersion"),
      (#"{"exportFormatVersion":2,"containerVersion":{"tag":"# + "\(deep)}}", "tooDeep"),
      (#"{"exportFormatVersion":2,"containerVersion":{"tag":[7]}}"#, "wrongType"),
    ] {
      let response = await fixture.send("PUT", path, token: token, body: Array(text.utf8))
      #expect(response.status == 422, "\(text.prefix(60))")
      #expect(response.codes == [code], "\(response.text.prefix(200))")
    }
    let large = [UInt8](repeating: UInt8(ascii: " "), count: WorkspaceLimits.standard.bytes + 1)
    #expect(await fixture.send("PUT", path, token: token, body: large).status == 413)
    #expect(try await fixture.store.draft(of: APIFixture.id)?.revision == 1)
  }

  @Test("a save without its revision, or with one that is none, is refused")
  func revision() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    for query in ["", "?revision=", "?revision=x", "?revision=-1", "?revision=1&colour=red", "?revision=1.5"] {
      let response = await fixture.send(
        "PUT", "/containers/GTM-SHOP/workspace\(query)", token: token, body: APIFixture.workspace.exportBytes)
      #expect(response.status == 400, "\(query)")
    }
  }

  @Test("CO-201: a dry run tells what an import changes, and the import changes just that")
  func importing() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    var imported = APIFixture.workspace
    imported.variables[0].parameters = [Parameter("value", "goodbye")]
    imported.tags = []
    func run(_ query: String) async throws -> [String: Value] {
      try await fixture.ok(
        "POST", "/containers/GTM-SHOP/workspace/import?\(query)", token: token, json: imported.exported)
    }
    let renamed = try await run("revision=1&dryRun=true")
    #expect(renamed["revision"] == 1)
    #expect(renamed.items("changes").map { $0["name"] } == ["Greeting (2)"])
    #expect(renamed.items("renamings").map { $0["to"] } == ["Greeting (2)"])
    let replaced = try await run("revision=1&dryRun=true&conflict=overwrite")
    #expect(replaced.items("changes").map { $0["difference"] } == ["changed"])
    let all = try await run("revision=1&dryRun=true&mode=overwrite")
    #expect(all.items("changes").map { $0["difference"] } == ["removed", "changed"])
    #expect(try await fixture.store.draft(of: APIFixture.id)?.revision == 1)
    let done = try await run("revision=1&mode=overwrite")
    #expect(done["revision"] == 2)
    #expect(done["changes"] == all["changes"])
    let text = try #require(try await fixture.store.draft(of: APIFixture.id)?.text)
    #expect(WorkspaceReading(export: text).workspace?.tags.isEmpty == true)
    let stale = await fixture.send(
      "POST", "/containers/GTM-SHOP/workspace/import?revision=1", token: token, json: imported.exported)
    #expect(stale.status == 409)
  }

  @Test("CO-206: diagnostics come with every save, and a draft with errors is not publishable")
  func diagnostics() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    let path = "/containers/GTM-SHOP/workspace"
    #expect(try await fixture.ok("GET", path + "/diagnostics", token: token)["isPublishable"] == true)
    let saved = try await fixture.ok("DELETE", path + "/variables/2?revision=1", token: token)
    #expect(saved.items("diagnostics").contains { $0["code"] == "unknownReference" })
    let told = try await fixture.ok("GET", path + "/diagnostics", token: token)
    #expect(told["isPublishable"] == false)
    #expect(told.items("diagnostics").first?["entity"]?.map?["name"] == "Every event")
  }

  @Test("CO-207: the draft is compared with a version, or with nothing")
  func compare() async throws {
    try await fixture.prepare()
    let token = try await fixture.token(.edit)
    let path = "/containers/GTM-SHOP/workspace/changes"
    let all = try await fixture.ok("GET", path, token: token).items("changes")
    #expect(all.map { $0["difference"] } == ["added", "added"])
    _ = try await fixture.ok("POST", "/containers/GTM-SHOP/versions", token: token, json: ["revision": 1])
    #expect(try await fixture.ok("GET", path, token: token).items("changes").isEmpty)
    _ = try await fixture.ok("DELETE", "/containers/GTM-SHOP/workspace/tags/1?revision=1", token: token)
    let removed = try await fixture.ok("GET", path + "?version=1", token: token).items("changes")
    #expect(removed.map { $0["difference"] } == ["removed"])
    #expect(await fixture.send("GET", path + "?version=2", token: token).status == 404)
  }

  @Test("CO-801: a container that was just made has no changes, and neither has its first version")
  func compareNew() async throws {
    let admin = try await fixture.token(.admin)
    let made = try await fixture.ok("POST", "/containers", token: admin, json: ["name": "Shop", "id": "GTM-NEW"])
    #expect(made["id"] == "GTM-NEW")
    let path = "/containers/GTM-NEW"
    #expect(try await fixture.ok("GET", path + "/workspace/changes", token: admin).items("changes").isEmpty)
    _ = try await fixture.ok("POST", path + "/versions", token: admin, json: ["revision": 1])
    #expect(try await fixture.ok("GET", path + "/versions/1/changes", token: admin).items("changes").isEmpty)
  }

  @Test("containers are listed in pages")
  func pages() async throws {
    for number in 0..<7 { try await fixture.prepare(ContainerID("GTM-\(number)")) }
    let token = try await fixture.token(.read)
    var found: [String] = []
    var after = ""
    while true {
      let page = try await fixture.ok("GET", "/containers?limit=3\(after)", token: token)
      found += page.items("containers").compactMap { $0["id"]?.string }
      guard let next = page["next"]?.string else { break }
      after = "&after=\(next)"
    }
    #expect(found == (0..<7).map { "GTM-\($0)" })
    for limit in ["0", "1001", "-1", "x"] {
      #expect(await fixture.send("GET", "/containers?limit=\(limit)", token: token).status == 400)
    }
  }
}
