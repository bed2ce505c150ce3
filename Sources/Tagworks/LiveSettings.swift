public import HitQueue
public import Hits
public import TagManager

/// What an app says to get a running tag manager (TM-1210); everything has a default.
///
///     var settings = LiveSettings(server: .tagworks("https://tags.example.com"))
///     settings.defaultDestination = .measurementProtocol("https://collect.example.com")
///     let tagManager = try TagManager.live(settings)
public struct LiveSettings: Sendable {
  /// Where containers come from, and all that does not change while the manager runs.
  public var configuration: TagManager.Configuration
  /// The app's id; nil for the bundle's, or the program's name.
  public var appID: String?
  /// Where saved containers and kept values are; nil for the platform's own place (TM-210).
  public var dataDirectory: String?
  /// The directory of the containers that the app ships with; nil for the bundle's resources, or the program's own
  /// directory (TM-204).
  public var defaultContainers: String?
  /// The directory where the original SDK kept its files `resource_<id>`, each taken over once when nothing is saved yet
  /// (TM-214); nil for none.
  public var legacySavedDirectory: String?
  /// Where hits are kept, and how many.
  public var hits: HitStoreConfiguration
  /// Where hits go that name no destination; nil for the containers' server.
  public var defaultDestination: Destination?
  /// Gives advertising and device ids; without it none is ever read (TM-662).
  public var identifiers: (any IdentifierProvider)?
  /// Tells whether there is a network; nil to assume that there is.
  public var connectivity: (any Connectivity)?
  /// Facts about the device and the app; nil for the system's.
  public var device: (any Device)?
  /// The app's own tag kinds, by function id (TM-850).
  public var tagFunctions: [String: any TagFunction] = [:]
  /// Where messages go.
  public var logger: any TagLogger = StandardTagLogger()

  /// Makes settings around a configuration.
  public init(configuration: TagManager.Configuration = TagManager.Configuration()) {
    self.configuration = configuration
    hits = HitStoreConfiguration()
  }

  /// Makes settings for a server of containers.
  public init(server: ContainerServer) {
    self.init(configuration: TagManager.Configuration(server: server))
  }
}
