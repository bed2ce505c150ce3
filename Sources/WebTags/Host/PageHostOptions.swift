public import Foundation

/// How a page's engine is set up when its host opens.
public struct PageHostOptions: Sendable {
  /// Where cookies and web storage live.
  public var session: PageSession
  /// The view that carries the page, where the platform has views.
  public var attachment: Attachment
  /// The app's `WKProcessPool` (WT-142).
  public var processPool: PlatformReference?
  /// The app's `WKWebViewConfiguration` (WT-142).
  public var webViewConfiguration: PlatformReference?
  /// The full user agent; nil for the engine's (WT-707).
  public var userAgent: String?
  /// The preferred language, BCP 47, which `navigator.language` follows; nil for the system's.
  public var language: String?
  /// Mebibytes that the content process may use (WT-706).
  public var memoryLimit: Int
  /// What the page may reach.
  public var network: NetworkPolicy
  /// The scheme of command URLs, in lower case (WT-500).
  public var commandScheme: String
  /// Which frames' navigations to command URLs count (WT-509).
  public var navigationCommands: NavigationCommands
  /// A call without an answer for that long fails with `timeout` (WT-304).
  public var callLimit: Duration
  /// Whether developer tools may look into the page.
  public var isInspectable: Bool
  /// Decides on a main-frame navigation that the policy would stop; nil stops all, and so does no answer in five
  /// seconds (WT-704).
  public var decideNavigation: (@Sendable (PageNavigation) async -> NavigationDecision)?

  /// Makes options with the defaults of the specification.
  public init(
    session: PageSession = .ephemeral, attachment: Attachment = .automatic, processPool: PlatformReference? = nil,
    webViewConfiguration: PlatformReference? = nil, userAgent: String? = nil, language: String? = nil,
    memoryLimit: Int = 256, network: NetworkPolicy = .open, commandScheme: String = "tealium",
    navigationCommands: NavigationCommands = .mainFrame, callLimit: Duration = .seconds(10),
    isInspectable: Bool = false, decideNavigation: (@Sendable (PageNavigation) async -> NavigationDecision)? = nil
  ) {
    self.session = session
    self.attachment = attachment
    self.processPool = processPool
    self.webViewConfiguration = webViewConfiguration
    self.userAgent = userAgent
    self.language = language
    self.memoryLimit = memoryLimit
    self.network = network
    self.commandScheme = commandScheme
    self.navigationCommands = navigationCommands
    self.callLimit = callLimit
    self.isInspectable = isInspectable
    self.decideNavigation = decideNavigation
  }
}

/// Where a page's cookies, web storage and caches live.
public enum PageSession: Sendable, Hashable {
  /// In a folder of the page's own; two hosts of one folder share one session.
  case directory(URL)
  /// In memory, gone with the host.
  case ephemeral
  /// Where the app's own web views keep theirs.
  case appDefault
  /// In a session that several pages share.
  case shared(SharedWebSession)
}

/// Which navigations to command URLs are commands (WT-509).
public enum NavigationCommands: String, Sendable, Hashable, Codable {
  /// None.
  case off
  /// Those that the main frame initiates; an engine that cannot tell the frame treats this as `off`.
  case mainFrame
  /// All.
  case any
}

/// What an opened engine is and can tell.
public struct PageHostCapabilities: Sendable, Hashable, Codable {
  /// The engine's name and version, such as `WebKitGTK 2.50.6`.
  public var engine: String
  /// Whether navigations tell their frame (WT-509).
  public var tellsNavigationFrames: Bool
  /// Whether the engine reports the requests of a page, and so knows when they have ended (WT-430).
  public var reportsRequests: Bool
  /// Whether the content process is in a sandbox; nil when unknown.
  public var isSandboxed: Bool?

  /// Makes a description.
  public init(
    engine: String, tellsNavigationFrames: Bool, reportsRequests: Bool, isSandboxed: Bool? = nil
  ) {
    self.engine = engine
    self.tellsNavigationFrames = tellsNavigationFrames
    self.reportsRequests = reportsRequests
    self.isSandboxed = isSandboxed
  }
}
