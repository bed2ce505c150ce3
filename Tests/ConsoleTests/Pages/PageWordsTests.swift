import Authoring
import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

/// What pages say to somebody who knows the words of tag management, and nothing of this program.
@Suite("Words of the pages") struct PageWordsTests {
  private let fixture = SiteFixture()
  private static let shop = "/containers/GTM-SHOP"

  private func start() async throws -> TestBrowser {
    try await fixture.prepare()
    try await fixture.person("Ada", AccessRights(everywhere: .admin))
    return try await fixture.browser("Ada")
  }

  @Test("CO-801: the overview counts in words: nothing, one change, several, and how often apps asked")
  func overview() async throws {
    let browser = try await start()
    _ = await browser.post("/containers", ["name": "New", "id": "GTM-NEW"])
    let new = await browser.get("/containers/GTM-NEW").text
    #expect(new.contains("Nothing is in it yet.") && new.contains("This container is empty. What to do next:"))
    #expect(new.contains("No app has asked for the container since the server started."))
    #expect(await browser.get(Self.shop).text.contains("2 changes, and no version yet."))
    _ = await browser.post(Self.shop + "/versions", ["revision": "1", "name": "One"])
    #expect(await browser.get(Self.shop).text.contains("No changes since the last version."))
    let page = await browser.get(Self.shop + "/variables/2")
    _ = await browser.submit(page, to: Self.shop + "/variables/2", ["p-value": "Good day"])
    fixture.site.fetches.note("GTM-SHOP", 200)
    let changed = await browser.get(Self.shop).text
    #expect(changed.contains("1 change since the last version."))
    #expect(changed.contains("Apps asked for the container 1 time since the server started, and got a new one 1 time."))
    fixture.site.fetches.note("GTM-SHOP", 304)
    #expect(await browser.get(Self.shop).text.contains("2 times since the server started, and got a new one 1 time."))
  }

  @Test("CO-802: what cannot be undone is asked once, with what follows from it")
  func confirmations() async throws {
    let browser = try await start()
    for (path, fields) in [
      ("/settings/tokens", ["token-name": "nightly", "scope": "read"]), (Self.shop + "/preview", ["app": "com.a"]),
      (Self.shop + "/settings/environments", ["environment": "staging"]),
    ] {
      #expect(await browser.post(path, fields).status == 201)
    }
    for (path, steps) in [
      ("/settings", ["Revoke nightly"]), (Self.shop + "/preview", ["Revoke the link of"]),
      (Self.shop + "/settings", ["New token of environment staging", "Remove of environment staging"]),
    ] {
      let text = await browser.get(path).text
      for step in steps {
        let parts = text.components(separatedBy: "<details class=\"ask\"><summary aria-label=\"\(step)")
        #expect(parts.count == 2, "\(step)")
        #expect(parts.last?.prefix(900).contains("This cannot be undone.") == true, "\(step)")
      }
    }
  }

  @Test("CO-400: changes are told in the words of the forms, with the names of triggers")
  func changes() async throws {
    let browser = try await start()
    _ = await browser.post(Self.shop + "/versions", ["revision": "1", "name": "One"])
    let trigger = await browser.get(Self.shop + "/triggers/new")
    _ = await browser.submit(trigger, to: Self.shop + "/triggers/new", ["name": "Thanks", "event-name": "buy"])
    let tag = await browser.get(Self.shop + "/tags/1")
    let saved = await browser.submit(
      tag, to: Self.shop + "/tags/1",
      ["p-url": "https://example.com/new", "firing.0.name": "Thanks", "paused": "on", "option": "ONCE_PER_LOAD"])
    #expect(saved.status == 303)
    let text = await browser.get(Self.shop + "/changes").text
    #expect(text.contains("Since version 1"))
    for title in ["Address", "Firing triggers", "Paused", "How often"] {
      #expect(text.contains("<th scope=\"row\">\(title)</th>"), "\(title)")
    }
    for value in ["Thanks", "yes", "Once per load"] {
      #expect(text.contains("<span class=\"value\">\(value)</span>"), "\(value)")
    }
    let activity = await browser.get(Self.shop + "/activity").text
    #expect(activity.contains("saved in the draft: tag <a href=\"/containers/GTM-SHOP/tags/1\">Every event</a>"))
    #expect(activity.contains("made version 1") && activity.contains(">revision 1<"))
  }

  @Test("CO-403: every action has words of its own")
  func activity() {
    func words(_ action: String, _ subject: String) -> String {
      ActivitySentence(line: ["action": .string(action), "subject": .string(subject)]).html.markup
    }
    #expect(words("published", "environment live") == "published in environment live")
    #expect(words("previewCreated", "preview 1f") == "made a preview link")
    #expect(words("containerChanged", "name") == "changed the container&#39;s name")
    #expect(words("refused", "GET /users") == "was refused GET /users")
    #expect(words("later", "thing") == "later thing")
    #expect(words("draftSaved", "tag 7") == "saved in the draft: tag 7")
    #expect(words("draftSaved", "import") == "imported into the draft")
  }

  @Test("CO-800: times say their zone, also where no script runs")
  func times() {
    #expect(
      TimeText.html(1_800_000_000_000).markup
        == "<time datetime=\"2027-01-15T08:00:00Z\" title=\"2027-01-15 08:00:00 UTC\">2027-01-15 08:00:00 UTC</time>")
  }

  @Test("CO-401: built-in variables that were switched too late are shown as they were ticked, and may be saved over")
  func lateBuiltIns() async throws {
    let browser = try await start()
    let first = await browser.get(Self.shop + "/builtInVariables")
    _ = await browser.submit(first, to: Self.shop + "/builtInVariables/new", ["on.LANGUAGE": "on"])
    let late = await browser.submit(first, to: Self.shop + "/builtInVariables/new", ["on.PLATFORM": "on"])
    #expect(late.status == 409)
    #expect(late.text.contains("role=\"alert\"") && late.text.contains("Ada has saved the workspace"))
    let values = FormReader(late.text).values
    #expect(values["on.PLATFORM"] == "on" && values["on.LANGUAGE"] == nil)
    #expect(await browser.submit(late, to: Self.shop + "/builtInVariables/new", [:]).status == 303)
    let (_, workspace) = try await fixture.context.draft(of: "GTM-SHOP")
    #expect(workspace.builtInVariables.map(\.name) == ["Platform"])
  }

  @Test("CO-400: an old version is put into the draft after a look at what would change")
  func restoring() async throws {
    let browser = try await start()
    _ = await browser.post(Self.shop + "/versions", ["revision": "1", "name": "One"])
    let page = await browser.get(Self.shop + "/variables/2")
    _ = await browser.submit(page, to: Self.shop + "/variables/2", ["p-value": "from later"])
    #expect(await browser.get(Self.shop + "/versions/1").text.contains("Put it into the draft"))
    let dry = await browser.post(Self.shop + "/versions/1/draft", [:])
    #expect(dry.status == 200 && dry.text.contains("What would change") && dry.text.contains("from later"))
    #expect(try await fixture.draftText().contains("from later"))
    let values = FormReader(dry.text).values
    #expect(values["mode"] == "overwrite" && values["revision"] == "2")
    let done = await browser.post(
      Self.shop + "/exchange", ["mode": "overwrite", "revision": "2", "text": values["text"] ?? ""])
    #expect(done.status == 303)
    #expect(!(try await fixture.draftText().contains("from later")))
    try await fixture.person("Vic", AccessRights(containers: ["GTM-SHOP": .read]))
    let viewer = try await fixture.browser("Vic")
    #expect(!(await viewer.get(Self.shop + "/versions/1").text.contains("Put it into the draft")))
    #expect(await viewer.post(Self.shop + "/versions/1/draft", [:]).status == 403)
  }

  @Test("CO-500: a preview link that leads to no app is told to people in a page, to programs as JSON")
  func uselessLink() async throws {
    let path = "/preview/p?id=GTM-SHOP&gtm_auth=twp_a&gtm_preview=0"
    let page = await fixture.send("GET", path, headers: ["Accept": "text/html,*/*"])
    #expect(page.status == 400 && page.text.contains("make a link with the app&#39;s ID"))
    #expect(page.headers["Content-Security-Policy"] != nil)
    let json = await fixture.send("GET", path)
    #expect(json.headers["Content-Type"]?.hasPrefix("application/json") == true)
    let app = await fixture.send("GET", path + "&gtm_app=com.example.shop", headers: ["Accept": "text/html"])
    #expect(app.status == 302)
  }

  @Test(
    "CO-202: the versions of a container that is not for apps say that they are not published, and offer no such step")
  func unpublished() async throws {
    try await fixture.person("Ada", AccessRights(everywhere: .admin))
    let browser = try await fixture.browser("Ada")
    _ = await browser.post("/containers", ["name": "Site", "id": "GTM-WEB", "kind": "web"])
    _ = await browser.post("/containers/GTM-WEB/versions", ["revision": "1", "name": "One"])
    for path in ["/containers/GTM-WEB/versions", "/containers/GTM-WEB/versions/1"] {
      let text = await browser.get(path).text
      #expect(text.contains("This container is for Web.") && !text.contains(">Publish<"), "\(path)")
    }
  }

  @Test("CO-801: an error in a container leads back to it, and not out of it")
  func wayBack() async throws {
    let browser = try await start()
    _ = await browser.get(Self.shop + "/tags/1")
    let late = await browser.post(Self.shop + "/tags/1/delete", ["revision": "7"])
    #expect(late.status == 409)
    #expect(late.text.contains("<a href=\"/containers/GTM-SHOP\">To the container</a>"))
  }

  @Test(
    "CO-802: every form says at its input what is wrong, announces it, and keeps what was typed",
    arguments: [
      ("/containers", "name", ["name": " ", "kind": "web", "id": "GTM-X"]),
      ("/containers", "id", ["name": "Kept", "id": "no id!"]),
      ("/containers", "id", ["name": "Kept", "id": "GTM-SHOP"]),
      ("/settings/tokens", "token-name", ["token-name": "", "days": "9"]),
      ("/settings/tokens", "days", ["token-name": "Kept", "days": "soon"]),
      ("/settings/users/new", "name", ["name": "", "password": SiteFixture.password, "role": "editor"]),
      ("/settings/users/new", "password", ["name": "Kept", "password": "short"]),
      ("/settings/users/new", "name", ["name": "ada", "password": SiteFixture.password]),
      ("/settings/users/id-Ada/password", "password", ["password": "short"]),
      ("/settings/restore", "container", ["container": "GTM-NONE"]),
      ("/account", "password", ["current": SiteFixture.password, "password": "short"]),
      ("/account", "current", ["current": "another", "password": SiteFixture.password]),
      (shop + "/settings", "name", ["name": ""]),
      (shop + "/settings/environments", "environment", ["environment": "a b"]),
      (shop + "/settings/environments", "environment", ["environment": "live"]),
      (shop + "/settings/tokens", "days", ["token-name": "Kept", "days": "0"]),
      (shop + "/preview", "app", ["app": "no app"]), (shop + "/exchange", "file", ["mode": "overwrite"]),
      (shop + "/publish", "percent", ["version": "1", "percent": "101", "environment": "live"]),
      (shop + "/versions", "name", ["revision": "1", "name": String(repeating: "x", count: 300), "notes": "kept"]),
    ] as [(String, String, [String: String])])
  func formErrors(path: String, input: String, fields: [String: String]) async throws {
    let browser = try await start()
    _ = await browser.post(Self.shop + "/versions", ["revision": "1", "name": "One"])
    let response = await browser.post(path, fields)
    #expect([409, 422].contains(response.status))
    let text = response.text
    #expect(text.contains("role=\"alert\"") && text.contains("id=\"f-\(input)-problem\""))
    let tag = text.components(separatedBy: " id=\"f-\(input)\"").last?.prefix { $0 != ">" } ?? ""
    #expect(tag.contains("aria-invalid=\"true\"") && tag.contains("f-\(input)-problem"))
    let values = FormReader(text).values
    for (name, value) in fields where !["password", "current", "version", "revision"].contains(name) {
      #expect(values[name] == value, "\(name)")
    }
    #expect(!text.contains("value=\"short\"") && !text.contains(SiteFixture.password))
  }

  @Test("CO-801: where there is nothing yet, the page says what to do next")
  func emptyStates() async throws {
    try await fixture.person("Ada", AccessRights(everywhere: .admin))
    let browser = try await fixture.browser("Ada")
    #expect(await browser.get("/containers").text.contains("There is no container yet. Make one"))
    _ = await browser.post("/containers", ["name": "New", "id": "GTM-NEW"])
    for (path, next) in [
      ("", "Make a trigger"), ("/tags", "Make a trigger first"), ("/triggers", "New trigger"),
      ("/variables", "New variable"), ("/folders", "New folder"), ("/templates", "came with an import"),
      ("/changes", "Make a version"), ("/versions", "Look at the draft&#39;s changes and make one"),
      ("/preview", "Make one, and open it on a device"), ("/live", "Make a preview link"),
    ] {
      let text = await browser.get("/containers/GTM-NEW" + path).text
      #expect(text.contains("class=\"empty\""), "\(path)")
      #expect(text.contains(next), "\(path)")
    }
  }

  @Test("CO-701: one hit is shown with the names of its fields, a rejected one with the reason")
  func hits() async throws {
    let browser = try await start()
    let body = "v=1&tid=UA-1-1&cid=c&t=event&ec=Shop&ea=view&ev=7"
    let hit = IntakeHit(
      id: HitID(high: 1, low: 1), property: "UA-1-1", kind: "event", occurred: 5, received: 9, source: .collect,
      body: Array(body.utf8))
    let refused = RejectedHit(
      code: .badValue, field: "ev", property: "UA-1-1", received: 9, raw: Array("ev=x".utf8))
    fixture.context.watch.take([.accepted(hit), .rejected(refused)])
    let page = await browser.get("/hits/1").text
    for (key, name, value) in [("ec", "Event category", "Shop"), ("ev", "Event value", "7")] {
      let row = "<th class=\"mono\" scope=\"row\">\(key)</th><td data-label=\"Name\">\(name)</td>"
      #expect(page.contains(row + "<td class=\"mono\" data-label=\"Value\">\(value)</td>"))
    }
    #expect(await browser.get("/hits/2").text.contains("Why it was rejected: bad value: ev (Event value)"))
  }

  @Test("CO-701: without hits the page says that they show up by themselves, and whether a filter is why")
  func noHits() async throws {
    let browser = try await start()
    #expect(await browser.get("/hits").text.contains("No hit has come since the server started."))
    #expect(await browser.get("/hits?kind=event").text.contains("None of the last hits is like that"))
  }
}
