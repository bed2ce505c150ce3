import Foundation
import Hits
import TestSupport
import Testing

@testable import Console

@Suite struct WebTagProfileTests {
  private static let good = """
    {"settings": {"event_batch_size": "2", "x": "</script><!--"},
     "loadRules": {"paid": [[{"key": "total", "op": "matches", "value": "^[1-9]"}, {"key": "test", "op": "exists", "not": true}]]},
     "tags": [
      {"uid": "1", "kind": "pixel", "url": "https://v.example/p?e={tealium_event}&t={total}", "on": ["view", "link"], "loadRule": "paid"},
      {"uid": "2", "kind": "script", "url": "http://127.0.0.1:81/s.js", "on": ["view"], "enabled": false}]}
    """

  private static func profile(_ text: String) throws(WebTagProfileError) -> WebTagProfile {
    try WebTagProfile(Array(text.utf8))
  }

  private static func error(_ text: String) -> WebTagProfileError? {
    do throws(WebTagProfileError) {
      _ = try profile(text)
      return nil
    } catch {
      return error
    }
  }

  private static func tag(_ members: String) -> String { "{\"tags\": [{\(members)}]}" }

  @Test("WT-651: a profile has settings, rules and tags; URLs are literals and keys")
  func reading() throws {
    let profile = try Self.profile(Self.good)
    #expect(profile.settings["event_batch_size"] == "2")
    #expect(
      profile.loadRules == [
        "paid": [
          [
            .init(key: "total", op: "matches", value: "^[1-9]", isNegated: false),
            .init(key: "test", op: "exists", value: "", isNegated: true),
          ]
        ]
      ])
    #expect(
      profile.tags == [
        .init(
          uid: "1", kind: "pixel",
          url: [.text("https://v.example/p?e="), .key("tealium_event"), .text("&t="), .key("total")],
          types: ["view", "link"], loadRule: "paid", isEnabled: true),
        .init(
          uid: "2", kind: "script", url: [.text("http://127.0.0.1:81/s.js")], types: ["view"], loadRule: nil,
          isEnabled: false),
      ])
    #expect(try Self.profile("{}") == WebTagProfile())
  }

  @Test(
    "WT-651: what a profile may not have is a named error with its place",
    arguments: [
      ("[]", WebTagProfileError.Code.notJSON, "the file"), ("{", .notJSON, "the file"),
      ("{\"x\": 1}", .unknownMember, "x"),
      ("{\"settings\": 1}", .wrongType, "settings"), ("{\"tags\": {}}", .wrongType, "tags"),
      ("{\"tags\": [{}]}", .missingMember, "tags[0].kind"),
      (
        "{\"loadRules\": {\"a\": [[{\"key\": \"k\", \"op\": \"is\", \"value\": \"\"}]]}}", .unknownOperator,
        "loadRules.a[0][0].op"
      ),
      ("{\"loadRules\": {\"a\": [[{\"op\": \"equals\", \"value\": \"\"}]]}}", .missingMember, "loadRules.a[0][0].key"),
      ("{\"loadRules\": {\"a\": [[{\"key\": \"k\", \"op\": \"equals\"}]]}}", .missingMember, "loadRules.a[0][0].value"),
      ("{\"loadRules\": {\"a\": [{}]}}", .wrongType, "loadRules.a[0]"),
      (tag(#""uid": "1", "kind": "iframe", "url": "https://a.example/", "on": []"#), .unknownKind, "tags[0].kind"),
      (
        tag(#""uid": "1", "kind": "pixel", "url": "https://a.example/", "on": [], "loadRule": "no""#), .unknownRule,
        "tags[0].loadRule"
      ),
      (tag(#""uid": 1, "kind": "pixel", "url": "https://a.example/", "on": []"#), .wrongType, "tags[0].uid"),
      (
        tag(#""uid": "1", "kind": "pixel", "url": "https://a.example/", "on": [], "more": 1"#), .unknownMember,
        "tags[0].more"
      ),
      (tag(#""uid": "1", "kind": "pixel", "url": "https://a.example/"}, {"uid": "1""#), .missingMember, "tags[0].on"),
    ])
  func errors(text: String, code: WebTagProfileError.Code, place: String) {
    #expect(Self.error(text) == WebTagProfileError(code: code, place: place))
  }

  @Test(
    "WT-651: scheme and host of a URL are literal, https, or http on loopback",
    arguments: [
      ("http://a.example/", false), ("https://{h}/", false), ("https://a{h}.example/", false), ("{u}", false),
      ("https://a.example{p}", false), ("javascript:alert(1)", false), ("https://a.example/{", false),
      ("https://a.example/{}", false), ("//a.example/", false), ("https://a.example/{a}{b}", true),
      ("https://a.example?{q}", true), ("http://localhost:1/{q}", true),
    ])
  func urls(url: String, isGood: Bool) {
    let text = Self.tag("\"uid\": \"1\", \"kind\": \"pixel\", \"url\": \"\(url)\", \"on\": [\"view\"]")
    #expect(Self.error(text) == (isGood ? nil : WebTagProfileError(code: .badURL, place: "tags[0].url")))
  }

  @Test("WT-651: a uid is there once")
  func duplicates() {
    let tag = #"{"uid": "1", "kind": "pixel", "url": "https://a.example/", "on": []}"#
    #expect(
      Self.error("{\"tags\": [\(tag), \(tag)]}") == WebTagProfileError(code: .duplicateUID, place: "tags[1].uid"))
  }

  @Test("WT-650: the page has its settings, which cannot end its script, and the script its profile")
  func texts() throws {
    let profile = try Self.profile(Self.good)
    let page = UniversalTagText.page(profile, path: "/utag/a/p/e", published: "202601020304")
    #expect(page.hasPrefix("<!-- mobile.webview ut4.0.202601020304 -->\n"))
    #expect(page.contains(#"var mps = {"4":{},"5":{"event_batch_size":"2","x":"\u003c/script\u003e\u003c!--"}};"#))
    #expect(page.contains(#"<script src="/utag/a/p/e/utag.js"></script>"#))
    #expect(page.components(separatedBy: "</script>").count == 4)
    let script = UniversalTagText.script(profile)
    #expect(script.contains(#""uid":"1""#) && !script.contains(#""uid":"2""#))
  }

  @Test("WT-650: pages and scripts are served with entity tags, and a file that changes is read again")
  func serving() async throws {
    let directory = try TemporaryDirectory()
    let lines = Locked<[String]>([])
    let profiles = WebTagProfiles(data: directory.path) { line in lines.withLock { $0.append(line) } }
    let router = Router(profiles.routes)
    func get(_ path: String, tag: String? = nil) async -> ServerResponse {
      var headers = HTTPHeaders()
      headers["If-None-Match"] = tag
      switch router.decide(method: "GET", path: path, headers: headers) {
      case .answer(let response): return response
      case .handle(_, let handler): return await handler(ServerRequest(method: "GET", path: path, headers: headers))
      }
    }
    let file = directory.path + "/webtags/acme/main/prod.json"
    try FileManager.default.createDirectory(
      atPath: directory.path + "/webtags/acme/main", withIntermediateDirectories: true)
    #expect(await get("/utag/acme/main/prod/mobile.html").status == 404)
    try Data(Self.good.utf8).write(to: URL(fileURLWithPath: file))
    let page = await get("/utag/acme/main/prod/mobile.html")
    let script = await get("/utag/acme/main/prod/utag.js")
    #expect(page.status == 200 && page.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(script.status == 200 && script.headers["Content-Type"] == "text/javascript; charset=utf-8")
    let tag = try #require(page.headers["ETag"])
    let again = await get("/utag/acme/main/prod/mobile.html", tag: tag)
    #expect(again.status == 304 && again.body.isEmpty && again.headers["ETag"] == tag)
    for path in ["/utag/acme/main/dev/mobile.html", "/utag/acme/../prod/utag.js", "/utag/acme/%2E%2E/prod/utag.js"] {
      #expect(await get(path).status == 404)
    }
    try Data("{".utf8).write(to: URL(fileURLWithPath: file))
    #expect(await get("/utag/acme/main/prod/mobile.html").body == page.body)
    #expect(await get("/utag/acme/main/prod/utag.js").body == script.body)
    #expect(lines.withLock { $0 } == ["the web tag profile acme/main/prod is not used: notJSON at the file"])
    try Data("{\"settings\": {\"a\": 1}}".utf8).write(to: URL(fileURLWithPath: file))
    let changed = await get("/utag/acme/main/prod/mobile.html", tag: tag)
    #expect(changed.status == 200 && changed.headers["ETag"] != tag)
    // Larger than it may be, and not a byte of it on the disk: it is refused by its size.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.truncate(atOffset: 8 << 30)
    try handle.close()
    #expect(await get("/utag/acme/main/prod/mobile.html").body == changed.body)
    #expect(lines.withLock { $0.last } == "the web tag profile acme/main/prod is not used: tooLarge at the file")
  }
}
