import Hits

/// The session of a visit and its count (WT-260): no clock, no network.
struct Session: Sendable, Equatable, Codable {
  /// A session without an event for that long is over, in milliseconds.
  static let longestPause: Int64 = 1_800_000
  /// Two events within that time make a session worth counting.
  static let countingPause: Int64 = 30_000

  /// Milliseconds since 1970 of the first event.
  private(set) var id: Int64 = 0
  private var lastTrack: Int64?
  private var isCounted = false
  /// Whether the request that counts is under way.
  private(set) var isCounting = false
  /// Whether a track of this launch went on with the session, or began it.
  private var isOfThisLaunch = false

  private enum CodingKeys: CodingKey {
    case id, lastTrack, isCounted
  }

  /// What a track does to it.
  struct Step: Sendable, Equatable {
    /// Whether a session began that is not the launch's first.
    var isNewWithinLaunch = false
    /// Whether any session began.
    var isNew = false
    /// Whether the session is to be counted now.
    var counts = false
  }

  /// Takes in a track at a wall time.
  mutating func track(_ now: Int64, mayCount: Bool) -> Step {
    var step = Step()
    let pause = lastTrack.map { now.since($0) }
    if pause.map({ $0 >= Self.longestPause }) ?? true {
      step.isNew = id != now
      step.isNewWithinLaunch = isOfThisLaunch && id != now
      self = Session(id: now)
    } else if let pause, pause <= Self.countingPause, !isCounted, !isCounting, mayCount {
      isCounting = true
      step.counts = true
    }
    isOfThisLaunch = true
    lastTrack = now
    return step
  }

  /// Takes in how the counting request of a session ended.
  mutating func counted(_ id: Int64, isGood: Bool) {
    guard id == self.id else { return }
    isCounting = false
    if isGood { isCounted = true }
  }

  init() {}

  private init(id: Int64) { self.id = id }
}
