/// What happens to the engine (VA-701).
enum EngineEvent: Sendable {
  case initialize(content: Int64?, duration: Int64?)
  case start
  case pause(PauseReason)
  case resume(PauseReason)
  case skip
  case discard
  case destroy
  case contentTime(Int64)
  case contentSeek(Int64)
  case contentDuration(Int64)
  case contentComplete
  indirect case fetched(BreakFetch, FetchOutcome)
  case timer(EngineTimer)
  case player(AdPlayerToken, PlaybackReport)
  case mute(Bool)
  /// 0 to 1.
  case volume(Double)
  case container(ContainerState)
  case lifecycle(LifecycleEvent)
  /// The visible part of the playing ad; nil where nobody can tell.
  indirect case geometry(AdGeometry?)
  case tap(OverlayTarget, AdPoint?)
  case customClick(String?)
  case customEvent(String)
  /// What a slot, by its place, did with its companion.
  case companion(Int, CompanionReport)
  /// A script, by its place in the ad's plan, was not run.
  case scriptFailed(Int)
}

/// Why an ad stands still; it runs when no reason is left (VA-740).
enum PauseReason: Sendable, Hashable {
  case user
  case background
  case interruption
  case link
  case iconFallback
}

/// What a companion's slot tells.
enum CompanionReport: Sendable, Hashable {
  case shown
  case failed
  case clicked
}

/// What happens to the app (VA-780).
public enum LifecycleEvent: Sendable, Hashable {
  /// The app leaves the screen.
  case background
  /// The app is back.
  case foreground
  /// A call, another app's sound.
  case interruptionBegan
  /// The interruption is over.
  case interruptionEnded
}

/// The place an ad plays in, at one moment.
struct ContainerState: Sendable, Hashable {
  var size: AdSize
  var isVisible = true
  var isFullscreen = false

  /// Whether an ad can be seen in it (VA-1008).
  var canShow: Bool { isVisible && size.width > 0 && size.height > 0 }
}

/// One document that a break waits for.
struct BreakFetch: Sendable, Hashable {
  var breakID: BreakSource.ID
  var fetch: BreakResolution.FetchID
}

enum EngineTimer: Sendable, Hashable {
  /// From load to first frame (VA-760).
  case load
  /// Without a change of position (VA-761).
  case stall
  /// Without any frame inside a break (VA-762).
  case frameless
  /// For all documents of a break (VA-214).
  case resolution(BreakSource.ID)
  /// For the first ad's media to be prepared (VA-610).
  case prepared
  /// For the container to be seen (VA-1008).
  case container
  /// Between two changes of the overlay's model (VA-1007).
  case overlay
  /// How long an overlay ad is shown (VA-870).
  case overlayAd
  /// When an overlay ad may be closed.
  case overlayClose
  /// For the resource of a slot's companion (VA-861).
  case companion(Int)
}

/// What a player says of a load, in milliseconds (VA-1101).
enum PlaybackReport: Sendable, Hashable {
  /// Prepared, with its duration where that is known.
  case ready(Int64?)
  case firstFrame
  /// Sound runs, and no picture came with it (VA-777).
  case soundOnly
  case position(Int64)
  case duration(Int64)
  case bufferingBegan
  case bufferingEnded
  case ended(Int64)
  case failed(PlayerFailure)
}

extension PlayerFailure {
  var code: VASTErrorCode {
    switch self {
    case .notFound: .mediaNotFound
    case .timedOut: .mediaTimeout
    case .unsupported: .noPlayableMedia
    case .decode: .mediaNotDisplayable
    case .server, .refusedSource, .output, .other: .playbackFailed
    }
  }
}
