import Hits

/// What the engine wants done, in order (VA-702).
///
/// What is large and seldom is indirect, so that the list of actions stays small.
enum EngineAction: Sendable, Hashable {
  indirect case fetch(BreakFetch, AdFetch)
  case cancelFetches(BreakSource.ID)
  /// Loads a file of an ad.
  indirect case load(AdPlayerToken, VAST.MediaFile, of: BreakResolution.Found)
  case play(AdPlayerToken)
  case pausePlayer(AdPlayerToken)
  case stop(AdPlayerToken)
  case setVolume(Double, isMuted: Bool)
  case setTimer(EngineTimer, Int64)
  case clearTimer(EngineTimer)
  /// Says which ad all that follows is about.
  indirect case adChanged(CurrentAd)
  case emit(EngineNotice)
  /// Says that the ad went on by a little.
  case tellProgress
  case requestContentPause
  /// Where content goes on, in milliseconds.
  case requestContentResume(Int64?)
  indirect case reportError(AdError)
  case beacon(Beacon)
  indirect case overlay(OverlayModel?)
  /// Fills a slot, by its place; nil empties it.
  indirect case companion(Int, VAST.Companion?)
  /// Opens a URL as a document writes it.
  case openLink(String)
  indirect case verification(VerificationCommand)
}

/// The ad that plays or is to play next, and its place among the others.
struct CurrentAd: Sendable, Hashable {
  let breakID: BreakSource.ID
  /// From 0.
  let index: Int
  let found: BreakResolution.Found
  let pod: AdPodInfo

  var ad: ResolvedAd { found.ad }
}

/// What the page of verification scripts is told (VA-903).
enum VerificationCommand: Sendable, Hashable {
  case open([VerificationScript])
  case send(String, Value)
  case finish
}

/// An event for the app: its kind, and the ad or break it is about.
struct EngineNotice: Sendable, Hashable {
  var kind: AdEvent.Kind
  var breakID: BreakSource.ID?
  /// The ad's place in the break, from 0.
  var adIndex: Int?
  /// A text for `log`.
  var message: String?
  /// Why a break has no ad: the code of VMAP, or of VAST where its ads were found and none was shown.
  var code: Int?
  /// Milliseconds of ad time.
  var adPosition: Int64?
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
  /// Where the ad was tapped.
  var point: AdPoint?

  /// The code that it reports; nil when it reports none.
  var code: Int? {
    switch scope {
    case .error(let code): code
    case .playlistError(let code): code.rawValue
    default: nil
    }
  }
}
