import Foundation

/// How soon somebody may try to sign in again (CO-902).
///
///     free ──some failures──► waiting ──the delay has passed──► one more try ──fails──► waiting, twice as long
///       ▲                                                             │
///       └───────────────────succeeds, or an hour without a try────────┘
///
/// A try counts before its password is looked at, so that many at once are no way around it.
struct SignInThrottle: Sendable {
  /// Whose tries are counted.
  enum Subject: Sendable, Hashable {
    case account(String)
    case address(ClientAddress)

    /// Failures that cost nothing: a person mistypes, and many people share an address.
    fileprivate var free: Int {
      switch self {
      case .account: 5
      case .address: 20
      }
    }
  }

  private struct Entry {
    var failures = 0
    var last: UInt64 = 0
    var until: UInt64 = 0
  }

  static let longest: UInt64 = 900
  private static let second: UInt64 = 1_000_000_000
  private static let memory: UInt64 = 3600 * second
  private let most: Int
  private var entries: [Subject: Entry] = [:]

  /// - Parameter most: subjects that are remembered.
  init(most: Int = 20_000) { self.most = most }

  /// Counts a try of subjects at a reading of the age clock in nanoseconds.
  ///
  /// - Returns: nil when it may be made, else the seconds after which it may.
  mutating func attempt(_ subjects: Subject..., at now: UInt64) -> Int? {
    let waits = subjects.compactMap { subject in entries[subject].flatMap { $0.until > now ? $0.until - now : nil } }
    if let longest = waits.max() { return Int((longest + Self.second - 1) / Self.second) }
    for subject in subjects {
      if entries[subject] == nil, entries.count >= most { makeRoom(at: now) }
      var entry = entries[subject] ?? Entry()
      if now > entry.last, now - entry.last > Self.memory { entry = Entry() }
      entry.failures += 1
      entry.last = now
      let excess = entry.failures - subject.free
      if excess > 0 { entry.until = now + min(Self.longest, 1 << UInt64(min(excess, 16))) * Self.second }
      entries[subject] = entry
    }
    return nil
  }

  /// Forgets the failures of those that have signed in; an address only loses the try that was none.
  mutating func succeed(_ subjects: Subject...) {
    for subject in subjects {
      switch subject {
      case .account: entries[subject] = nil
      case .address:
        entries[subject]?.failures -= 1
        entries[subject]?.until = 0
      }
    }
  }

  /// How many subjects are remembered.
  var remembered: Int { entries.count }

  private mutating func makeRoom(at now: UInt64) {
    entries = entries.filter { now < $0.value.until || now - min(now, $0.value.last) <= Self.memory }
    guard entries.count >= most else { return }
    // The longest quiet half goes; the busy ones are those that matter.
    let quiet = entries.sorted { $0.value.last < $1.value.last }.prefix(most / 2)
    for subject in quiet.map(\.key) { entries[subject] = nil }
  }
}
