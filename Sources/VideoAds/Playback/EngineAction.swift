/// What the engine wants done, in order (VA-702).
enum EngineAction: Sendable, Hashable {
  case fetch(BreakFetch, AdFetch)
  case cancelFetches(BreakSource.ID)
  case load(PlayerToken, VAST.MediaFile)
  case play(PlayerToken)
  case pausePlayer(PlayerToken)
  case stop(PlayerToken)
  case setTimer(EngineTimer, Int64)
  case clearTimer(EngineTimer)
  case emit(EngineNotice)
  case requestContentPause
  /// Where content goes on, in milliseconds.
  case requestContentResume(Int64?)
  case reportError(AdError)
  case beacon(Beacon)
}

/// An event for the app: its kind, and the ad or break it is about.
struct EngineNotice: Sendable, Hashable {
  enum Kind: String, Sendable, Hashable {
    case adBreakReady
    case adBreakFetchError
    case adBreakStarted
    case adBreakEnded
    case allAdsCompleted
    case complete
    case cuePointsChanged
    case firstQuartile
    case loaded
    case log
    case midpoint
    case pause
    case resume
    case skipped
    case started
    case thirdQuartile
    case impression
    case bufferingStarted
    case bufferingEnded
    case skippableStateChanged
    case progress
  }

  var kind: Kind
  var breakID: BreakSource.ID?
  /// The ad's place in the break, from 0.
  var adIndex: Int?
  /// A text for `log`.
  var message: String?
}

/// A request that is owed; macros are expanded when it is sent (VA-808).
struct Beacon: Sendable, Hashable {
  var url: String
  var event: String
  var scope: MacroScope
  var breakID: BreakSource.ID?
  var adIndex: Int?
  /// Milliseconds of ad time.
  var adPosition: Int64?
}
