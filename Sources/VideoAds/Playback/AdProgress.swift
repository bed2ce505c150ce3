/// What is due along one linear ad's time, each thing once (VA-803, VA-805, VA-785).
///
/// The points are planned once and again when the duration changes; a position between two of them costs a comparison.
struct AdProgress: Sendable {
  /// A point of the ad's time.
  enum Point: Sendable, Hashable {
    case event(VAST.TrackingEvent)
    /// A progress tracker, by its place in the ad's list.
    case tracker(Int)
    case skippable
  }

  private let trackers: [(index: Int, offset: VAST.TimeOffset)]
  private let skipOffset: VAST.TimeOffset?
  private var done: Set<Point> = []
  /// What is not done yet, the latest first.
  private var plan: [(time: Int64, point: Point)] = []
  private(set) var duration: Int64?
  private(set) var position: Int64 = 0
  /// The time from which the ad may be skipped; nil for never (VA-745).
  private(set) var skipTime: Int64?

  init(_ linear: VAST.Linear) {
    trackers = linear.tracking.enumerated().compactMap { index, tracking in tracking.offset.map { (index, $0) } }
    skipOffset = linear.skipOffset
    duration = linear.duration
    makePlan()
  }

  mutating func setDuration(_ duration: Int64) {
    if duration == self.duration { return }
    self.duration = duration
    makePlan()
  }

  var isSkippable: Bool { skipTime.map { position >= $0 } ?? false }

  /// What is due at a position and was not before, in order of time.
  mutating func reach(_ position: Int64) -> [Point] {
    self.position = position
    var due: [Point] = []
    while let next = plan.last, next.time <= position {
      due.append(next.point)
      done.insert(next.point)
      plan.removeLast()
    }
    return due
  }

  /// What is due when the ad ends in full: the rest of its points within its duration, then `complete`.
  mutating func finish() -> [Point] {
    let end = duration ?? position
    return reach(max(position, end)) + (done.insert(.event(.complete)).inserted ? [.event(.complete)] : [])
  }

  private mutating func makePlan() {
    skipTime = skipOffset.flatMap(milliseconds).flatMap { time in
      duration.map { time < $0 } ?? true ? time : nil
    }
    var all: [(time: Int64, point: Point)] = []
    if let duration, duration > 0 {
      all = [
        (Self.part(duration, 25), .event(.firstQuartile)), (Self.part(duration, 50), .event(.midpoint)),
        (Self.part(duration, 75), .event(.thirdQuartile)),
      ]
    }
    for tracker in trackers {
      guard let time = milliseconds(tracker.offset), duration.map({ time <= $0 }) ?? true else { continue }
      all.append((time, .tracker(tracker.index)))
    }
    if let skipTime { all.append((skipTime, .skippable)) }
    plan = all.enumerated().filter { !done.contains($0.element.point) }
      .sorted { ($0.element.time, $0.offset) > ($1.element.time, $1.offset) }.map(\.element)
  }

  private static func part(_ duration: Int64, _ percent: Int64) -> Int64 {
    duration / 100 * percent + duration % 100 * percent / 100
  }

  private func milliseconds(_ offset: VAST.TimeOffset) -> Int64? {
    switch offset {
    case .milliseconds(let time): time
    case .fraction(let part): duration.map { Int64((Double($0) * part).rounded()) }
    }
  }
}
