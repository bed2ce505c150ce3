import Hits

/// The last hits that came in and what became of each, with counts by the minute, in memory (CO-701).
///
/// It is filled from the collector's feed; a burst that it cannot follow costs nobody else anything. Its counts are those
/// of this server since its start.
final class HitWatch: Sendable {
  /// One judged hit.
  struct Entry: Sendable {
    /// Rises with each hit.
    var number: Int64
    var hit: JudgedHit
  }

  /// One minute.
  struct Minute: Sendable, Hashable {
    /// Wall minutes since 1970.
    var minute: Int64
    var accepted = 0
    var duplicate = 0
    var rejected = 0
    /// Accepted ones that happened more than a minute before they came.
    var late = 0

    var total: Int { accepted + duplicate + rejected }
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    var minutes: [Minute] = []
    var last: Int64 = 0

    mutating func take(_ hit: JudgedHit) {
      last += 1
      entries.append(Entry(number: last, hit: hit))
      if entries.count > HitWatch.most + 500 { entries.removeFirst(500) }
      let minute = hit.received / 60_000
      if minutes.last.map({ $0.minute < minute }) ?? true { minutes.append(Minute(minute: minute)) }
      if minutes.count > HitWatch.minutes { minutes.removeFirst() }
      guard let latest = minutes.indices.last else { return }
      switch hit {
      case .accepted(let hit):
        minutes[latest].accepted += 1
        if hit.received - hit.occurred > 60_000 { minutes[latest].late += 1 }
      case .duplicate: minutes[latest].duplicate += 1
      case .rejected: minutes[latest].rejected += 1
      }
    }
  }

  static let most = 2000
  static let minutes = 60
  let changes = ChangeSignal()
  private let state = Locked(State())

  /// Follows a feed until its task is cancelled.
  func follow(_ feed: IntakeFeed) async {
    let observer = feed.observe(buffer: 5000)
    while let hits = await observer.next() { take(hits) }
  }

  func take(_ hits: [JudgedHit]) {
    state.withLock { state in for hit in hits { state.take(hit) } }
    changes.signal()
  }

  /// The last entries above a number that a condition holds for, the newest first.
  func entries(after number: Int64 = 0, limit: Int, where holds: (JudgedHit) -> Bool) -> [Entry] {
    let entries = state.withLock { $0.entries }
    var found: [Entry] = []
    for entry in entries.reversed() {
      guard entry.number > number, found.count < limit else { break }
      if holds(entry.hit) { found.append(entry) }
    }
    return found
  }

  func entry(_ number: Int64) -> Entry? { state.withLock { $0.entries.first { $0.number == number } } }

  /// The last hour, minute by minute, those without a hit too.
  func lastHour(at time: Int64) -> [Minute] {
    let known = Dictionary(
      state.withLock { $0.minutes }.map { ($0.minute, $0) }, uniquingKeysWith: { first, _ in first })
    let now = time / 60_000
    return (now - Int64(Self.minutes) + 1...now).map { known[$0] ?? Minute(minute: $0) }
  }
}

extension JudgedHit {
  var received: Int64 {
    switch self {
    case .accepted(let hit), .duplicate(let hit): hit.received
    case .rejected(let hit): hit.received
    }
  }

  var property: String {
    switch self {
    case .accepted(let hit), .duplicate(let hit): hit.property
    case .rejected(let hit): hit.property ?? ""
    }
  }

  var kind: String {
    switch self {
    case .accepted(let hit), .duplicate(let hit): hit.kind
    case .rejected: ""
    }
  }

  /// What became of it.
  var result: String {
    switch self {
    case .accepted: "accepted"
    case .duplicate: "duplicate"
    case .rejected: "rejected"
    }
  }
}
