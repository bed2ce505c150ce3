import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
  @Test(
    "Wrong usage is one clear line on standard error and exit 2",
    arguments: [
      ["container", "check"], ["container", "check", "a", "b"], ["container", "run", "a"], ["nonsense"],
      ["hits", "list"], ["hits", "list", "--store", "a", "--intake", "b"],
      ["hits", "list", "--store", "a", "--limit", "x"],
      ["publish"], ["publish", "a"], ["container", "pull"], ["key", "make"], ["serve", "--port", "x"],
      ["serve", "--bogus"], ["serve", "--dedupe", "1"], ["serve", "--addresses", "some"],
      ["hits"], ["hits", "show", "x", "--store", "a"], ["hits", "export", "--store", "a"],
      ["hits", "export", "--store", "a", "--format", "x"],
      ["hits", "export", "--store", "a", "--format", "csv", "--json"], ["hits", "validate", "a"],
      ["hits", "dispatch", "--store", "a", "--once", "--drain"], ["hits", "import", "a"],
      ["backup"], ["restore", "a", "b"], ["backup", "a", "--database", "postgres://x"],
      ["serve", "--public-url", "x"],
      ["serve", "--retention", "0"], ["serve", "--retention-size", "a b=1"], ["serve", "--trusted-proxy", "x"],
      ["serve", "--log-format", "xml"], ["serve", "--rate", "none"], ["hits", "purge", "--yes"],
      ["hits", "purge", "--store", "a", "--client", "b", "--yes"], ["hits", "purge", "--intake", "a", "--yes"],
    ])
  func wrongUsage(words: [String]) async throws {
    let result = try await Program.run(words)
    #expect(result.status == 2)
    #expect(result.errors.split(separator: "\n").count == 1)
    if words != ["hits"] { #expect(result.output.isEmpty) }
  }

  @Test(
    "Every command tells what it takes, exit 0",
    arguments: [
      "container check", "container run", "container get", "container pull", "container push", "publish", "key make",
      "key show", "hits list", "hits show", "hits stats", "hits dispatch",
      "hits export", "hits import", "hits retry", "hits purge", "hits validate", "hits send", "hits check", "serve",
      "backup", "restore", "demo",
    ])
  func help(command: String) async throws {
    let result = try await Program.run(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(result.status == 0)
    #expect(result.output.contains("Usage: tagworks \(command)"))
    #expect(result.output.contains("Exit status"))
    let overview = try await Program.run(["--help"])
    #expect(overview.output.contains(command))
  }

  @Test("A place without a store is exit 3, and makes none", arguments: ["list", "stats", "dispatch", "check"])
  func noStore(command: String) async throws {
    let directory = try TemporaryDirectory()
    let place = directory.url.appendingPathComponent("none").path
    let result = try await Program.run(["hits", command, "--store", place])
    #expect(result.status == 3)
    #expect(try await Program.run(["hits", command, "--store", place]).status == 3)
  }

  @Test(
    "A store that cannot be read is named with its file, without a statement of the program's own, exit 3",
    arguments: [
      ("--store", "hits.sqlite3", ""), ("--store", "hits.sqlite3", "no database, but a text of some length"),
      ("--intake", "intake.sqlite3", ""), ("--intake", "intake.sqlite3", "no database, but a text of some length"),
    ])
  func unreadable(option: String, name: String, content: String) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(content, to: name)
    for command in ["list", "stats"] {
      let result = try await Program.run(["hits", command, option, directory.path])
      #expect(result.status == 3)
      #expect(result.errors.contains(path))
      #expect(!result.errors.contains("SELECT"))
    }
  }

  @Test("A symbolic link is no store, whichever it is", arguments: [("--store", "hits"), ("--intake", "intake")])
  func link(option: String, name: String) async throws {
    let directory = try TemporaryDirectory()
    let real = try directory.write("x", to: "real")
    let link = directory.file("\(name).sqlite3")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    let result = try await Program.run(["hits", "stats", option, directory.path])
    #expect(result.status == 3)
    #expect(result.errors.contains("symbolic link"))
  }

  @Test("A reader that has had enough is no failure")
  func closedPipe() async throws {
    let events = String(repeating: #"{"event": "openScreen"}"# + "\n", count: 2_000)
    let directory = try TemporaryDirectory()
    let path = try directory.write(events, to: "events.ndjson")
    let sample = SampleShopTests.folder.appendingPathComponent("GTM-SHOP.json").path
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = [
      "-c", "set -o pipefail; '\(Program.path)' container run '\(sample)' --events '\(path)' 2>/dev/null | head -1",
    ]
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
  }

  @Test("--version prints the version")
  func version() async throws {
    let result = try await Program.run(["--version"])
    #expect(result.status == 0)
    #expect(result.output == "tagworks 1.0.0\n")
  }
}
