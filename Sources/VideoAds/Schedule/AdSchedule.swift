/// The breaks of content, when they play and what has become of them (VA-512).
///
/// A value: equal inputs give equal schedules, and one can be stored and given to a later request. AdBreaks at one time
/// are one break, in the playlist's order (VA-503).
public struct AdSchedule: Sendable, Hashable, Codable {
  /// One point of content at which ads play.
  public struct Break: Sendable, Hashable, Codable, Identifiable {
    /// The first of its sources.
    public var id: BreakSource.ID
    /// When it plays; nil while that is not known.
    public var time: BreakTime?
    /// Where its ads come from, in the playlist's order.
    public var sources: [BreakSource]
    /// What has become of it.
    public var state: BreakState
    /// What has become of its ads, in play order, once they are known.
    public var ads: [AdState] = []
  }

  /// A code owed to a tracker of a break that was left out.
  public struct Rejection: Sendable, Hashable, Codable {
    /// The code.
    public var code: VMAPErrorCode
    /// The trackers of its `error` event.
    public var urls: [String]
    /// The break's id in the playlist.
    public var breakID: String?
  }

  /// The most breaks, repetitions included (VA-540).
  static let limit = 500

  /// The breaks: pre-roll, mid-rolls by time, post-roll; those without a time behind them.
  public private(set) var breaks: [Break] = []
  /// The breaks of the playlist that have no readable time (VA-501).
  public private(set) var rejections: [Rejection] = []
  /// Where each break is, and how many of them are open.
  private var lookup = BreakLookup()

  private enum CodingKeys: CodingKey {
    case breaks
    case rejections
  }

  /// Makes a schedule of a playlist; breaks that need content's duration or opportunities have no time yet.
  public init(_ playlist: VMAP.Document) { self.init(playlist.breaks) }

  init(_ adBreaks: [VMAP.AdBreak]) {
    var sources: [BreakSource] = []
    for (index, adBreak) in adBreaks.enumerated() {
      if adBreak.offset == nil || adBreak.rejection == .malformed {
        let urls = adBreak.tracking.filter { $0.event == .error }.map(\.url)
        rejections.append(Rejection(code: adBreak.rejection ?? .malformed, urls: urls, breakID: adBreak.id))
      } else {
        sources.append(BreakSource(id: BreakSource.ID(index: index), adBreak: adBreak))
      }
    }
    arrange(Self.placed(Self.repeated(sources), duration: nil, opportunities: []))
  }

  /// Reads a schedule that was kept.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    rejections = try container.decode([Rejection].self, forKey: .rejections)
    arrange(try container.decode([Break].self, forKey: .breaks))
  }

  private mutating func arrange(_ breaks: [Break]) {
    self.breaks = breaks
    lookup = BreakLookup(breaks)
  }

  /// The repetitions beside the breaks themselves, earlier ones first, as many as there is room for.
  private static func repeated(_ sources: [BreakSource]) -> [BreakSource] {
    var all = Array(sources.prefix(limit))
    var repetition = 1
    var repeating = sources.filter { $0.adBreak.repeatAfter != nil }
    while !repeating.isEmpty, all.count < limit {
      for index in repeating.indices { repeating[index].id.repetition = repetition }
      all += repeating.prefix(limit - all.count)
      repetition += 1
    }
    return all
  }

  /// Sorts sources into breaks; those outside of content are `dropped`.
  private static func placed(_ sources: [BreakSource], duration: Int64?, opportunities: [Int64]) -> [Break] {
    var breaks: [Break] = []
    var indexByTime: [BreakTime: Int] = [:]
    for source in sources.sorted(by: { ($0.id.index, $0.id.repetition) < ($1.id.index, $1.id.repetition) }) {
      guard let time = try? source.time(duration: duration, opportunities: opportunities) else {
        breaks.append(
          Break(id: source.id, time: nil, sources: [source], state: state(of: source, duration, opportunities)))
        continue
      }
      if let index = indexByTime[time] {
        breaks[index].sources.append(source)
      } else {
        indexByTime[time] = breaks.count
        breaks.append(Break(id: source.id, time: time, sources: [source], state: .unfetched))
      }
    }
    return sorted(breaks)
  }

  /// The state of a source that has no time.
  private static func state(of source: BreakSource, _ duration: Int64?, _ opportunities: [Int64]) -> BreakState {
    do {
      return try source.time(duration: duration, opportunities: opportunities) == nil ? .unplaced : .unfetched
    } catch {
      return .dropped
    }
  }

  private static func sorted(_ breaks: [Break]) -> [Break] {
    breaks.sorted { left, right in
      switch (left.time, right.time) {
      case (let left?, let right?) where left != right: left < right
      case (.some, nil): true
      case (nil, .some): false
      default: (left.id.index, left.id.repetition) < (right.id.index, right.id.repetition)
      }
    }
  }
}

extension AdSchedule {
  /// Places anew what nothing was asked for yet, once duration or opportunities are known or have changed (VA-502).
  ///
  /// Returns whether a cue point changed. What is due already keeps its place.
  mutating func place(duration: Int64?, opportunities: [Int64], keeping due: Set<BreakSource.ID> = []) -> Bool {
    let before = cuePoints
    let isOpen = { (item: Break) in
      (item.state == .unplaced || item.state == .unfetched) && !due.contains(item.id)
    }
    let open = breaks.filter(isOpen).flatMap(\.sources)
    arrange(
      Self.sorted(
        breaks.filter { !isOpen($0) } + Self.placed(open, duration: duration, opportunities: opportunities)))
    return cuePoints != before
  }

  /// Sets the state of a break; false, and nothing changes, when it may not follow (VA-513).
  mutating func set(_ state: BreakState, of id: BreakSource.ID) -> Bool {
    guard let place = place(of: id), breaks[place].state.allows(state) else { return false }
    breaks[place].state = state
    if state.isFinal { lookup.open -= 1 }
    return true
  }

  /// Takes back that a break was asked for.
  mutating func reopen(_ id: BreakSource.ID) {
    guard let place = place(of: id), !breaks[place].state.isFinal else { return }
    breaks[place].state = .unfetched
    breaks[place].ads = []
  }

  /// Says how many ads a break has.
  mutating func setAdCount(_ count: Int, of id: BreakSource.ID) {
    guard let place = place(of: id) else { return }
    breaks[place].ads = Array(repeating: .available, count: max(0, count))
  }

  /// Sets the state of an ad; false, and nothing changes, when it may not follow (VA-514).
  mutating func set(_ state: AdState, ofAd ad: Int, of id: BreakSource.ID) -> Bool {
    guard let place = place(of: id), breaks[place].ads.indices.contains(ad), breaks[place].ads[ad].allows(state) else {
      return false
    }
    breaks[place].ads[ad] = state
    return true
  }

  /// The state of a break's ad, both counted from 0; nil when there is none.
  public func adState(break index: Int, index ad: Int) -> AdState? {
    guard breaks.indices.contains(index), breaks[index].ads.indices.contains(ad) else { return nil }
    return breaks[index].ads[ad]
  }

  /// The seconds at which breaks play, ascending; 0 for the pre-roll, −1 for the post-roll, which is last (VA-520).
  public var cuePoints: [Double] {
    breaks.filter { $0.time != nil && $0.state != .dropped }.compactMap { $0.time?.seconds }
  }

  /// The number by which apps know a break: 0 the pre-roll, 1… the mid-rolls by time, −1 the post-roll (VA-521).
  func podIndex(of id: BreakSource.ID) -> Int {
    guard let place = place(of: id) else { return 0 }
    switch breaks[place].time {
    case .preroll, nil: return 0
    case .postroll: return -1
    case .midroll: return 1 + place - self.place(after: 0)
    }
  }

  /// Whether a break may still play.
  public var isOpen: Bool { lookup.open > 0 }

  /// The place of a break among the others, from 0.
  func place(of id: BreakSource.ID) -> Int? { lookup.places[id] }

  /// The place of the first break that is due only after a content time; behind it are the others, by their times.
  func place(after position: Int64) -> Int {
    var (low, high) = (0, breaks.count)
    while low < high {
      let middle = (low + high) / 2
      if let time = breaks[middle].time?.milliseconds, time <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The breaks that are due after a content time, as far as another.
  func breaks(after position: Int64, upTo end: Int64) -> ArraySlice<Break> {
    let first = place(after: position)
    return breaks[first..<max(first, place(after: end))]
  }

  /// The post-roll.
  var postroll: Break? { lookup.postroll.map { breaks[$0] } }

  /// Compares what a schedule says.
  public static func == (left: AdSchedule, right: AdSchedule) -> Bool {
    left.breaks == right.breaks && left.rejections == right.rejections
  }

  /// Hashes what a schedule says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(breaks)
    hasher.combine(rejections)
  }
}

/// What is known of a schedule's breaks without looking at all of them: there may be hundreds, and content moves often.
private struct BreakLookup: Sendable {
  var places: [BreakSource.ID: Int] = [:]
  var postroll: Int?
  /// How many breaks are not final.
  var open = 0

  init() {}

  init(_ breaks: [AdSchedule.Break]) {
    for (place, item) in breaks.enumerated() {
      places[item.id] = place
      if item.time == .postroll { postroll = postroll ?? place }
      if !item.state.isFinal { open += 1 }
    }
  }
}
