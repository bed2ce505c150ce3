import Foundation

/// The order of the events that wait for the page, with their limits; the data is in the store (WT-420 to WT-434).
///
/// It holds a summary of each event and nothing of its data, so that a long queue costs little memory.
struct EventQueue: Sendable {
  /// What publish settings and configuration say of it.
  struct Rules: Sendable, Equatable {
    var batchSize = 1
    /// -1: none but the ceiling; 0: no queue.
    var limit = -1
    /// Below 0: never.
    var expirationDays = -1.0
    /// Events a second while many wait.
    var flushRate = 100.0
  }

  struct Entry: Sendable, Equatable {
    var summary: EventSummary
    /// Leaves whatever the consent.
    var passesConsent: Bool
    /// Leaves without waiting for others.
    var isUnbatched: Bool
    /// What it was last said to wait for.
    var reason: QueueReason?
    /// Whether the app wants it to wait until the next flush.
    var isHeld = false
    /// Milliseconds of the age clock at which it came.
    var since: Int64

    init(_ summary: EventSummary, since: Int64) {
      self.summary = summary
      self.since = since
      passesConsent = SpecialEvent.passesConsent(type: summary.type, title: summary.title)
      isUnbatched = SpecialEvent.isUnbatched(type: summary.type, title: summary.title)
    }
  }

  /// The most events and bytes that wait, whatever the settings (WT-433).
  static let ceiling = 100_000
  static let mostBytes = 64 << 20
  /// The most events of one call.
  static let mostInCall = 10
  /// How long events wait for others, in milliseconds.
  static let longestBatching: Int64 = 60_000
  /// A back-log of more than that is paced.
  static let paced = 20

  var rules = Rules()
  /// Those before `head` have left.
  private var entries: [Entry] = []
  private var head = 0
  private(set) var bytes = 0
  /// Those at the front that no longer wait for others.
  private(set) var released = 0
  /// Those at the back of which nothing was said yet.
  private(set) var unreported = 0
  private var consentEvents = 0

  var count: Int { entries.count - head }
  var isEmpty: Bool { count == 0 }
  var waiting: ArraySlice<Entry> { entries[head...] }
  var hasConsentEvents: Bool { consentEvents > 0 }
  /// When the oldest event that waits for others is to leave; nil when none does.
  var batchDue: Int64? {
    released < count ? entries[head + released].since + Self.longestBatching : nil
  }

  /// Adds an event at the end.
  ///
  /// - Returns: the events that must go for it, oldest first.
  mutating func add(_ entry: Entry) -> [Entry] {
    entries.append(entry)
    count(entry, 1)
    unreported += 1
    var full: [Entry] = []
    let limit = rules.limit > 0 ? min(rules.limit, Self.ceiling) : Self.ceiling
    while count > limit || bytes > Self.mostBytes {
      guard
        let index = entries[head...].firstIndex(where: { !$0.passesConsent }) ?? entries.indices.dropFirst(head).first
      else { break }
      full.append(remove(at: index))
    }
    if entry.isUnbatched || rules.batchSize < 2 || count - released >= rules.batchSize { releaseAll() }
    return full
  }

  /// Lets all that wait now leave without waiting for others.
  mutating func releaseAll() { released = count }

  /// Lets those leave that waited for others long enough.
  mutating func releaseDue(_ now: Int64) {
    if let due = batchDue, now >= due { releaseAll() }
  }

  /// Takes the next events for a call out.
  ///
  /// - Parameter consentOnly: whether only those leave that pass without consent.
  mutating func take(_ most: Int, consentOnly: Bool) -> [Entry] {
    guard !consentOnly || consentEvents > 0 else { return [] }
    var taken: [Entry] = []
    var index = head
    while index < entries.count, index < head + released, taken.count < most {
      let entry = entries[index]
      if entry.isHeld || (consentOnly && !entry.passesConsent) {
        index += 1
        continue
      }
      // An event under suspicion travels alone.
      if entry.summary.deaths > 0, !taken.isEmpty { break }
      let isAtFront = index == head
      taken.append(remove(at: index))
      if isAtFront { index = head }
      if entry.summary.deaths > 0 { break }
    }
    return taken
  }

  /// Puts events back to the front, in their order.
  mutating func putBack(_ returned: [Entry]) {
    for entry in returned { count(entry, 1) }
    if head >= returned.count {
      head -= returned.count
      entries.replaceSubrange(head..<(head + returned.count), with: returned)
    } else {
      entries.replaceSubrange(..<head, with: returned)
      head = 0
    }
    released += returned.count
  }

  /// Takes out what is older than the rules allow; a clock that went back makes nothing old (WT-431).
  mutating func expire(_ wall: Int64) -> [Entry] {
    guard rules.expirationDays > 0 else { return [] }
    let age = Int64(rules.expirationDays * 86_400_000)
    var expired: [Entry] = []
    while head < entries.count, wall.since(entries[head].summary.time) >= age { expired.append(remove(at: head)) }
    return expired
  }

  /// Takes out all events, or all but those that pass without consent.
  mutating func removeAll(keepingConsentEvents: Bool = false) -> [Entry] {
    let all = entries[head...]
    let kept = keepingConsentEvents ? all.filter(\.passesConsent) : []
    let gone = keepingConsentEvents ? all.filter { !$0.passesConsent } : Array(all)
    (entries, head, bytes, consentEvents) = (kept, 0, 0, 0)
    for entry in kept { count(entry, 1) }
    released = min(released, kept.count)
    unreported = min(unreported, kept.count)
    return gone
  }

  /// Makes an app's held events free to be asked about again.
  mutating func freeHeld() {
    for index in entries.indices.dropFirst(head) where entries[index].isHeld { entries[index].isHeld = false }
  }

  /// Records for whom a new reason holds.
  ///
  /// - Parameter isAll: whether it may have changed for all, and not only for those that came since the last time.
  mutating func report(isAll: Bool, _ reason: (Entry, _ isReleased: Bool) -> QueueReason?) -> [(UUID, QueueReason)] {
    var changes: [(UUID, QueueReason)] = []
    for index in entries.indices.dropFirst(isAll ? head : entries.count - unreported) {
      let entry = entries[index]
      guard let reason = reason(entry, index < head + released), reason != entry.reason else { continue }
      entries[index].reason = reason
      changes.append((entry.summary.id, reason))
    }
    unreported = 0
    return changes
  }

  private mutating func remove(at index: Int) -> Entry {
    let entry = entries[index]
    if index < head + released { released -= 1 }
    if index >= entries.count - unreported { unreported -= 1 }
    if index == head {
      head += 1
      if head > 1024, head > entries.count / 2 {
        entries.removeSubrange(..<head)
        head = 0
      }
    } else {
      entries.remove(at: index)
    }
    count(entry, -1)
    return entry
  }

  private mutating func count(_ entry: Entry, _ sign: Int) {
    bytes += sign * entry.summary.bytes
    if entry.passesConsent { consentEvents += sign }
  }
}
