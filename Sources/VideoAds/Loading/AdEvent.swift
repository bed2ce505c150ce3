/// Something that happened to an ad or a break (VA-1301).
public struct AdEvent: Sendable, Hashable {
  /// What happened.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A break has its ads and waits for `start`; breaks do not start by themselves.
    case adBreakReady
    /// A break has no ad to play.
    case adBreakFetchError
    /// A break begins.
    case adBreakStarted
    /// A break is over.
    case adBreakEnded
    /// Nothing plays any more; the last event.
    case allAdsCompleted
    /// The ad was clicked.
    case clicked
    /// The ad ended in full.
    case complete
    /// The times of breaks changed.
    case cuePointsChanged
    /// A quarter of the ad was played.
    case firstQuartile
    /// The fallback image of an icon was closed.
    case iconFallbackImageClosed
    /// An icon was tapped.
    case iconTapped
    /// The ad can start.
    case loaded
    /// Something worth knowing; its data has a message.
    case log
    /// Half of the ad was played.
    case midpoint
    /// The ad stands still.
    case pause
    /// The ad goes on.
    case resume
    /// The person skipped the ad.
    case skipped
    /// The first frame is on screen.
    case started
    /// The ad was tapped, which was no click.
    case tapped
    /// Three quarters of the ad were played.
    case thirdQuartile
    /// The ad counts as shown.
    case impression
    /// The ad waits for media.
    case bufferingStarted
    /// The ad goes on after waiting for media.
    case bufferingEnded
    /// The ad can be skipped from now on.
    case skippableStateChanged
    /// The ad was seen: half of it for two seconds.
    case viewable
    /// The person closed the ad otherwise than by skipping.
    case userClosed
    /// An overlay ad is shown.
    case overlayShown
    /// An overlay ad is gone.
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
  /// Something happened to an ad or a break.
  case ad(AdEvent)
  /// Nothing more will play.
  case error(AdError)
  /// Content is to stop.
  case contentPause
  /// Seconds at which content goes on; nil when its time is not known.
  case contentResume(at: Double?)
  /// Seconds of ad time.
  case progress(time: Double, duration: Double)
  /// Seconds of ad time up to which media is there.
  case buffered(to: Double)
  /// What lies over the ad now; nil for nothing.
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
