import VideoAds

/// One load of a slot: turns what a pipeline signals into the events that the port promises (VA-1101).
///
///     loading ─prepared→ waiting ─running and a frame→ showing ⇄ filling
///        └──────────────────┴────────── end, failure ──────┴─→ over
///
/// The first frame comes once and after `play`, no position before it, and one of `ended` and `failed` last.
struct SlotPlayback: Sendable {
  /// What a pipeline says.
  enum Signal: Sendable, Hashable {
    /// It stands at its beginning, decoded.
    case prepared(duration: Double?, size: AdSize?)
    /// A picture reached the sink.
    case frame
    /// It runs.
    case running
    /// How full its buffer is, in percent.
    case filled(Int)
    case position(Double)
    case duration(Double)
    /// Media up to that time is there.
    case buffered(Double)
    case end(position: Double)
    case failure(PlayerFailure)
  }

  /// What is to be done.
  enum Action: Sendable, Hashable {
    case tell(AdPlayerEvent)
    /// Runs the pipeline, or holds it.
    case run(Bool)
    /// Lets everything go that the pipeline holds.
    case close
  }

  private enum Phase: Sendable {
    case loading
    case waiting
    case showing
    case over
  }

  /// Whether sound alone is a failure: an engine without the decoder plays the rest and calls it a success (VA-1110).
  let needsPicture: Bool
  private var phase = Phase.loading
  private var isWanted = false
  private var isRunning = false
  private var isFilling = false
  private var isFillingTold = false
  private var hasFrame = false
  private var size: AdSize?
  private var position = -1.0
  private var buffered = 0.0

  init(needsPicture: Bool) { self.needsPicture = needsPicture }

  var hasShown: Bool { phase == .showing }
  /// Whether the pipeline stands or runs, so that it can be sought in.
  var isReady: Bool { phase == .waiting || phase == .showing }
  var isOver: Bool { phase == .over }

  mutating func play() -> [Action] {
    guard !isWanted, phase != .over else { return [] }
    isWanted = true
    return runIfPossible() + tellFilling()
  }

  mutating func pause() -> [Action] {
    guard isWanted, phase != .over else { return [] }
    isWanted = false
    isRunning = false
    isFillingTold = false
    return isReady ? [.run(false)] : []
  }

  mutating func handle(_ signal: Signal) -> [Action] {
    guard phase != .over else { return [] }
    switch signal {
    case .prepared(let duration, let size): return prepared(duration, size)
    case .frame:
      hasFrame = true
      return showIfPossible()
    case .running:
      isRunning = isWanted
      return showIfPossible()
    case .filled(let percent): return filled(percent)
    case .position(let position):
      guard phase == .showing, isWanted, position != self.position else { return [] }
      self.position = position
      return [.tell(.position(position))]
    case .buffered(let time):
      // An estimate that goes on is told in steps.
      guard phase == .showing, time >= buffered + 0.25 else { return [] }
      buffered = time
      return [.tell(.buffered(to: time))]
    case .duration(let duration): return isReady ? [.tell(.duration(duration))] : []
    case .end(let position):
      let hasShown = phase == .showing
      phase = .over
      // The last picture stays until something else is shown (VA-1112).
      return hasShown ? [.tell(.ended(position: position))] : [.tell(.failed(.decode)), .close]
    case .failure(let failure):
      phase = .over
      return [.tell(.failed(failure)), .close]
    }
  }

  private mutating func prepared(_ duration: Double?, _ size: AdSize?) -> [Action] {
    // Every seek prepares anew.
    guard phase == .loading else { return [] }
    guard size != nil || !needsPicture else {
      phase = .over
      return [.tell(.failed(.unsupported)), .close]
    }
    phase = .waiting
    self.size = size
    return [.tell(.ready(duration: duration, size: size))] + runIfPossible()
  }

  private mutating func showIfPossible() -> [Action] {
    guard phase == .waiting, isRunning, hasFrame || size == nil else { return [] }
    phase = .showing
    return [.tell(.firstFrame(size: size))]
  }

  private func runIfPossible() -> [Action] { isWanted && isReady && !isFilling ? [.run(true)] : [] }

  private mutating func filled(_ percent: Int) -> [Action] {
    if percent < 100 {
      guard !isFilling else { return [] }
      isFilling = true
      isRunning = false
      return (isWanted && isReady ? [.run(false)] : []) + tellFilling()
    }
    guard isFilling else { return [] }
    isFilling = false
    let wasTold = isFillingTold
    isFillingTold = false
    return runIfPossible() + (wasTold ? [.tell(.bufferingEnded)] : [])
  }

  /// Filling before the first frame is preparing; while paused it is nobody's wait.
  private mutating func tellFilling() -> [Action] {
    guard isFilling, isWanted, phase == .showing, !isFillingTold else { return [] }
    isFillingTold = true
    return [.tell(.bufferingBegan)]
  }
}
