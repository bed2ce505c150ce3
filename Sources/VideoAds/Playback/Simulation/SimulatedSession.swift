/// Runs an engine against simulated content, media and answers, as fast as it goes: the clock jumps from one event to
/// the next, so the same input gives the same timeline.
struct SimulatedSession: Sendable {
  /// One thing the engine did, and when.
  struct Entry: Sendable, Hashable {
    var time: Int64
    var contentTime: Int64
    var adTime: Int64?
    var action: EngineAction
  }

  private(set) var engine: AdsEngine
  private(set) var now: Int64 = 0
  private(set) var timeline: [Entry] = []
  private(set) var contentTime: Int64
  let contentDuration: Int64
  private let media: @Sendable (VAST.MediaFile) -> SimulatedMedia
  private let answer: @Sendable (AdFetch) -> FetchOutcome
  private var isContentPlaying = false
  private var isContentOver = false
  private var playback: SimulatedPlayback?
  private var timers: [EngineTimer: Int64] = [:]
  private var nextSample: Int64 = 0
  private var answers: [(fetch: BreakFetch, outcome: FetchOutcome)] = []

  /// Makes a session; content of a duration starts at a position, both in milliseconds.
  init(
    engine: AdsEngine, contentDuration: Int64, start: Int64 = 0,
    media: @escaping @Sendable (VAST.MediaFile) -> SimulatedMedia,
    answer: @escaping @Sendable (AdFetch) -> FetchOutcome
  ) {
    self.engine = engine
    self.contentDuration = contentDuration
    contentTime = start
    self.media = media
    self.answer = answer
  }

  /// Runs until everything is over, or a limit of steps is reached.
  mutating func run(stepLimit: Int = 1_000_000) {
    send(.initialize(content: contentTime, duration: contentDuration))
    var steps = 0
    while engine.state != .done, engine.state != .destroyed, steps < stepLimit {
      steps += 1
      if engine.state == .ready {
        send(.start)
      } else if let next = answers.first {
        answers.removeFirst()
        send(.fetched(next.fetch, next.outcome))
      } else if !advance() {
        return
      }
    }
  }

  /// Goes to the next event in time; false when there is none.
  private mutating func advance() -> Bool {
    let timer = timers.min { ($0.value, Self.rank($0.key)) < ($1.value, Self.rank($1.key)) }
    let sample = isContentPlaying && !isContentOver ? nextSample : nil
    guard let time = [timer?.value, playback?.nextTime, sample].compactMap({ $0 }).min() else { return false }
    let passed = max(0, time - now)
    if isContentPlaying { contentTime = min(contentDuration, contentTime + passed) }
    now = max(now, time)
    if playback?.nextTime == time, let token = playback?.token {
      for event in playback?.step() ?? [] { send(.player(token, event)) }
    } else if let timer, timer.value == time {
      timers[timer.key] = nil
      send(.timer(timer.key))
    } else {
      nextSample = now + 200
      send(.contentTime(contentTime))
      if contentTime >= contentDuration, !isContentOver {
        isContentOver = true
        send(.contentComplete)
      }
    }
    return true
  }

  private static func rank(_ timer: EngineTimer) -> Int {
    switch timer {
    case .load: 0
    case .stall: 1
    case .frameless: 2
    case .resolution(let id): 3 + id.index * 1_000 + id.repetition
    }
  }

  private mutating func send(_ event: EngineEvent) {
    for action in engine.handle(event, at: now) { perform(action) }
  }

  private mutating func perform(_ action: EngineAction) {
    timeline.append(Entry(time: now, contentTime: contentTime, adTime: playback?.position, action: action))
    switch action {
    case .fetch(let fetch, let document): answers.append((fetch, answer(document)))
    case .cancelFetches(let id): answers.removeAll { $0.fetch.breakID == id }
    case .load(let token, let file): playback = SimulatedPlayback(media(file), token: token, at: now)
    case .play(let token): if playback?.token == token { playback?.play(at: now) }
    case .pausePlayer(let token): if playback?.token == token { playback?.pause(at: now) }
    case .stop(let token): if playback?.token == token { playback = nil }
    case .setTimer(let timer, let delay): timers[timer] = now + delay
    case .clearTimer(let timer): timers[timer] = nil
    case .requestContentPause: isContentPlaying = false
    case .requestContentResume:
      isContentPlaying = true
      nextSample = now
    case .emit, .reportError, .beacon: return
    }
  }
}
