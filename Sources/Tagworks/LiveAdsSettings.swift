public import HitQueue
public import Hits
public import VideoAds
public import WebTags

/// What an app says to get a loader of ads on the system's network, clock and disk; all but the players has a default.
///
///     var settings = LiveAdsSettings(players: players, links: links)
///     settings.ads.persistBeacons = true
///     let loader = try AdsLoader.live(settings)
public struct LiveAdsSettings: Sendable {
  /// What holds for every request of the loader.
  public var ads: AdsSettings
  /// Makes the players of ads.
  public var players: any AdPlayerFactory
  /// Opens the pages of clicks.
  public var links: any LinkOpener
  /// Tells what of an ad is seen; nil where nobody can.
  public var geometry: (any ViewGeometryProvider)?
  /// Makes the pages in which verification scripts run, such as `WebViewHostFactory`; nil to run none (VA-900).
  public var verificationPages: (any PageHostFactory)?
  /// Runs verification scripts, where `verificationPages` is nil.
  public var verification: (any VerificationHost)?
  /// Tells when the app leaves the screen.
  public var lifecycle: (any AppLifecycle)?
  /// Tells a person's choices.
  public var privacy: any PrivacySignalsProvider = StoredPrivacySignals()
  /// Where beacons are kept that could not be sent, when `ads.persistBeacons` is on: the directory of the app's other
  /// hits, unless said otherwise (VA-802).
  public var hits = HitStoreConfiguration()
  /// Tells whether there is a network; nil to assume that there is.
  public var connectivity: (any Connectivity)?
  /// Facts about the device and the app; nil for the system's.
  public var device: (any Device)?

  /// Makes settings, with a new random session id for the ads.
  public init(players: any AdPlayerFactory, links: any LinkOpener) {
    ads = AdsSettings(sessionID: AdsLoader.newSessionID())
    self.players = players
    self.links = links
  }
}
