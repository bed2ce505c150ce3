/// When something happens to a loading container, and a random draw for what is decided then.
struct LoadingMoment: Sendable, Equatable {
  /// Milliseconds since 1970 UTC.
  var wall: Int64
  /// Milliseconds of a clock that never steps.
  var age: Int64
  /// 64 random bits.
  var draw: UInt64
}

/// Which piece of work an event answers; the answer to any but the latest comes too late and is dropped.
struct LoadingTicket: Hashable, Sendable {
  var number: Int
}

/// One waiting refresh call, within its container.
struct RefreshID: Hashable, Sendable {
  var number: Int
}

/// What can happen to a loading container.
enum LoadingEvent: Sendable, Equatable {
  /// The container is open, with its default content in force.
  case open(RefreshMode, isPreview: Bool)
  case opening(OpeningID, OpenPreference)
  case openingTimedOut(OpeningID)
  /// The caller waits no longer.
  case openingCancelled(OpeningID)
  /// Held events have waited for a container that nobody waits for.
  case readyTimeout
  case savedLoaded(SavedContent, LoadingTicket)
  case savedFailed(RefreshFailure, LoadingTicket)
  case fetched(FetchedContent, LoadingTicket)
  case notChanged([Supplemental], LoadingTicket)
  case failed(RefreshFailure, retryAfter: Int64?, LoadingTicket)
  case refresh(RefreshID)
  /// The time of a `wake` has come.
  case due(LoadingTicket)
  case becameActive
  case reachable
  case previewStarted
  case previewEnded
  case close
}

/// What a loading container wants done, in order.
enum LoadingAction: Sendable, Equatable {
  /// Puts what the app ships with in force, unless it is.
  case installDefault
  case readSaved(LoadingTicket)
  case fetch(FetchPlan, LoadingTicket)
  case cancelWork
  /// Puts content in force that was checked at a time in milliseconds since 1970 UTC.
  case install(LoadedContent, checkedAt: Int64)
  case save(FetchedContent)
  /// Moves the time of the last check, on disk too.
  case touchSaved(checkedAt: Int64)
  case applySupplementals([Supplemental])
  /// Pushes `gtm.load` if the content in force asks for it (TM-342).
  case pushLoadEvent
  case begin(RefreshType)
  case success(RefreshType)
  case failure(RefreshFailure, RefreshType)
  case answerRefreshes([RefreshID], RefreshOutcome)
  case endOpening(OpeningID, OpenEnd)
  /// Lets held events go, and all later ones at once.
  case release
  /// The server refused the draft: the preview is over for the whole manager.
  case previewRefused(RefreshFailure)
  /// Sends `due` at a time of the age clock in milliseconds, unless another piece of work begins before.
  case wake(at: Int64, LoadingTicket)
}

/// What a fetch asks for.
struct FetchPlan: Sendable, Hashable {
  /// The entity tag to check against.
  var etag: String?
  /// The digest that a legacy server checks against.
  var fingerprint: String?
  /// Whether shared caches may not answer.
  var bypassesCaches = false
  /// Whether the draft under preview is asked for.
  var isPreview = false
}

/// Content from disk.
struct SavedContent: Sendable, Hashable {
  var content: LoadedContent
  /// When a server last said that it is the newest, in milliseconds since 1970 UTC.
  var fetchedAt: Int64
  /// The entity tag, if the content is from the configured server.
  var etag: String?
}

/// Content from a server, and what is kept of its answer.
struct FetchedContent: Sendable, Hashable {
  var content: LoadedContent
  var etag: String?
  var saved: SavedContainer
  /// What the server calls the session of a preview's outcomes (TM-1008).
  var debugSession: String?
}
