import Console
import Foundation
import Hits
import TagManager

/// The demo's console: a server on loopback, and its author.
final class DemoConsole {
  private(set) var server: ConsoleServer
  private let settings: ServeSettings
  let author: DemoAuthor
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
    author = try await DemoAuthor(
      server.url, tokenFile: directory + "/token", setup: try await server.offerSetup())
  }

  /// Goes away.
  func stop() async throws { try await server.stop() }

  /// Comes back where it was.
  func restart() throws { server = try ConsoleServer(settings) }
}
