/// Plays one simulated media file by a clock that is moved by hand (VA-1101, VA-1103).
///
///     loading ─ready, playing→ framing ─→ running ⇄ stalled
///                                           └─→ over        stop, from anywhere: over, and silent
///
/// The first frame comes at most once and after `play`, no position before it, exactly one of `ended` and `failed` last,
/// and nothing after `stop`.
struct SimulatedPlayback: Sendable {
  private enum Phase: Sendable {
    case loading
    /// Waits for the first frame.
    case framing
    case running
    case stalled
    case over
  }

  let token: AdPlayerToken
  let media: SimulatedMedia
  private var phase = Phase.loading
  private(set) var isPlaying = false
  /// When the next thing happens while playing; nil when nothing will.
  private var due: Int64?
  /// How much of the wait was left when it was paused.
  private var left: Int64
  private(set) var position: Int64 = 0
  private var stalls: [SimulatedMedia.Stall]

  /// Begins to load at a time.
  init(_ media: SimulatedMedia, token: AdPlayerToken, at now: Int64) {
    self.media = media
    self.token = token
    stalls = media.stalls.sorted { $0.at < $1.at }
    due = media.readyDelay.map { now + $0 }
    left = media.readyDelay ?? 0
  }

  /// The time of the next event; nil when nothing happens without a call.
  var nextTime: Int64? { due }

  mutating func play(at now: Int64) {
    guard phase != .over, !isPlaying else { return }
    isPlaying = true
    if phase != .loading { due = now + left }
  }

  mutating func pause(at now: Int64) {
    guard phase != .over, isPlaying else { return }
    isPlaying = false
    // Loading goes on while paused.
    if phase == .loading { return }
    left = max(0, (due ?? now) - now)
    due = nil
  }

  mutating func seek(to time: Int64, at now: Int64) {
    guard phase == .running || phase == .stalled else { return }
    position = min(max(0, time), lastPosition)
    phase = .running
    plan(at: now)
  }

  mutating func stop() {
    phase = .over
    isPlaying = false
    due = nil
  }

  /// Takes the step that is due at `nextTime`, and gives what the player tells.
  mutating func step() -> [PlaybackReport] {
    guard let now = due else { return [] }
    switch phase {
    case .loading:
      phase = .framing
      left = media.frameDelay
      due = isPlaying ? now + left : nil
      return [.ready(media.duration)]
    case .framing:
      if let failure = media.failure, failure.at <= 0 { return finish(.failed(failure.kind)) }
      phase = .running
      plan(at: now)
      return [media.size == nil ? .soundOnly : .firstFrame, .position(0)]
    case .stalled:
      phase = .running
      plan(at: now)
      return [.bufferingEnded]
    case .running: return run(at: now)
    case .over: return []
    }
  }

  private mutating func run(at now: Int64) -> [PlaybackReport] {
    position = nextPosition
    if let failure = media.failure, position >= failure.at {
      return [.position(position)] + finish(.failed(failure.kind))
    }
    if position >= lastPosition { return [.position(position)] + finish(.ended(position)) }
    if let stall = stalls.first, position >= stall.at {
      stalls.removeFirst()
      phase = .stalled
      due = now + stall.lasts
      return [.position(position), .bufferingBegan]
    }
    plan(at: now)
    return [.position(position)]
  }

  private var lastPosition: Int64 { min(media.end ?? media.duration, media.duration) }

  /// The next position that is told: a tick on, or where something happens before.
  private var nextPosition: Int64 {
    let points = [position + max(1, media.tick), lastPosition, stalls.first?.at, media.failure?.at].compactMap { $0 }
    return points.filter { $0 > position }.min() ?? lastPosition
  }

  private mutating func plan(at now: Int64) {
    left = max(0, nextPosition - position)
    due = isPlaying ? now + left : nil
  }

  private mutating func finish(_ event: PlaybackReport) -> [PlaybackReport] {
    stop()
    return [event]
  }
}
