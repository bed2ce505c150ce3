import Foundation
import Hits
import TestSupport
import Testing

/// Containers as files in git, against a console (CO-900).
@Suite("Containers as code") struct ContainersAsCodeTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func value(_ path: String) throws -> Value {
    try Value(json: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  @Test(
    "CO-900: what is pushed is pulled again, line by line the same; publish makes it live, once for the same content")
  func roundTrip() async throws {
    let console = try await TestConsole.start(directory.file("data"))
    let file = try directory.write(try Shop.export("Hello"), to: "shop.json")
    let pulled = directory.file("pulled.json")
    let pushed = try await console.run(["container", "push", file, "--create"])
    #expect(pushed.status == 0, "\(pushed.errors)")
    #expect(try await console.run(["container", "pull", "GTM-SHOP", pulled]).status == 0)
    #expect(try value(pulled) == value(file))
    let lines = try String(contentsOfFile: pulled, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 500)
    for number in 1...2 as ClosedRange<Int64> {
      let published = try await console.run(["publish", pulled, "--json"])
      #expect(published.status == 0, "\(published.errors)")
      let report = try #require(try published.json.first?.map)
      #expect(report["version"] == 1)
      #expect(report["sequence"] == .int(number))
    }
    let again = try await console.run(["container", "pull", "GTM-SHOP", "-", "--version", "1"])
    #expect(try Value(json: Array(again.output.utf8)) == value(file))
    console.stop()
  }

  @Test("CO-401: a draft with somebody's work in it is not replaced unless that is forced")
  func others() async throws {
    let console = try await TestConsole.start(directory.file("data"))
    try await console.publish("Hello")
    let hers = try directory.write(try Shop.export("Hers"), to: "hers.json")
    let his = try directory.write(try Shop.export("His"), to: "his.json")
    #expect(try await console.run(["container", "push", hers]).status == 0)
    for command in [["container", "push", his], ["publish", his]] {
      let refused = try await console.run(command)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("changes that are in no version"))
      #expect(refused.errors.split(separator: "\n").count == 1)
    }
    let draft = try await console.run(["container", "pull", "GTM-SHOP", "-"])
    #expect(draft.output.contains("\"Hers\""))
    #expect(try await console.run(["container", "push", his, "--force"]).status == 0)
    console.stop()
  }

  @Test("CO-900: what the console would refuse after the first change is refused before it")
  func refusedBefore() async throws {
    let console = try await TestConsole.start(directory.file("data"))
    try await console.publish("Hello")
    _ = try await console.api("POST", "/containers", ["id": "GTM-OTHER", "name": "Other"])
    let next = try directory.write(try Shop.export("Next"), to: "next.json")
    let edit = try await console.api("POST", "/tokens", ["name": "e", "scope": "edit"])
    let foreign = try await console.api(
      "POST", "/tokens", ["name": "f", "scope": "admin", "container": "GTM-OTHER"])
    for (token, arguments, message) in [
      (edit, [], "the token's scope is edit; this takes publish"),
      (foreign, [], "the token is for container GTM-OTHER alone"),
      (nil, ["--environment", "beta"], "there is no environment beta of GTM-SHOP; there is live"),
    ] as [([String: Value]?, [String], String)] {
      let result =
        if let token {
          try await Program.run(
            ["publish", next] + arguments,
            environment: ["TAGWORKS_SERVER": console.url, "TAGWORKS_TOKEN": token["token"]?.string ?? ""])
        } else {
          try await console.run(["publish", next] + arguments)
        }
      #expect(result.status == 1, "\(result.errors)")
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    let fresh = try await console.run(["publish", next, "--percent", "12.345"])
    #expect(fresh.status == 2 && fresh.errors.contains("two decimals"))
    let versions = try await console.api("GET", "/containers/GTM-SHOP/versions")["versions"]?.list
    #expect(versions?.count == 1)
    #expect(try await console.run(["container", "pull", "GTM-SHOP", "-"]).output.contains("\"Hello\""))
    console.stop()
  }

  @Test("CO-900: of a container that is to be made nothing is made when its first publication would be refused")
  func refusedNew() async throws {
    let console = try await TestConsole.start(directory.file("data"))
    let file = try directory.write(try Shop.export("Hello"), to: "shop.json")
    for (arguments, message) in [
      (["--environment", "beta"], "a new container has no environment beta"),
      (["--percent", "50"], "nothing is live there yet"),
    ] {
      let result = try await console.run(["publish", file, "--create"] + arguments)
      #expect(result.status == 1)
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    #expect(try await console.api("GET", "/containers")["containers"]?.list?.isEmpty == true)
    console.stop()
  }

  @Test("CO-400: a name for a version that is there already is not lost in silence")
  func namesOfOldVersions() async throws {
    let console = try await TestConsole.start(directory.file("data"))
    let file = try directory.write(try Shop.export("Hello"), to: "shop.json")
    let named = try await console.run(["publish", file, "--create", "--name", "First", "--notes", "new"])
    #expect(named.status == 0 && named.errors.isEmpty, "\(named.errors)")
    let version = try await console.api("GET", "/containers/GTM-SHOP/versions/1")
    #expect(version["name"] == "First" && version["notes"] == "new")
    let same = try await console.run(["publish", file, "--name", "First"])
    #expect(same.status == 0 && same.errors.isEmpty, "\(same.errors)")
    let other = try await console.run(["publish", file, "--name", "Second", "--notes", "more"])
    #expect(other.status == 0)
    #expect(other.errors.contains("version 1 is the same workspace"))
    #expect(other.errors.contains("--name and --notes not used"))
    console.stop()
  }

  @Test("CO-900, CO-206: what is refused is said in one line, and nothing becomes live")
  func refused() async throws {
    let console = try await TestConsole.start(directory.file("data"))
    let shop = try directory.write(try Shop.export("Hello"), to: "shop.json")
    let compiled = Shop.workspace.deletingLastPathComponent().appendingPathComponent("GTM-SHOP.json").path
    let cut = try directory.write(String(try Shop.export("Hello").dropLast(40)), to: "cut.json")
    let broken = try directory.write(
      #"{"exportFormatVersion":2,"containerVersion":{"container":{"publicId":"GTM-SHOP"},"tag":[{"tagId":"1","name":"t","type":"html","firingTriggerId":["4"]}]}}"#,
      to: "broken.json")
    let rows: [([String], Int32, String)] = [
      (["publish", shop], 1, "there is no container GTM-SHOP on the server"),
      (["container", "pull", "GTM-NONE"], 1, "there is no container GTM-NONE"),
      (["container", "pull", "no id"], 2, "is no container id"),
      (["publish", compiled, "--create"], 1, "is not a workspace export"),
      (["publish", cut, "--create"], 1, "is not a workspace export"),
      (["publish", broken, "--create"], 1, "unknownType"),
      (["publish", shop, "--create", "--percent", "101"], 2, "--percent takes"),
      (["publish", shop, "--create", "--environment", "none"], 1, "environment"),
      (["publish", shop, "--to", directory.file("site"), "--environment", "live"], 2, "does not go with --to"),
      (["publish", shop, "--signing-key", "key"], 2, "goes with --to only"),
      (["publish", shop, "--server", "http://127.0.0.1:9"], 3, "does not answer"),
      (["publish", shop, "--server", "http://example.com"], 2, "needs https://"),
    ]
    for (arguments, status, text) in rows {
      let result = try await console.run(arguments)
      #expect(result.status == status, "\(arguments) \(result.errors)")
      #expect(result.errors.contains(text), "\(arguments) \(result.errors)")
      #expect(result.output.isEmpty)
    }
    let wrong = try await Program.run(
      ["publish", shop], environment: ["TAGWORKS_SERVER": console.url, "TAGWORKS_TOKEN": "twa_wrong"])
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("a valid bearer token is needed"))
    let none = try await Program.run(["publish", shop], environment: ["TAGWORKS_SERVER": console.url])
    #expect(none.status == 2)
    #expect(try await console.container().status == 404)
    console.stop()
  }
}
