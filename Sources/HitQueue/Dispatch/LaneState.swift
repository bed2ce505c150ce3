/// One lane in the machine.
///
///     idle ─claim─▶ claiming ─▶ sending ─┬─▶ settling ──▶ idle, or with the next claim sending again
///      ▲              │                  └─▶ releasing ─▶ idle
///      └──────────────┘ empty, busy, failed
///
/// A lane that rests is idle with a time in `restsUntil`; one whose refused batch is being taken apart is idle between
/// two requests with parts left in `isolation`.
struct LaneState: Sendable {
  enum Phase: Sendable, Equatable {
    case idle
    case claiming
    case sending
    case settling
    case releasing
  }

  var phase = Phase.idle
  var origin: String
  var isKnown: Bool
  /// The oldest hit that may be sent; nil when there is none.
  var oldest: Int64?
  /// When the oldest hit should have left, so as not to be late (HQ-405).
  var leavesBy: UInt64?
  /// When the first of the hits may be sent that wait for their time (HQ-261); nil when none does.
  private(set) var opensAt: UInt64?
  var rest: LaneRest
  /// The time of the age clock until which the lane rests.
  var restsUntil: UInt64?
  /// The claimed sequences while a request is under way.
  var batch: [Int64] = []
  /// Parts of a refused batch that are still to be tried, the next one last (HQ-431).
  var isolation: [ClosedRange<Int64>] = []
  /// Whether the settlement under way is to end in the next claim.
  var claimsNext = false
  /// A hit that came while a claim was under way, which may not have seen it.
  var noted: Int64?
  /// Single hits refused in a row, none taken between (HQ-432).
  var refusedSingles: [Int64] = []
  /// Whether its last request found a server that could not be trusted.
  var isDistrusted = false
  /// Settled requests in a row.
  var successes = 0
  /// Whether it has failed in the pass under way.
  var hasFailedInPass = false
  /// What the last answer has decided, while it is being written.
  var decision: ClaimDecision?
  /// The decision that could not be written, and when to try again.
  var unwritten: (decision: ClaimDecision, at: UInt64)?

  var isActive: Bool { phase != .idle }

  /// Whether a claim is being written.
  var isClaiming: Bool { phase == .claiming || (phase == .settling && claimsNext) }

  /// Active, and not waiting for a broken store.
  var isBusy: Bool { isActive && unwritten == nil }

  init(_ facts: LaneFacts, at now: Moment) {
    origin = facts.origin
    isKnown = facts.isKnown
    oldest = facts.oldest
    leavesBy = facts.leavesBy
    opensAt = facts.opensAt
    rest = facts.rest
    restsUntil = Self.restsUntil(facts.rest, now)
  }

  /// Notes a hit that waits for its time.
  mutating func opens(at time: UInt64?) {
    guard let time else { return }
    opensAt = min(opensAt ?? .max, time)
  }

  /// The time has come for the first of the hits that waited for theirs.
  mutating func open() {
    opensAt = nil
    // Which of them it is says the claim.
    oldest = oldest ?? 0
  }

  /// Forgets the hits: they are deleted.
  mutating func forgetHits() {
    oldest = nil
    opensAt = nil
    isolation = []
  }

  /// Ends a request for the part of a refused batch that is next: what did not fit into it is still to be tried.
  mutating func finishPart() {
    guard let part = isolation.popLast(), let last = batch.last, last < part.upperBound else { return }
    isolation.append((last + 1)...part.upperBound)
  }

  /// Takes over what another process has learnt, unless this one knows better.
  mutating func update(_ facts: LaneFacts, at now: Moment) {
    isKnown = facts.isKnown
    guard !isActive else { return }
    // A hit that came behind the look is still the oldest where the look found none.
    let isNewer = facts.oldest == nil && oldest.map { $0 > facts.line } ?? false
    if !isNewer {
      oldest = facts.oldest
      leavesBy = facts.leavesBy
    }
    opensAt = facts.opensAt
    if facts.rest != rest, rest.cause != .busy {
      rest = facts.rest
      restsUntil = Self.restsUntil(facts.rest, now)
    }
  }

  /// A relaunch waits for what is left of a rest, never for more than the cause allows (HQ-430).
  private static func restsUntil(_ rest: LaneRest, _ now: Moment) -> UInt64? {
    guard let until = rest.until, until > now.wall else { return nil }
    let (left, overflow) = until.subtractingReportingOverflow(now.wall)
    let longest = BackOff.longest(for: rest.cause, failures: rest.failures)
    return now.age + (overflow ? longest : min(longest / 1_000_000, UInt64(left)) * 1_000_000)
  }

  /// Whether the lane may make a request.
  ///
  /// - Parameter isManual: an app's own call does not wait for a back-off (HQ-411).
  func isReady(at now: UInt64, isManual: Bool) -> Bool {
    guard phase == .idle, isKnown, oldest != nil || !isolation.isEmpty else { return false }
    guard let restsUntil, restsUntil > now else { return true }
    return isManual && rest.cause == .backOff
  }
}
