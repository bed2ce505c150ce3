/// What holds for every request of a loader; copied when the loader is made (VA-104).
public struct AdsSettings: Sendable, Hashable {
  /// Which cookies fetches send.
  public enum Cookies: String, Sendable, Hashable {
    /// None.
    case none
    /// Those of a jar in memory, one a loader (VA-205).
    case session
  }

  /// What a wrapper that allows one ad takes of an answer with a pod alone (VA-424).
  public enum WrapperPods: String, Sendable, Hashable {
    /// The pod's first ad.
    case firstAd
    /// Nothing.
    case strict
    /// The whole pod.
    case playPod
  }

  /// The language of texts and requests, BCP 47.
  public var language = "en"
  /// How many wrappers may stand above an ad, 0 to 20 (VA-411).
  public var maxRedirects = 5
  /// The player's name, for CLIENTUA.
  public var playerType: String?
  /// The player's version, for CLIENTUA.
  public var playerVersion: String?
  /// Whether diagnostics are emitted as `log` events.
  public var debug = false
  /// An id of this session.
  public var sessionID: String
  /// The publisher's id of the person (VA-105).
  public var ppid: String?
  /// Whether breaks start by themselves.
  public var autoPlayAdBreaks = true
  /// Whether ads go on while the app is in background.
  public var enableBackgroundPlayback = false
  /// Whether the system's now-playing display is left alone.
  public var disableNowPlayingInfo = false
  /// Switches by name (VA-106).
  public var features: [String: Bool] = [:]
  /// What a wrapper that allows one ad takes of a pod.
  public var wrapperPods: WrapperPods = .firstAd
  /// The user agent of fetches and beacons; nil for that of HQ-601.
  public var userAgent: String?
  /// Which cookies fetches send.
  public var cookies: Cookies = .none
  /// Whether http is made https before sending.
  public var upgradeToHTTPS = false
  /// The verification vendors allowed; nil for all.
  public var verificationVendors: [String]?
  /// Name and version that verification reports, as `name/version`.
  public var omidPartner: String?
  /// The app's id in its store.
  public var storeID: String?
  /// The app's page in its store.
  public var storeURL: String?
  /// Whether parameters are appended to GAM tags (VA-204).
  public var decorateGAMTags = true
  /// Whether beacons not sent in time are handed to a durable sink (VA-802).
  public var persistBeacons = false
  /// Further schemes that clicks may open (VA-851).
  public var clickSchemes: Set<String> = []
  /// How many documents are fetched at a time.
  public var maxConcurrentFetches = 4

  /// Makes the defaults; the session's id is to be a new random one.
  public init(sessionID: String) { self.sessionID = sessionID }

  /// The redirects allowed, whatever was set (VA-412).
  var redirectLimit: Int { min(max(maxRedirects, 0), 20) }

  /// The publisher's id where it has the form of one (VA-105).
  var usablePPID: String? {
    ppid.flatMap { id in
      let isForm =
        (32...150).contains(id.utf8.count)
        && id.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-_.:".utf8.contains($0) }
      return isForm ? id : nil
    }
  }
}
