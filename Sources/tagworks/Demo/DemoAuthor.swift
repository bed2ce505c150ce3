import Authoring
import Foundation
import Hits
import TagManager

/// The demo's author: makes the sample workspace live on a console, and links that show its draft.
struct DemoAuthor {
  let client: ConsoleClient

  /// The author of a console, whose token a file keeps; one that is new is set up.
  ///
  /// - Parameters:
  ///   - setup: the one-time token of a console that is new.
  ///   - password: what the administrator signs in with; nil for nobody who does.
  init(_ url: String, tokenFile: String, setup: String?, password: String? = nil) async throws {
    if let setup {
      var fields: [String: Value] = ["token": .string(setup), "name": "Demo"]
      fields["password"] = password.map(Value.string)
      let answer = try await ConsoleClient(base: url, token: "").send(
        "POST", "/setup", body: Value.map(fields).jsonBytes)
      let token = try answer.fields["token"]?.string ?? ""
      guard
        FileManager.default.createFile(
          atPath: tokenFile, contents: Data(token.utf8), attributes: [.posixPermissions: 0o600])
      else { throw CommandFailure("\(tokenFile): cannot be written", status: .unavailable) }
    }
    let token = try InputFile(path: tokenFile).data(limit: 4096)
    client = ConsoleClient(base: url, token: String(decoding: token, as: UTF8.self))
  }

  /// The sample workspace with another greeting.
  static func export(greeting: String) -> [UInt8] {
    let text = String(decoding: PackageResources.GTM_SHOP_workspace_json, as: UTF8.self)
    let present = #""key": "value", "value": "Hello""#
    return Array(text.replacing(present, with: #""key": "value", "value": "\#(greeting)""#).utf8)
  }

  private static func source(_ export: [UInt8]) -> ContainerSource {
    ContainerSource(export: export, name: "GTM-SHOP.workspace.json")
  }

  /// Makes an export live as an author does with `tagworks publish`; gives the version's number.
  func publish(_ export: [UInt8]) async throws -> Int64 {
    try await ServerPublishing(source: Self.source(export), client: client, creates: true, isForced: true)
      .publish().version
  }

  /// Saves an export as the draft, and makes a link that shows it.
  func preview(_ export: [UInt8], app: String) async throws -> String {
    let (id, workspace) = try Self.source(export).namedWorkspace()
    _ = try await RemoteContainer(id: id, client: client).push(workspace, creates: false, isForced: true)
    return try await previewLink(of: id, app: app)
  }

  /// Makes a link that shows the draft as it is.
  func previewLink(of id: ContainerID, app: String) async throws -> String {
    let answer = try await client.send(
      "POST", "/containers/\(id)/previews", body: Value.map(["app": .string(app)]).jsonBytes)
    return try answer.fields["appLink"]?.string ?? ""
  }
}
