public import Hits

/// The ports through which ads reach network, player, screen and person (VA-1300).
public struct AdsEnvironment: Sendable {
  /// Fetches documents.
  public var transport: any HTTPTransport
  /// Takes beacons; `LiveBeaconSink` is made for them.
  public var hits: any HitSink
  /// Makes players.
  public var players: any AdPlayerFactory
  /// The clock of playback.
  public var clock: any AdClock
  /// Opens pages.
  public var links: any LinkOpener
  /// Tells what of an ad is seen; nil where nobody can.
  public var geometry: (any ViewGeometryProvider)?
  /// Runs verification scripts; nil where none can be run.
  public var verification: (any VerificationHost)?
  /// Tells when the app leaves the screen.
  public var lifecycle: (any AppLifecycle)?
  /// Tells a person's choices.
  public var privacy: any PrivacySignalsProvider
  /// Wall time.
  public var time: any HitClock
  /// Random numbers.
  public var random: any RandomSource
  /// The user agent of fetches and beacons where the settings have none.
  public var userAgent: String
  /// The app's bundle identifier; nil where there is no app.
  public var bundleID: String?

  /// Makes an environment; a device gives the user agent and the bundle identifier.
  public init(
    transport: any HTTPTransport, hits: any HitSink, players: any AdPlayerFactory,
    clock: any AdClock = SystemAdClock(), links: any LinkOpener, geometry: (any ViewGeometryProvider)? = nil,
    verification: (any VerificationHost)? = nil, lifecycle: (any AppLifecycle)? = nil,
    privacy: any PrivacySignalsProvider = StoredPrivacySignals(), device: (any Device)? = nil,
    time: any HitClock = SystemHitClock(), random: any RandomSource = SystemRandomSource()
  ) {
    self.transport = transport
    self.hits = hits
    self.players = players
    self.clock = clock
    self.links = links
    self.geometry = geometry
    self.verification = verification
    self.lifecycle = lifecycle
    self.privacy = privacy
    self.time = time
    self.random = random
    userAgent =
      device.map { UserAgent.text(version: ProductInfo.version, device: $0) }
      ?? "\(ProductInfo.name)/\(ProductInfo.version)"
    bundleID = device?.appID
  }
}

/// Opens pages for a person.
@MainActor
public protocol LinkOpener: AnyObject, Sendable {
  /// Whether a URL can be opened.
  func canOpen(_ url: String) -> Bool
  /// Opens it, in the app or outside; the ad stands still until `closed` is called.
  func open(_ url: String, closed: @escaping @MainActor () -> Void)
}

/// Tells what of an ad's surface is seen (VA-820).
@MainActor
public protocol ViewGeometryProvider: AnyObject, Sendable {
  /// The geometry now; nil when nobody can tell.
  func geometry(of surface: SurfaceID) -> AdGeometry?
}

/// Tells when the app leaves and comes back (VA-780).
@MainActor
public protocol AppLifecycle: AnyObject, Sendable {
  /// What happens, from now on.
  var events: AsyncStream<LifecycleEvent> { get }
}

/// Tells a person's choices, asked at each request and each ad (VA-1200).
public protocol PrivacySignalsProvider: Sendable {
  /// The choices now.
  var signals: PrivacySignals { get }
}

/// Choices that do not change.
public struct FixedPrivacySignals: PrivacySignalsProvider {
  /// The choices.
  public var signals: PrivacySignals

  /// Makes a provider; nothing is known unless said otherwise.
  public init(_ signals: PrivacySignals = PrivacySignals()) { self.signals = signals }
}
