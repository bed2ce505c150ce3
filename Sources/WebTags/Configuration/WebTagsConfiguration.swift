public import Foundation
import Hits

/// What one instance runs, and how (section 100 of the specification).
///
/// A configuration is a value: changing it after `WebTagManager.newInstance` has no effect (WT-104). Two are equal when
/// their fields are, but for closures and providers, which cannot be compared.
public struct WebTagsConfiguration: Sendable, Equatable {
  /// The account: 1 to 64 letters, digits, `.`, `_` and `-` (WT-101).
  public var account: String
  /// The profile, by the same rule.
  public var profile: String
  /// The environment, by the same rule; `dev`, `qa` and `prod` choose a log level (WT-102).
  public var environment: String
  /// The key of the data source; an empty text is none.
  public var dataSource: String?
  /// What the page loads.
  public var universalTag = UniversalTag.utag
  /// Where pages and scripts are published.
  public var deliveryBase: URL
  /// A page in place of the published one.
  public var pageURL: URL?
  /// Publish settings in place of those in the published page (WT-130).
  public var settingsURL: URL?
  /// A profile that lends its publish settings.
  public var settingsProfile: String?
  /// Where the page's text comes from.
  public var pageMode = PageMode.fetched
  /// Where cookies and web storage live; nil for the default of WT-141.
  public var webData: WebData?
  /// The view that carries the page, where the platform has views (WT-760).
  public var attachment = Attachment.automatic
  /// The app's process pool (WT-142).
  public var processPool: PlatformReference?
  /// The app's web view configuration (WT-142).
  public var webViewConfiguration: PlatformReference?
  /// Whether the page may run commands of the app.
  public var remoteCommandsEnabled = true
  /// What the command `_http` may do (WT-520).
  public var httpCommand = HTTPCommandPolicy.off
  /// The scheme of command URLs (WT-500).
  public var commandScheme = "tealium"
  /// Whether sessions are counted natively (WT-260).
  public var sessionCounting = true
  /// Consent at the start.
  public var consent = ConsentConfiguration.disabled
  /// When the page may start.
  public var pageStart = PageStart.immediate
  /// The app's own publish settings (WT-235).
  public var local = PublishSettings.Local()
  /// What the page may reach.
  public var network = NetworkPolicy.open
  /// Which contents are accepted (WT-830).
  public var integrity = IntegrityRule()
  /// The visitor of an earlier library, taken once, when none is stored.
  public var existingVisitorID: String?
  /// Where the instances keep their folders.
  public var storageRoot: URL
  /// What is logged; nil for what the environment says.
  public var logLevel: LogLevel?
  /// Whether each event is delivered a second time as `remote_api` (WT-445).
  public var remoteAPI = false
  /// Whether the page's URL carries the time.
  public var cacheBusting = false
  /// Whether refused beacons leave in another way (WT-429).
  public var beaconFallback = true
  /// Whether the app's life is tracked by itself (WT-480).
  public var lifecycleAutomatic = true
  /// Events a second while more than 20 wait (WT-428); `.infinity` for no limit.
  public var flushRate = 100.0
  /// Mebibytes of the page's process (WT-706).
  public var memoryLimit = 256
  /// The full user agent; nil for the engine's.
  public var userAgent: String?
  /// A content security policy for pages made here (WT-831).
  public var contentSecurityPolicy: String?
  /// Which navigations are commands (WT-509).
  public var navigationCommands = NavigationCommands.mainFrame
  /// What becomes of events where there is no engine (WT-312).
  public var onEngineMissing = EngineMissingRule.queue
  /// The time limits of WT-304.
  public var limits = PageLimits()
  /// Whether event data may be logged at level dev (WT-850).
  public var logPayloads = false
  private var hooks = Hooks()

  /// Configures an instance; every other field has its default.
  public init(account: String, profile: String, environment: String, dataSource: String? = nil) {
    self.account = account
    self.profile = profile
    self.environment = environment
    self.dataSource = dataSource
    deliveryBase = Self.publicBase
    storageRoot = Self.standardRoot
  }

  /// Asked for parameters of the page's URL (WT-215).
  public var queryProviders: [any QueryParameterProvider] {
    get { hooks.queryProviders }
    set { hooks.queryProviders = newValue }
  }

  /// Makes the page's engine, such as one in this process (WT-732); nil for the environment's.
  public var host: (any PageHostFactory)? {
    get { hooks.host }
    set { hooks.host = newValue }
  }

  /// Changes a text before it is logged (WT-850).
  public var redact: (@Sendable (String) -> String)? {
    get { hooks.redact }
    set { hooks.redact = newValue }
  }

  /// `account-profile-environment`, for logs and data (WT-120).
  public var instanceID: String { "\(account)-\(profile)-\(environment)" }

  /// What cannot be compared, and so is equal always.
  private struct Hooks: Sendable, Equatable {
    var queryProviders: [any QueryParameterProvider] = []
    var redact: (@Sendable (String) -> String)?
    var host: (any PageHostFactory)?

    static func == (left: Hooks, right: Hooks) -> Bool { true }
  }

  // A constant that is a URL.
  private static let publicBase = URL(string: "https://tags.tiqcdn.com/utag")!

  private static let standardRoot: URL = {
    let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    return (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent("tagworks/web", isDirectory: true)
  }()
}

/// Gives parameters of the page's URL.
public protocol QueryParameterProvider: Sendable {
  /// The parameters; whoever throws gives none, and after five seconds nobody is waited for (WT-215).
  func queryItems() async throws -> [URLQueryItem]
}

/// Where a page's text comes from.
public enum PageMode: Sendable, Hashable {
  /// It is fetched natively; the same text holds the publish settings (WT-201).
  case fetched
  /// The engine goes to the page's URL (WT-202).
  case direct
  /// The app has it; the base is an https URL (WT-203).
  case bundled(html: String, base: URL)
  /// It is made here, around the universal tag's script (WT-204).
  case generated
}

/// Where a page's cookies and web storage live.
public enum WebData: Sendable, Hashable {
  /// In a store of the instance's own.
  case isolated
  /// In the store of the app's own web views.
  case appDefault
  /// In a store that several pages share.
  case shared(SharedWebSession)
  /// In memory.
  case ephemeral
}

/// When a page may start.
public enum PageStart: Sendable, Hashable {
  /// At once.
  case immediate
  /// After a time.
  case delayed(Duration)
  /// With the first event.
  case onFirstEvent
  /// With `WebTagManager.start()`.
  case manual
}

/// What becomes of events where there is no engine.
public enum EngineMissingRule: Sendable, Hashable {
  /// They wait for a start that has one.
  case queue
  /// They end.
  case drop
}

/// What an instance logs.
public enum LogLevel: String, Sendable, Hashable, Codable, CaseIterable {
  case silent
  case prod
  case qa
  case dev
}

/// The times after which something is given up (WT-304).
public struct PageLimits: Sendable, Hashable {
  /// Starting the engine.
  public var open = Duration.seconds(15)
  /// From the start of a load to its end.
  public var load = Duration.seconds(30)
  /// From the end of a load to tags that are ready.
  public var probe = Duration.seconds(10)
  /// One call.
  public var call = Duration.seconds(10)
  /// The answer to a sign of life.
  public var ping = Duration.seconds(10)

  /// Makes the limits of the specification.
  public init() {}
}
