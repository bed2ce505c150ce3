import Console
import Foundation
import Hits
import TestSupport
import Testing

/// The sample shop as its author and its app know it.
enum Shop {
  static let workspace = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/tagworks/Demo/Shop/GTM-SHOP.workspace.json")

  /// The shop's workspace export with another greeting.
  static func export(_ greeting: String) throws -> String {
    let text = try String(contentsOf: workspace, encoding: .utf8)
    let present = #""key": "value", "value": "Hello""#
    #expect(text.contains(present))
    return text.replacing(present, with: #""key": "value", "value": "\#(greeting)""#)
  }

  /// Publishes the shop to a directory by the command line.
  static func publish(_ greeting: String, to site: String, key: String? = nil) async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(try export(greeting), to: "shop.json")
    let result = try await Program.run(
      ["publish", file, "--to", site] + (key.map { ["--signing-key", $0] } ?? []))
    #expect(result.status == 0, "\(result.errors)")
  }

  /// An app's settings for a server, requiring a key's signature.
  static func settings(_ server: String, key: SigningKey? = nil) -> [String: Value] {
    var settings: [String: Value] = ["server": .string(server)]
    if let key { settings["keys"] = [key.id: .string(Data(key.publicKey).base64EncodedString())] }
    return settings
  }

  /// The names of the tags that fired by an outcome.
  static func fired(_ outcome: [String: Value]) -> [String] {
    let containers = outcome["containers"]?.list ?? []
    return containers.flatMap { $0.map?["tags"]?.list ?? [] }.compactMap(\.map)
      .filter { $0["status"] == "fired" }.compactMap { $0["name"]?.string }
  }
}
