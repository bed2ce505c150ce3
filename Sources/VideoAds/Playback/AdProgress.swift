/// What is due along one linear ad's time, each thing once (VA-803, VA-805, VA-785).
///
/// The points are planned once and again when the duration changes; a position between two of them costs a comparison.
struct AdProgress: Sendable {
  /// A point of the ad's time.
  enum Point: Sendable, Hashable {
    case firstQuartile
    case midpoint
    case thirdQuartile
    case complete
    /// A progress tracker, by its place in the ad's list.
    case tracker(Int)
    case skippable
  }

  private struct Planned: Sendable {
    let time: Int64
    /// Orders points of one time: the quarters, the trackers as they stand in the list, the skip control.
    let rank: Int
    let point: Point

    static func isEarlier(_ left: Planned, _ right: Planned) -> Bool {
      left.time != right.time ? left.time < right.time : left.rank < right.rank
    }
  }

  private let trackings: [VAST.Tracking]
  private let skipOffset: VAST.TimeOffset?
  /// What earlier plans have done.
  private var done: Set<Point> = []
  private var plan: [Planned] = []
  /// The first of the plan that is not done.
  private var next = 0
  private(set) var duration: Int64?
  private(set) var position: Int64 = 0
  /// The time from which the ad may be skipped; nil for never (VA-745).
  private(set) var skipTime: Int64?

  init(_ linear: VAST.Linear) {
    trackings = linear.tracking
    skipOffset = linear.skipOffset
    duration = linear.duration
    makePlan()
  }

  mutating func setDuration(_ duration: Int64) {
    if duration == self.duration { return }
    self.duration = duration
    done.formUnion(plan[..<next].map(\.point))
    makePlan()
  }

  var isSkippable: Bool { skipTime.map { position >= $0 } ?? false }

  /// What is due at a position and was not before, in order of time.
  mutating func reach(_ position: Int64) -> [Point] {
    self.position = position
    let first = next
    while next < plan.count, plan[next].time <= position { next += 1 }
    return first == next ? [] : plan[first..<next].map(\.point)
  }

  /// What is due when the ad ends in full: the rest of its points within its duration, then `complete`.
  mutating func finish() -> [Point] {
    let end = duration ?? position
    return reach(max(position, end)) + (done.insert(.complete).inserted ? [.complete] : [])
  }

  /// The time from which an ad may be skipped, by its stated duration; nil for never.
  static func skipTime(of linear: VAST.Linear) -> Int64? { skipTime(linear.skipOffset, within: linear.duration) }

  private static func skipTime(_ offset: VAST.TimeOffset?, within duration: Int64?) -> Int64? {
    guard let time = offset.flatMap({ milliseconds($0, of: duration) }) else { return nil }
    return duration.map { time < $0 } ?? true ? time : nil
  }

  private mutating func makePlan() {
    skipTime = Self.skipTime(skipOffset, within: duration)
    plan = []
    next = 0
    plan.reserveCapacity(trackings.count + 4)
    var isOrdered = true
    for index in trackings.indices {
      guard let offset = trackings[index].offset, let time = Self.milliseconds(offset, of: duration),
        duration.map({ time <= $0 }) ?? true
      else { continue }
      if !done.isEmpty, done.contains(.tracker(index)) { continue }
      if let last = plan.last, last.time > time { isOrdered = false }
      plan.append(Planned(time: time, rank: index, point: .tracker(index)))
    }
    // Documents list their trackers in order, as a rule.
    if !isOrdered { plan.sort(by: Planned.isEarlier) }
    if let duration, duration > 0 {
      insert(.firstQuartile, at: Self.part(duration, 25), rank: -3)
      insert(.midpoint, at: Self.part(duration, 50), rank: -2)
      insert(.thirdQuartile, at: Self.part(duration, 75), rank: -1)
    }
    if let skipTime { insert(.skippable, at: skipTime, rank: trackings.count) }
  }

  private mutating func insert(_ point: Point, at time: Int64, rank: Int) {
    if done.contains(point) { return }
    let planned = Planned(time: time, rank: rank, point: point)
    var (low, high) = (0, plan.count)
    while low < high {
      let middle = (low + high) / 2
      if Planned.isEarlier(plan[middle], planned) { low = middle + 1 } else { high = middle }
    }
    plan.insert(planned, at: low)
  }

  private static func part(_ duration: Int64, _ percent: Int64) -> Int64 {
    duration / 100 * percent + duration % 100 * percent / 100
  }

  private static func milliseconds(_ offset: VAST.TimeOffset, of duration: Int64?) -> Int64? {
    switch offset {
    case .milliseconds(let time): time
    case .fraction(let part): duration.map { Int64((Double($0) * part).rounded()) }
    }
  }
}
