import Foundation
import Hits
import TestSupport
import Testing

@Suite struct WebTagsCommandTests {
  private static let page = """
    <!doctype html><script>
    window.utag = {
      handler: { iflag: 1 },
      track(type, data, done) {
        if (data.bad) { throw new TypeError("not today"); }
        done();
      },
    };
    </script>
    <script>missing();</script>
    """

  private func run(
    _ events: String, _ options: [String], environment: [String: String] = [:]
  ) async throws -> Program.Result {
    let directory = try TemporaryDirectory()
    let page = try directory.write(Self.page, to: "page.html")
    let file = try directory.write(events, to: "events.ndjson")
    return try await Program.run(
      ["webtags", "run", "--page", page, "--events", file] + options, environment: environment)
  }

  @Test("WT-960, 961: each event of a file has an outcome, with its line; then come the sums")
  func outcomes() async throws {
    let result = try await run(
      """
      {"type": "view", "title": "Home"}

      {"title": "buy", "data": {"order": "A-1"}}
      {"type": "trade", "title": "t", "data": {"bad": true}}
      """, ["--sandbox", "whenPossible", "--json"])
    guard !result.errors.contains("there is no web engine") else { return print("webtags run: \(result.errors)") }
    #expect(result.status == 1, "\(result.errors)")
    let lines = try result.json.compactMap(\.map)
    #expect(lines.map { $0["line"] } == [1, 3, 4, nil])
    #expect(lines.map { $0["outcome"]?.string } == ["delivered", "delivered", "failed", nil])
    #expect(lines.map { $0["confirmed"] } == [true, true, .null, nil])
    #expect(lines.map { $0["reason"] } == [.null, .null, "script", nil])
    #expect(lines[2]["message"] == "TypeError: not today")
    #expect(lines.prefix(3).allSatisfy { UUID(uuidString: $0["id"]?.string ?? "") != nil && $0["ms"] != nil })
    #expect(lines.last == ["events": 3, "delivered": 2, "dropped": 0, "failed": 1, "page": "ready"])
    #expect(result.errors.contains("console error: ReferenceError"), "\(result.errors)")
  }

  @Test("WT-960: without an engine the command says what is missing, and no event counts as delivered")
  func noEngine() async throws {
    let result = try await run(
      #"{"title": "buy"}"#, ["--json"], environment: ["TAGWORKS_WEBHOST": "/nonexistent/webhost"])
    #expect(result.status == 1)
    #expect(result.errors.contains("there is no web engine: there is no program at /nonexistent/webhost"))
    let lines = try result.json.compactMap(\.map)
    #expect(lines.first?["outcome"] == "carried_over")
    #expect(lines.last == ["events": 1, "delivered": 0, "dropped": 0, "failed": 0, "page": "failed"])
  }

  @Test(
    "WT-960: a line that cannot be read ends the command before a page is opened",
    arguments: [
      #"{"type": 1}"#, #"{"title": []}"#, #"{"data": "x"}"#, #"{"event": "x"}"#, "[]", "{",
    ])
  func badLine(line: String) async throws {
    let result = try await run(
      "{\"title\": \"good\"}\n" + line, [], environment: ["TAGWORKS_WEBHOST": "/nonexistent/webhost"])
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors.contains("line 2") && !result.errors.contains("web engine"))
  }

  @Test(
    "WT-960: what cannot be meant is wrong usage",
    arguments: [
      ["--tag", "gtm"], ["--tag", "gtm:x"], ["--tag", "dataLayer:a b"], ["--tag", "other"], ["--sandbox", "maybe"],
      ["--wait", "-1"], ["--page", "http://10.0.0.1 /"],
    ])
  func usage(words: [String]) async throws {
    let directory = try TemporaryDirectory()
    let page = try directory.write(Self.page, to: "page.html")
    let events = try directory.write("{}", to: "events.ndjson")
    let given = words.first == "--page" ? words : words + ["--page", page]
    #expect(try await Program.run(["webtags", "run", "--events", events] + given).status == 2)
  }
}
