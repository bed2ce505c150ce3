import Foundation
import Hits
import TestSupport
import Testing

@Suite struct ContainerCommandTests {
  private static let sample = SampleShopTests.folder.appendingPathComponent("GTM-SHOP.json").path

  @Test("check prints one document with the documented fields, and exit 0 for a usable container")
  func check() async throws {
    let result = try await Program.run(["container", "check", "--json", Self.sample])
    #expect(result.status == 0)
    let report = try #require(try result.json.first?.map)
    #expect(report["form"] == "compiledJSON")
    #expect(report["id"] == "GTM-SHOP")
    #expect(report["version"] == "3")
    #expect(report["usable"] == true)
    #expect(report["macros"] == 31)
    #expect(report["tags"] == 10)
    #expect(report["predicates"] == 10)
    #expect(report["rules"] == 9)
    #expect(report["diagnostics"] == [])
  }

  @Test(
    "check refuses what is no compiled container by name, with the file's name and the place, exit 1",
    arguments: [
      ("export.json", #"{"exportFormatVersion": 2, "containerVersion": {}}"#, "workspaceExport"),
      ("page.json", "<html><body>Sign in</body></html>", "htmlDocument"),
      ("cut.json", #"{"resource": {"macros": ["#, "malformedJSON"),
      ("empty", "", "emptyFile"),
    ])
  func refused(name: String, content: String, code: String) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(content, to: name)
    let result = try await Program.run(["container", "check", path])
    #expect(result.status == 1)
    #expect(result.errors.contains(name))
    #expect(result.errors.contains(code))
    #expect(!result.errors.contains("Fatal error"))
  }

  @Test("get gives the value of the language's collection and the rule that chose it")
  func get() async throws {
    let result = try await Program.run(["container", "get", Self.sample, "greeting", "--language", "es-ES", "--json"])
    #expect(result.status == 0)
    let lookup = try #require(try result.json.first?.map)
    #expect(lookup["value"] == "Hola")
    #expect(lookup["rule"] == "Spanish")
    #expect(lookup["reason"] == "value")
  }

  @Test("get says that a key is unknown and names the nearest one")
  func unknownKey() async throws {
    let result = try await Program.run(["container", "get", Self.sample, "greetin"])
    #expect(result.status == 1)
    #expect(result.output.contains("unknownKey"))
    #expect(result.errors.contains("greeting"))
  }

  @Test("run prints one outcome a push, with the tags and the deciding predicate's arguments")
  func run() async throws {
    let directory = try TemporaryDirectory()
    let events = try directory.write(
      """
      {"screenName": "Home"}
      {"event": "openScreen"}

      {"event": "purchase", "order": {"id": "A-1", "total": 0}}
      """, to: "events.ndjson")
    let result = try await Program.run(["container", "run", Self.sample, "--events", events, "--json"])
    #expect(result.status == 0)
    let outcomes = try result.json
    #expect(outcomes.count == 3)
    #expect(outcomes[0].map?["disposition"] == "merged")
    let opened = try #require(outcomes[1].map?["containers"]?.list?.first?.map)
    #expect(opened["tags"]?.list?.compactMap { $0.map?["name"] } == ["screen view", "sale banner"])
    let paid = try #require(outcomes[2].map?["containers"]?.list?.first?.map)
    #expect(paid["tags"] == [])
    let rule = try #require(paid["rules"]?.list?.first { $0.map?["name"] == "Paid order" }?.map)
    #expect(rule["passed"] == false)
    #expect(rule["predicates"]?.list?.last?.map?["arguments"] == ["arg0": 0, "arg1": "1"])
  }

  @Test("--set gives a macro a text, whatever its definition")
  func set() async throws {
    let result = try await Program.run(
      ["container", "run", Self.sample, "--events", "-", "--set", "debug=true", "--json"],
      input: #"{"event": "openScreen", "screenName": "Home"}"#)
    #expect(result.status == 0)
    let tags = try #require(try result.json[0].map?["containers"]?.list?.first?.map?["tags"]?.list)
    #expect(tags.first { $0.map?["name"] == "screen view" }?.map?["status"] == "blocked(shop_9)")
    let unknown = try await Program.run(["container", "run", Self.sample, "--events", "-", "--set", "nothing=1"])
    #expect(unknown.status == 1)
  }

  @Test("A bad line of events is named with its file, line and byte, exit 1")
  func badEvents() async throws {
    let directory = try TemporaryDirectory()
    let events = try directory.write("{\"event\": \"a\"}\n{\"event\" \"b\"}\n", to: "events.ndjson")
    let result = try await Program.run(["container", "run", Self.sample, "--events", events])
    #expect(result.status == 1)
    #expect(result.errors.contains("events.ndjson: line 2, byte 10"))
  }
}
