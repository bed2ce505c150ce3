/// How the ads of one manager are played (VA-1300).
@MainActor
public final class AdsRenderingSettings {
  /// The MIME types allowed; empty for all that the player plays.
  public var mimeTypes: [String] = []
  /// kbit/s; −1 to go by the player's bandwidth.
  public var bitrate = -1
  /// Seconds from the start of an ad to its first frame, 0.5 to 60.
  public var loadVideoTimeout = 8.0
  /// Seconds without progress, 1 to 60.
  public var stallTimeout = 10.0
  /// Seconds of content; breaks up to then are left out.
  public var playAdsAfterTime: Double?
  /// What a seek over several breaks plays.
  public var seekPolicy: SeekPolicy = .lastBreak
  /// Seconds before a break at which it is fetched, 0 to 60.
  public var prefetchLead = 8.0
  /// Seconds of content after a break's time in which it may still start.
  public var lateStart = 5.0
  /// The parts of the overlay that are shown; nil for all.
  public var uiElements: Set<AdUIElement>?
  /// Whether the app draws the controls itself; the model is told all the same.
  public var disableUI = false
  /// Whether media is made ready before it plays.
  public var enablePreloading = true
  /// Where a tap counts as a click.
  public var clickArea: ClickArea = .full
  /// Replaces texts of the overlay.
  public var texts: OverlayTexts?

  /// Makes the defaults.
  public init() {}

  /// A time-out in milliseconds; what is not finite or not positive counts as its default.
  static func milliseconds(_ seconds: Double, default standard: Double, in range: ClosedRange<Double>) -> Int64 {
    let valid = seconds.isFinite && seconds > 0 ? seconds : standard
    return Int64((min(max(valid, range.lowerBound), range.upperBound) * 1_000).rounded())
  }
}
