import Console
import HitQueue
import Hits
import TagManager
import Tagworks

/// The shop's app: a live tag manager, with its container from the demo's console.
struct ShopApp {
  let tagManager: TagManager
  let hits: HitStoreReader

  /// Starts the app with what it keeps below a directory.
  init(directory: String, console: DemoConsole, language: String) throws {
    try self.init(
      directory: directory, server: console.server.url, language: language,
      configuration: TagManager.Configuration(
        server: .tagworks(console.server.url),
        signature: .required([console.key.id: console.key.publicKey])))
  }

  /// Starts the app on any server.
  init(
    directory: String, server: String, language: String, configuration: TagManager.Configuration
  ) throws {
    var settings = LiveSettings(configuration: configuration)
    settings.dataDirectory = directory + "/app-data"
    settings.defaultContainers = directory + "/app-data"
    settings.hits.directory = directory + "/app"
    settings.device = Shop.device(language: language)
    settings.logger = StandardTagLogger(level: .none)
    tagManager = try TagManager.live(settings)
    tagManager.dispatchInterval = 0
    tagManager.traceDetail = .full
    tagManager.consent = .granted(["analytics_storage"])
    Shop.register(in: tagManager.handlers, pixelBase: server)
    hits = try HitStoreReader(directory: directory + "/app")
  }

  /// Opens the container as at a start of the app.
  func open(_ preference: OpenPreference) async throws -> OpenResult {
    tagManager.container(Shop.id)?.close()
    return try await ContainerOpener.open(
      Shop.id, in: tagManager, prefer: preference, timeout: .seconds(10))
  }

  /// Sends what waits until nothing is left, or nobody takes it.
  func dispatch() async -> DispatchResult {
    while true {
      let result = await tagManager.dispatchNext()
      guard result == .good else { return result }
    }
  }
}

extension RefreshOutcome {
  /// What came of a refresh, as a person reads it.
  var text: String {
    switch self {
    case .updated(let version): "version \(version) is in force"
    case .notChanged: "nothing has changed"
    case .failed(let failure): "\(failure.reason)(\(failure.detail)): \(failure.message)"
    case .rateLimited(let rest): "too soon, the next is possible in \(rest)"
    case .defaultMode, .closed: "\(self)"
    }
  }
}
