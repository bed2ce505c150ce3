import Console
import Foundation
import Hits
import TagManager
import Tagworks

/// What `serve --demo` adds to a server: the sample container, live and with a change in its draft, and an app in preview
/// that goes on using it, so that every page has life in it.
enum LiveDemo {
  /// How long the app waits between two pushes.
  private static let pause = Duration.milliseconds(1500)

  /// Sets the server up when it is new, says how to sign in, and starts the app.
  ///
  /// - Returns: the app, which runs until it is cancelled.
  static func begin(on server: ConsoleServer, data: String) async throws(ConsoleError) -> Task<Void, Never> {
    do {
      let setup = try await server.offerSetup()
      let password = setup == nil ? nil : freshPassword()
      let author = try await DemoAuthor(
        server.url, tokenFile: data + "/demo-token", setup: setup, password: password)
      let appID = Shop.device(language: "en").appID ?? ""
      let link: String
      if let password {
        _ = try await author.publish(DemoAuthor.export(greeting: "Hello"))
        link = try await author.preview(DemoAuthor.export(greeting: "Good day"), app: appID)
        Output.line("Sign in at \(server.url)/sign-in as Demo with the password \(password)")
      } else {
        link = try await author.previewLink(of: Shop.id, app: appID)
      }
      let app = try ShopApp(
        directory: data + "/demo-app", server: server.url, language: "en-US",
        configuration: TagManager.Configuration(server: .tagworks(server.url)))
      let updates = try Shop.session().updates
      return Task { await use(app, link: link, updates: updates) }
    } catch let error as ConsoleError {
      throw error
    } catch {
      throw ConsoleError(
        code: .storeUnavailable,
        message: "the demo needs a data directory of its own, such as --data ./demo: \(error)", cause: error)
    }
  }

  /// Twelve letters that are not taken for each other.
  private static func freshPassword() -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    return String((0..<12).map { _ in letters[Int(SystemRandomSource().integer(in: 0...31))] })
  }

  private static func use(_ app: ShopApp, link: String, updates: [[String: Value]]) async {
    if let url = URL(string: link) { _ = app.tagManager.preview(url) }
    // A server that stops meanwhile ends the task too.
    _ = try? await app.open(.fresh)
    while !Task.isCancelled {
      for update in updates where !Task.isCancelled {
        _ = await app.tagManager.dataLayer.push(update).outcome
        _ = await app.dispatch()
        try? await Task.sleep(for: pause)
      }
    }
  }
}
