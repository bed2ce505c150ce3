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
  case fetched(BreakFetch, FetchOutcome)
  case timer(EngineTimer)
  case player(PlayerToken, AdPlayerEvent)
  case mute(Bool)
  case fullscreen(Bool)
}

/// Why an ad stands still; it runs when no reason is left (VA-740).
enum PauseReason: Sendable, Hashable {
  case user
  case background
  case interruption
  case link
  case iconFallback
}

/// One document that a break waits for.
struct BreakFetch: Sendable, Hashable {
  var breakID: BreakSource.ID
  var fetch: BreakResolution.FetchID
}

/// One load of a player: what a player says of an earlier one is ignored (VA-776).
struct PlayerToken: Sendable, Hashable {
  var number: Int
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
}

/// What a player says of a load (VA-1101).
///
/// Times are milliseconds.
enum AdPlayerEvent: Sendable, Hashable {
  case firstFrame
  case position(Int64)
  case duration(Int64)
  case bufferingBegan
  case bufferingEnded
  case ended(Int64)
  case failed(PlayerFailure)
}

/// Why a player gave up (VA-1102).
enum PlayerFailure: Sendable, Hashable, CaseIterable {
  case notFound
  case server
  case timedOut
  case unsupported
  case decode
  case refusedSource
  case output
  case other

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
