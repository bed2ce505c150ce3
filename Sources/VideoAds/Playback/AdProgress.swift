/// What is due along one linear ad's time, each thing once (VA-803, VA-805, VA-785).
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
  private(set) var duration: Int64?
  private(set) var position: Int64 = 0

  init(_ linear: VAST.Linear) {
    trackers = linear.tracking.enumerated().compactMap { index, tracking in tracking.offset.map { (index, $0) } }
    skipOffset = linear.skipOffset
    duration = linear.duration
  }

  mutating func setDuration(_ duration: Int64) { self.duration = duration }

  /// The time from which the ad may be skipped; nil for never (VA-745).
  var skipTime: Int64? {
    guard let time = skipOffset.flatMap(milliseconds) else { return nil }
    return duration.map { time < $0 } ?? true ? time : nil
  }

  var isSkippable: Bool { skipTime.map { position >= $0 } ?? false }

  /// What is due at a position and was not before, in order of time.
  mutating func reach(_ position: Int64) -> [Point] {
    self.position = position
    let due = points.filter { $0.time <= position && !done.contains($0.point) }.map(\.point)
    done.formUnion(due)
    return due
  }

  /// What is due when the ad ends in full: the rest of its points within its duration, then `complete`.
  mutating func finish() -> [Point] {
    let end = duration ?? position
    return reach(max(position, end)) + (done.insert(.event(.complete)).inserted ? [.event(.complete)] : [])
  }

  private var points: [(time: Int64, point: Point)] {
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
    return all.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
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
