/// Whether the app's content may run (VA-730).
///
///     held ──resume──→ playing ──pause──→ pausedForAds ──resume──→ playing
///       └────────────────pause──────────────↗
///
/// So two pause requests never follow each other, nor two resume requests.
struct ContentControl: Sendable, Hashable {
  enum State: Sendable, Hashable {
    /// The app waits for a first word.
    case held
    case playing
    case pausedForAds
  }

  private(set) var state = State.held
  /// Milliseconds at the last pause request: where content goes on (VA-538).
  private(set) var pausePosition: Int64?

  var isStopped: Bool { state != .playing }

  /// Stops content; false when it is stopped for ads already.
  mutating func pause(at position: Int64?) -> Bool {
    guard state != .pausedForAds else { return false }
    state = .pausedForAds
    pausePosition = position
    return true
  }

  /// Lets content run; false when it runs already.
  mutating func resume() -> Bool {
    guard state != .playing else { return false }
    state = .playing
    return true
  }
}
