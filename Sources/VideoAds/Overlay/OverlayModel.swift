/// What lies over a playing ad, as data: an adapter draws it and reports taps by target (VA-1001).
///
/// It changes only when something visible does, at most ten times a second (VA-1007).
public struct OverlayModel: Sendable, Hashable, Codable {
  /// A control or a text.
  public struct Element: Sendable, Hashable, Codable {
    /// What it says.
    public var text: String
    /// What assistive software says instead (VA-1005).
    public var label: String
    /// Where it is.
    public var rectangle: AdRectangle
    /// What a tap on it means; nil for a text.
    public var target: OverlayTarget?
    /// Whether it can be activated now.
    public var isEnabled: Bool
    /// Its place in the order of focus, from 0.
    public var order: Int
  }

  /// The state of the skip control.
  public enum SkipState: Sendable, Hashable, Codable {
    /// The ad cannot be skipped.
    case hidden
    /// It can be, in so many seconds.
    case waiting(secondsLeft: Int)
    /// It can be now.
    case available
  }

  /// A picture or page, with its place.
  public struct Picture: Sendable, Hashable, Codable {
    /// What it shows.
    public var resource: VAST.Resource
    /// Where it is.
    public var rectangle: AdRectangle
    /// A text instead of it.
    public var label: String
    /// What a tap on it means.
    public var target: OverlayTarget
    /// Its place in the order of focus, from 0.
    public var order: Int
  }

  /// An overlay ad.
  public struct OverlayAd: Sendable, Hashable, Codable {
    /// What it shows.
    public var picture: Picture
    /// Its close control; nil until it may be closed.
    public var close: Element?
  }

  /// Says that this is an ad.
  public var attribution: Element?
  /// Which ad it is, and how long it takes.
  public var countdown: Element?
  /// The state of the skip control.
  public var skipState = SkipState.hidden
  /// The skip control; nil when the ad cannot be skipped.
  public var skip: Element?
  /// Leads to the advertiser.
  public var learnMore: Element?
  /// The icons that are shown now.
  public var icons: [Picture] = []
  /// What is shown where an icon's page cannot be opened.
  public var fallbackImage: OverlayAd?
  /// The overlay ad.
  public var overlayAd: OverlayAd?
  /// Whether the ad waits for its media.
  public var isBuffering = false
  /// Whether it is silent.
  public var isMuted = false
  /// Whether it is paused.
  public var isPaused = false
  /// Whether texts run from right to left.
  public var isRightToLeft = false
  /// What assistive software is to say now, once.
  public var announcement: String?

  /// What can be tapped now; the ad's own area always can.
  public var targets: Set<OverlayTarget> {
    var all: Set<OverlayTarget> = [.ad]
    for element in [skip, learnMore, fallbackImage?.close, overlayAd?.close] {
      if let element, element.isEnabled, let target = element.target { all.insert(target) }
    }
    for picture in icons { all.insert(picture.target) }
    if let overlayAd { all.insert(overlayAd.picture.target) }
    return all
  }
}
