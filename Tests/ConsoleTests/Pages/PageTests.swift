import Authoring
import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Pages") struct PageTests {
  private let fixture = SiteFixture()

  /// A browser of an administrator, and a container.
  private func start() async throws -> TestBrowser {
    try await fixture.prepare()
    try await fixture.person("Ada", AccessRights(everywhere: .admin))
    return try await fixture.browser("Ada")
  }

  private static let shop = "/containers/GTM-SHOP"

  @Test(
    "CO-800: every page has the policy without unsafe-inline, no script or style in it, one heading, and its language")
  func frame() async throws {
    let browser = try await start()
    _ = await browser.post(Self.shop + "/versions", ["revision": "1", "name": "One"])
    for path in Self.pages {
      let response = await browser.get(path)
      #expect(response.status == 200, "\(path)")
      let policy = try #require(response.headers["Content-Security-Policy"])
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
      #expect(!policy.contains("unsafe"))
      #expect(response.headers["X-Content-Type-Options"] == "nosniff")
      #expect(response.headers["Cache-Control"] == "no-store")
      let text = response.text
      #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
      #expect(text.components(separatedBy: "<h1").count == 2, "\(path)")
      #expect(!text.contains(" style=\"") && !text.contains("<style") && !text.contains("javascript:"))
      #expect(text.firstMatch(of: #/ on[a-z]+="/#) == nil)
      for script in text.split(separator: "<script").dropFirst() {
        #expect(script.contains(" src=\"/assets/") && script.prefix { $0 != ">" }.contains("type=\"module\""))
      }
      #expect(text.contains("class=\"skip\" href=\"#content\""))
    }
  }

  static let pages =
    [
      "/containers", "/containers-new", "/hits", "/activity", "/settings", "/settings/users/new", "/account",
    ]
    + [
      "", "/tags", "/tags/new", "/tags/new?type=img", "/tags/1", "/tags/1?as=json", "/triggers", "/triggers/new",
      "/variables", "/variables/2", "/builtInVariables", "/folders", "/folders/new", "/templates", "/changes",
      "/versions",
      "/versions/1", "/publish?version=1", "/preview", "/live", "/exchange", "/activity", "/settings",
    ].map { shop + $0 }

  @Test("CO-800: scripts and the style sheet are kept for a year under names of their content")
  func assets() async throws {
    let page = await TestBrowser(fixture).get("/sign-in").text
    let names = page.matches(of: /"(\/assets\/[^"]+)"/).map { String($0.1) }
    #expect(names.count == 2)
    for name in names {
      let response = await fixture.send("GET", name)
      #expect(response.status == 200)
      #expect(response.headers["Cache-Control"] == "public, max-age=31536000, immutable")
    }
    #expect(await fixture.send("GET", "/assets/../console.js").status == 404)
  }

  @Test("CO-903: no text of an author is markup in any page, whatever field it is typed into")
  func storedScripts() async throws {
    let browser = try await start()
    let hostile = HTMLTests.hostile.filter { $0 != "\0" }
    let fields = Self.hostileWorkspace(hostile)
    _ = try await fixture.store.save(
      fields.exportBytes, of: "GTM-SHOP", basedOn: 1, subject: hostile,
      by: Authorship(Actor(id: "x", name: hostile), at: 2))
    _ = try await fixture.store.rename("GTM-SHOP", to: hostile, by: Authorship(.server, at: 3))
    _ = await browser.get(Self.shop + "/changes")
    let made = await browser.post(
      Self.shop + "/versions", ["revision": "2", "name": hostile.filter { $0 != "\u{1B}" }, "notes": hostile])
    #expect(made.status == 303, "\(made.text)")
    _ = await browser.post(Self.shop + "/settings/tokens", ["token-name": "t<b>", "scope": "read"])
    try await fixture.person(hostile, AccessRights(everywhere: .read))
    fixture.context.watch.take([
      .rejected(
        RejectedHit(code: .badValue, field: hostile, property: hostile, received: 1, raw: Array("a=\(hostile)".utf8)))
    ])
    let paths =
      Self.pages + [Self.shop + "/triggers/3", Self.shop + "/folders/4", Self.shop + "/templates/5", "/hits/1"]
    for path in paths + paths.map({ $0 + ($0.contains("?") ? "&" : "?") + "q=\(URIEscape.hit.escape(hostile))" }) {
      let text = await browser.get(path).text
      #expect(!text.contains("<script>"), "\(path)")
      #expect(!text.contains("<!--"), "\(path)")
      #expect(!text.contains("\u{1B}"), "\(path)")
    }
    let shown = await browser.get(Self.shop + "/tags").text
    #expect(shown.contains("&lt;script&gt;alert(1)"))
  }

  private static func hostileWorkspace(_ text: String) -> Workspace {
    let value = Value.string(text)
    let parameter: Value = [
      ["type": "TEMPLATE", "key": "url", "value": value], ["type": "TEMPLATE", "key": value, "value": value],
    ]
    let condition: Value = [
      "type": "EQUALS",
      "parameter": [
        ["type": "TEMPLATE", "key": "arg0", "value": value], ["type": "TEMPLATE", "key": "arg1", "value": value],
      ],
    ]
    return Workspace(
      fields: ["container": ["publicId": "GTM-SHOP", "usageContext": ["IOS"]]],
      tags: [
        Tag(fields: [
          "tagId": "1", "name": value, "type": "img", "notes": value, "parameter": parameter,
          "firingTriggerId": [value],
          "setupTag": [["tagName": value]], "parentFolderId": "4", "tagFiringOption": value,
        ])
      ],
      triggers: [
        Trigger(fields: [
          "triggerId": "3", "name": value, "type": "CUSTOM_EVENT", "filter": [condition], "notes": value,
        ])
      ],
      variables: [Variable(fields: ["variableId": "2", "name": value, "type": value, "parameter": parameter])],
      builtInVariables: [BuiltInVariable(fields: ["type": value, "name": value])],
      folders: [Folder(fields: ["folderId": "4", "name": value])],
      customTemplates: [CustomTemplate(fields: ["templateId": "5", "name": value, "templateData": value])])
  }

  @Test("CO-502: what a hostile app sends as its outcome is text in the live view")
  func hostileOutcome() async throws {
    let browser = try await start()
    let hostile = Value.string(HTMLTests.hostile)
    let line: Value = [
      "event": hostile, "update": [HTMLTests.hostile: hostile],
      "containers": [
        [
          "rules": [
            [
              "index": 0, "name": hostile, "passed": false,
              "predicates": [["function": hostile, "arguments": ["arg0": hostile]]],
            ]
          ],
          "tags": [["name": hostile, "status": hostile, "rules": [0]]],
          "macros": [["name": hostile, "value": hostile]],
        ]
      ],
    ]
    let token = PreviewToken(
      id: "p", digest: SecretDigest(of: "p"), container: "GTM-SHOP", version: nil, created: Authorship(.server, at: 1),
      expires: .max)
    let rest = (2...40).map { Array("{\"event\":[\($0)],\"containers\":{\"a\":1}}".utf8) }
    #expect(fixture.context.traces.add([line.jsonBytes] + rest, to: "s1", of: token, at: 5))
    for path in [Self.shop + "/live", Self.shop + "/live/events?session=s1&after=0"] {
      let response = await browser.get(path)
      #expect(response.status == 200)
      #expect(!response.text.contains("<script>"))
      #expect(response.text.contains("&lt;script&gt;"))
    }
    let other = await browser.get(Self.shop + "/live/events?session=none")
    #expect(other.status == 404)
  }

  @Test("CO-401: two authors at once: the later save is told, what it typed is there, and may be saved over it")
  func conflict() async throws {
    let ada = try await start()
    try await fixture.person("Bob", AccessRights(everywhere: .edit))
    let bob = try await fixture.browser("Bob")
    let path = Self.shop + "/variables/2"
    let first = await ada.get(path)
    let second = await bob.get(path)
    #expect(await ada.submit(first, to: path, ["p-value": "from Ada"]).status == 303)
    let stale = await bob.submit(second, to: path, ["p-value": "from Bob"])
    #expect(stale.status == 409)
    #expect(stale.text.contains("Ada has saved the workspace"))
    #expect(stale.text.contains("from Ada") && stale.text.contains("from Bob"))
    #expect(FormReader(stale.text).values["p-value"] == "from Bob")
    #expect(try await fixture.draftText().contains("from Ada"))
    #expect(await bob.submit(stale, to: path, [:]).status == 303)
    #expect(try await fixture.draftText().contains("from Bob"))
  }

  @Test("CO-802: a form with an error keeps what was typed, and says at the input what is wrong")
  func formError() async throws {
    let browser = try await start()
    let page = await browser.get(Self.shop + "/tags/new?type=img")
    let sent = ["name": "New <one>", "p-url": "", "firing.0.name": "No such", "notes": "kept"]
    let response = await browser.submit(page, to: Self.shop + "/tags/new", sent)
    #expect(response.status == 422)
    let values = FormReader(response.text).values
    for (name, value) in sent { #expect(values[name] == value) }
    #expect(response.text.contains("aria-invalid=\"true\""))
    #expect(response.text.contains("id=\"f-p-url-problem\""))
    #expect(response.text.contains("role=\"alert\""))
    let taken = await browser.submit(
      response, to: Self.shop + "/tags/new", ["name": "every EVENT", "p-url": "https://a.b", "firing.0.name": ""])
    #expect(taken.text.contains("Another tag has that name."))
    let more = await browser.submit(page, to: Self.shop + "/tags/new", ["name": "x", "more": "firing"])
    #expect(more.text.contains("firing.5.name"))
    let done = await browser.submit(taken, to: Self.shop + "/tags/new", ["name": "Pixel"])
    #expect(done.status == 303)
    #expect(done.headers["Location"] == Self.shop + "/tags/2?done=saved")
  }

  @Test("CO-205: renaming a variable in its form renames its references")
  func renaming() async throws {
    let browser = try await start()
    let page = await browser.get(Self.shop + "/variables/2")
    #expect(await browser.submit(page, to: Self.shop + "/variables/2", ["name": "Welcome"]).status == 303)
    let (_, workspace) = try await fixture.context.draft(of: "GTM-SHOP")
    #expect(workspace.tags[0].parameters[0].text == "https://example.com/?s={{Welcome}}")
  }

  @Test("CO-205: built-in variables are switched on and off, and keep their names")
  func builtIns() async throws {
    let browser = try await start()
    let page = await browser.get(Self.shop + "/builtInVariables")
    _ = await browser.submit(page, to: Self.shop + "/builtInVariables/new", ["on.LANGUAGE": "on", "on.PLATFORM": "on"])
    var (draft, workspace) = try await fixture.context.draft(of: "GTM-SHOP")
    #expect(workspace.builtInVariables.map(\.name) == ["Language", "Platform"])
    let revision = ["revision": String(draft.revision), "on.PLATFORM": "on"]
    _ = await browser.post(Self.shop + "/builtInVariables/new", revision)
    (draft, workspace) = try await fixture.context.draft(of: "GTM-SHOP")
    #expect(workspace.builtInVariables.map(\.name) == ["Platform"])
  }

  @Test("CO-400, CO-802: a version is made, published after a question, and rolled back")
  func publishing() async throws {
    let browser = try await start()
    _ = await browser.get(Self.shop + "/changes")
    for (revision, name) in [("1", "One"), ("1", "Two")] {
      #expect(await browser.post(Self.shop + "/versions", ["revision": revision, "name": name]).status == 303)
    }
    for (version, notice) in [("2", "published"), ("1", "rolledBack")] {
      let page = await browser.get(Self.shop + "/publish?version=\(version)")
      #expect(page.status == 200)
      let done = await browser.submit(page, to: Self.shop + "/publish", [:])
      #expect(done.headers["Location"] == Self.shop + "/versions?done=\(notice)")
    }
    #expect(try await fixture.store.publications(of: "GTM-SHOP", in: "live", limit: 9).map(\.version) == [1, 2])
    let page = await browser.get(Self.shop + "/publish?version=2")
    let wrong = await browser.submit(page, to: Self.shop + "/publish", ["percent": "half"])
    #expect(wrong.status == 422)
    #expect(FormReader(wrong.text).values["percent"] == "half")
    let binary = await browser.get(Self.shop + "/versions/1/download?form=binary")
    #expect(binary.headers["Content-Disposition"] == "attachment; filename=\"GTM-SHOP\"")
    #expect(binary.status == 200)
  }

  @Test(
    "CO-402: with approval on an author cannot publish alone, not with a token either; with another's approval, yes")
  func approval() async throws {
    let admin = try await start()
    for name in ["Eve", "Bob"] {
      try await fixture.person(name, AccessRights(containers: ["GTM-SHOP": .publish]))
    }
    let (author, other) = (try await fixture.browser("Eve"), try await fixture.browser("Bob"))
    #expect(await author.post(Self.shop + "/settings/approval", [:]).status == 403)
    #expect(await admin.post(Self.shop + "/settings/approval", ["approval": "on"]).status == 303)
    let path = Self.shop + "/variables/2"
    #expect(await author.submit(await author.get(path), to: path, ["p-value": "from Eve"]).status == 303)
    #expect(await author.post(Self.shop + "/versions", ["revision": "2", "name": "One"]).status == 303)
    let wish = ["version": "1", "percent": "100", "environment": "live"]
    let refused = await author.post(Self.shop + "/publish", wish)
    #expect(refused.status == 403)
    #expect(refused.text.contains("role=\"alert\"") && refused.text.contains("id=\"f-environment-problem\""))
    #expect(await author.post(Self.shop + "/versions/1/approve", [:]).status == 403)
    #expect(try await fixture.store.publications(of: "GTM-SHOP", in: "live", limit: 9).isEmpty)
    let token = AccessToken(
      id: "t", name: "own", digest: SecretDigest(of: "twa_own"), scope: .publish, container: "GTM-SHOP", created: 1,
      user: "id-Eve")
    try await fixture.store.create(token, by: Authorship(.server, at: 2))
    let byToken = await fixture.send(
      "POST", "/api/v1/containers/GTM-SHOP/environments/live/publish", body: Array("{\"version\":1}".utf8),
      headers: ["Authorization": "Bearer twa_own"])
    #expect(byToken.status == 403)
    #expect(await other.get(Self.shop + "/versions/1").text.contains(">Approve<"))
    #expect(await other.post(Self.shop + "/versions/1/approve", [:]).status == 303)
    #expect(await author.get(Self.shop + "/versions/1").text.contains("Approved by Bob."))
    #expect(await author.post(Self.shop + "/publish", wish).status == 303)
    #expect(try await fixture.store.publications(of: "GTM-SHOP", in: "live", limit: 9).map(\.version) == [1])
  }

  @Test("CO-201: an import is looked at first, then done; the export is what was imported")
  func exchange() async throws {
    let browser = try await start()
    let export = Workspace(tags: [Tag(fields: ["tagId": "9", "name": "Imported", "type": "x", "odd": "<&\"'\r\n"])])
    let boundary = "----x"
    func post(_ fields: [(String, String)], file: [UInt8]?) async -> ServerResponse {
      var body: [UInt8] = []
      for (name, value) in fields + [("csrf", browser.token)] {
        body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
      }
      if let file {
        body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n".utf8)
        body += file + Array("\r\n".utf8)
      }
      body += Array("--\(boundary)--\r\n".utf8)
      return await fixture.send(
        "POST", Self.shop + "/exchange", body: body,
        headers: [
          "Content-Type": "multipart/form-data; boundary=\(boundary)",
          "Cookie": "\(BrowserKey.cookie)=\(browser.cookie ?? "")",
        ])
    }
    _ = await browser.get(Self.shop + "/exchange")
    let dry = await post([("mode", "merge")], file: export.exportBytes)
    #expect(dry.status == 200)
    #expect(dry.text.contains("What would change") && dry.text.contains("Imported"))
    #expect(try await fixture.store.draft(of: "GTM-SHOP")?.revision == 1)
    let values = FormReader(dry.text).values
    let done = await post(
      [("mode", "merge"), ("revision", "1"), ("text", values["text"] ?? "")], file: nil)
    #expect(done.status == 303)
    let (_, workspace) = try await fixture.context.draft(of: "GTM-SHOP")
    #expect(workspace.tags.last?.fields["odd"] == "<&\"'\r\n")
    let none = await post([("mode", "merge")], file: nil)
    #expect(none.text.contains("Choose an export file."))
    let damaged = await post([("mode", "merge")], file: Array("{".utf8))
    #expect(damaged.status == 422)
    let file = await browser.get(Self.shop + "/exchange/export")
    #expect(file.headers["Content-Disposition"] == "attachment; filename=\"GTM-SHOP.workspace.json\"")
    #expect(file.body == workspace.exportBytes)
  }

  @Test("CO-500: a preview link is shown once with its QR code, and revoked")
  func preview() async throws {
    let browser = try await start()
    let page = await browser.get(Self.shop + "/preview")
    let wrong = await browser.submit(page, to: Self.shop + "/preview", ["app": "no app"])
    #expect(wrong.status == 422)
    let made = await browser.submit(wrong, to: Self.shop + "/preview", ["app": "com.example.shop"])
    #expect(made.status == 201)
    let secret = try #require(made.text.firstMatch(of: /gtm_auth=(twp_[A-Za-z0-9_-]+)/).map { String($0.1) })
    #expect(made.text.contains("src=\"data:image/svg+xml;base64,"))
    #expect(made.text.contains("tagmanager.c.com.example.shop://preview/p?id=GTM-SHOP&amp;gtm_auth="))
    let list = await browser.get(Self.shop + "/preview").text
    #expect(!list.contains(secret))
    let id = try #require(list.firstMatch(of: /preview\/([0-9a-f]+)\/revoke/).map { String($0.1) })
    _ = await browser.post(Self.shop + "/preview/\(id)/revoke", [:])
    #expect(try await fixture.store.previewToken(SecretDigest(of: secret))?.revoked != nil)
  }

  @Test("CO-901: what a role cannot do is not offered, and is refused to whoever sends it all the same")
  func offered() async throws {
    _ = try await start()
    try await fixture.person("Vic", AccessRights(containers: ["GTM-SHOP": .read]))
    let browser = try await fixture.browser("Vic")
    let page = await browser.get(Self.shop + "/tags/1").text
    #expect(page.contains(" readonly") && !page.contains(">Save<") && !page.contains("Remove this tag"))
    #expect(!(await browser.get(Self.shop + "/tags").text.contains("New tag")))
    #expect(!(await browser.get(Self.shop + "/changes").text.contains("Make the version")))
    for (path, fields) in [
      ("/tags/1", ["name": "x", "p-url": "https://a.b", "revision": "1"]), ("/tags/1/delete", ["revision": "1"]),
      ("/versions", ["revision": "1"]), ("/publish", ["version": "1", "percent": "100", "environment": "live"]),
      ("/preview", [:]), ("/settings", ["name": "x"]), ("/settings/environments", ["environment": "x"]),
      ("/settings/remove", [:]), ("/settings/tokens", ["token-name": "x", "scope": "read"]),
      ("/builtInVariables/new", ["on.LANGUAGE": "on", "revision": "1"]),
    ] {
      #expect(await browser.post(Self.shop + path, fields).status == 403, "\(path)")
    }
  }

  @Test("CO-801: a viewer of one container, and a page that is not there")
  func missing() async throws {
    let browser = try await start()
    for path in [
      "/containers/GTM-NONE", Self.shop + "/nothing", Self.shop + "/tags/99", Self.shop + "/versions/7",
      Self.shop + "/publish?version=7", "/settings/users/none", "/hits/9", "/containers/%2e%2e", "/containers/..%2f..",
    ] {
      let response = await browser.get(path)
      #expect(response.status == 404, "\(path)")
      #expect(response.headers["Content-Security-Policy"] != nil)
    }
  }
}
