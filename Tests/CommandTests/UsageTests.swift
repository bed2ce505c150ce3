import Foundation
import Testing

@Suite struct UsageTests {
  @Test(
    "Wrong usage is one clear line on standard error and exit 2",
    arguments: [
      ["container", "check"], ["container", "check", "a", "b"], ["container", "run", "a"], ["nonsense"],
      ["hits", "list"], ["hits", "list", "--store", "a", "--intake", "b"],
      ["hits", "list", "--store", "a", "--limit", "x"],
      ["serve", "--port", "x"], ["serve", "--bogus"], ["hits"],
    ])
  func wrongUsage(words: [String]) async throws {
    let result = try await Program.run(words)
    #expect(result.status == 2)
    if words != ["hits"] {
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(result.output.isEmpty)
    }
  }

  @Test(
    "Every command tells what it takes, exit 0",
    arguments: [
      "container check", "container run", "container get", "hits list", "hits stats", "hits dispatch", "serve", "demo",
    ])
  func help(command: String) async throws {
    let result = try await Program.run(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(result.status == 0)
    #expect(result.output.contains("Usage: tagworks \(command)"))
    #expect(result.output.contains("Exit status"))
    let overview = try await Program.run(["--help"])
    #expect(overview.output.contains(command))
  }

  @Test("A place without a store is exit 3, and makes none", arguments: ["list", "stats", "dispatch"])
  func noStore(command: String) async throws {
    let directory = try TemporaryDirectory()
    let place = directory.url.appendingPathComponent("none").path
    let result = try await Program.run(["hits", command, "--store", place])
    #expect(result.status == 3)
    #expect(try await Program.run(["hits", command, "--store", place]).status == 3)
  }
}
