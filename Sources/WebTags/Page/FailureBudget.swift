/// How long a page is left alone after a failure, and how many ends of its process it has (WT-310, WT-311).
struct FailureBudget: Sendable {
  static let mostCrashes = 3
  static let crashWindow: Int64 = 300_000
  static let crashPause: Int64 = 900_000
  static let crashMemory: Int64 = 1_800_000
  static let readyTime: Int64 = 60_000

  var seed: UInt64 = 0
  private(set) var attempt = 0
  /// Engines that could not be started, one after another.
  private(set) var engineFailures = 0
  private var crashes: [Int64] = []
  private(set) var isLooping = false
  private var readySince: Int64?

  mutating func becameReady(_ now: Int64) {
    engineFailures = 0
    readySince = now
  }

  /// Counts a failed load.
  mutating func failed(_ now: Int64) -> Int64 {
    forget(now)
    attempt += 1
    return isLooping ? Self.crashPause : delay()
  }

  /// Counts an end of the process.
  mutating func crashed(_ now: Int64) -> Int64 {
    forget(now)
    attempt += 1
    if let last = crashes.last, now - last >= Self.crashMemory { isLooping = false }
    crashes = crashes.filter { now - $0 < Self.crashWindow } + [now]
    if crashes.count >= Self.mostCrashes { isLooping = true }
    return isLooping ? Self.crashPause : delay()
  }

  /// Counts an engine that could not be started; nil when there are to be no more tries.
  mutating func engineFailed() -> Int64? {
    engineFailures += 1
    switch engineFailures {
    case 1: return 1_000
    case 2: return 5_000
    default: return nil
    }
  }

  /// The app asks for a load: all is forgotten.
  mutating func forgive() {
    (attempt, engineFailures, crashes, isLooping) = (0, 0, [], false)
  }

  private mutating func forget(_ now: Int64) {
    if let readySince, now - readySince >= Self.readyTime { attempt = 0 }
    if let last = crashes.last, now - last >= Self.crashMemory { (crashes, isLooping) = ([], false) }
    readySince = nil
  }

  /// 1 s, doubled each time, at most 300 s, give or take a fifth.
  private mutating func delay() -> Int64 {
    let doublings = Int64(min(attempt - 1, 20))
    let delay = min(Int64(1_000) << doublings, 300_000)
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let fifth = delay / 5
    return delay - fifth + Int64(seed >> 33) % (2 * fifth + 1)
  }
}
