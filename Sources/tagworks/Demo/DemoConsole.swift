import Authoring
import Console
import Foundation
import Hits
import TagManager

/// The demo's console: a server on loopback, and its author's way of publishing.
final class DemoConsole {
  private(set) var server: ConsoleServer
  private let settings: ServeSettings
  private let client: ConsoleClient
  /// The key that signs the container.
  let key: SigningKey

  /// Starts a server on a directory, and sets it up where that was not done.
  init(directory: String) async throws {
    let keyFile = directory + "/signing.pem"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    key =
      FileManager.default.fileExists(atPath: keyFile)
      ? try SigningKey(file: keyFile) : try SigningKey.make(file: keyFile)
    var settings = ServeSettings(port: 0, data: directory + "/collector")
    settings.signingKeys = [keyFile]
    server = try ConsoleServer(settings)
    settings.port = server.port
    self.settings = settings
    let tokenFile = directory + "/token"
    if let setup = try await server.offerSetup() {
      let answer = try await ConsoleClient(base: server.url, token: "").send(
        "POST", "/setup", body: Value.map(["token": .string(setup), "name": "Demo"]).jsonBytes)
      let token = try answer.fields["token"]?.string ?? ""
      guard
        FileManager.default.createFile(
          atPath: tokenFile, contents: Data(token.utf8), attributes: [.posixPermissions: 0o600])
      else { throw CommandFailure("\(tokenFile): cannot be written", status: .unavailable) }
    }
    let token = try InputFile(path: tokenFile).data(limit: 4096)
    client = ConsoleClient(base: server.url, token: String(decoding: token, as: UTF8.self))
  }

  /// The sample workspace with another greeting.
  static func export(greeting: String) -> [UInt8] {
    let text = String(decoding: PackageResources.GTM_SHOP_workspace_json, as: UTF8.self)
    let present = #""key": "value", "value": "Hello""#
    return Array(text.replacing(present, with: #""key": "value", "value": "\#(greeting)""#).utf8)
  }

  /// Makes an export live as an author does with `tagworks publish`; gives the version's number.
  func publish(_ export: [UInt8]) async throws -> Int64 {
    let source = ContainerSource(export: export, name: "GTM-SHOP.workspace.json")
    return try await ServerPublishing(source: source, client: client, creates: true, isForced: true)
      .publish().version
  }

  /// Saves an export as the draft, and makes a link that shows it.
  func preview(_ export: [UInt8], app: String) async throws -> String {
    let source = ContainerSource(export: export, name: "GTM-SHOP.workspace.json")
    let (id, workspace) = try source.namedWorkspace()
    _ = try await RemoteContainer(id: id, client: client).push(
      workspace, creates: false, isForced: true)
    let answer = try await client.send(
      "POST", "/containers/\(id)/previews", body: Value.map(["app": .string(app)]).jsonBytes)
    return try answer.fields["appLink"]?.string ?? ""
  }

  /// Goes away.
  func stop() async throws { try await server.stop() }

  /// Comes back where it was.
  func restart() throws { server = try ConsoleServer(settings) }
}
