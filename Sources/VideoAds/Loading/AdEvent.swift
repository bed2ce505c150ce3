/// Something that happened to an ad or a break (VA-1301).
public struct AdEvent: Sendable, Hashable {
  /// What happened.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case adBreakReady
    case adBreakFetchError
    case adBreakStarted
    case adBreakEnded
    case allAdsCompleted
    case clicked
    case complete
    case cuePointsChanged
    case firstQuartile
    case iconFallbackImageClosed
    case iconTapped
    case loaded
    case log
    case midpoint
    case pause
    case resume
    case skipped
    case started
    case tapped
    case thirdQuartile
    case impression
    case bufferingStarted
    case bufferingEnded
    case skippableStateChanged
    case viewable
    case userClosed
    case overlayShown
    case overlayClosed
  }

  /// What happened.
  public let kind: Kind
  /// The ad it happened to.
  public let ad: Ad?
  /// The break's time: 0 the pre-roll, −1 the post-roll, else seconds.
  public let breakTime: Double?
  /// More about it, such as the message of a `log`.
  public let data: [String: String]
}

/// Everything that a manager tells, in order (VA-711).
public enum AdsManagerEvent: Sendable, Hashable {
  case ad(AdEvent)
  case error(AdError)
  case contentPause
  /// Seconds at which content goes on; nil when its time is not known.
  case contentResume(at: Double?)
  /// Seconds of ad time.
  case progress(time: Double, duration: Double)
  case buffered(to: Double)
  case overlay(OverlayModel?)
}

/// How far the playing ad is; times are seconds.
public struct AdPlaybackInfo: Sendable, Hashable {
  /// The ad's position.
  public var currentMediaTime: Double
  /// Its duration; 0 when it is not known.
  public var totalMediaTime: Double
  /// Media up to that time is there.
  public var bufferedMediaTime: Double
  /// Whether it runs.
  public var isPlaying: Bool
}

/// How `play()` ended.
public enum AdsOutcome: String, Sendable, Hashable {
  /// All ads are over.
  case completed
  /// The manager was destroyed.
  case destroyed
}
