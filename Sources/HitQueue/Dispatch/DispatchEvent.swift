import DurableStore
import Hits

/// What can happen to a dispatch.
enum DispatchEvent: Sendable {
  /// A hit was committed to a lane that had none, or that is new.
  case hitsChanged(LaneFacts)
  /// All lanes, as asked for by `scan`.
  case lanes([LaneFacts])
  /// The lanes could not be read.
  case scanFailed
  /// The app has set the interval, in seconds.
  case intervalSet(Double)
  /// The time of the last `alarm` has come.
  case alarm
  /// A pass is asked for.
  case dispatchRequested
  /// One request is asked for.
  case oneShot(CallID)
  /// Requests are asked for, one after another, as long as they are answered and settled.
  case drain(CallID)
  /// A batch is claimed: its sequences, oldest first.
  case claimed(lane: LaneRow.ID, sequences: [Int64])
  /// No hit of the lane may be sent; the first that waits for its time may be at a time of the age clock.
  case claimEmpty(lane: LaneRow.ID, opensAt: UInt64? = nil)
  /// Another process sends the lane's hits.
  case lockBusy(lane: LaneRow.ID)
  /// The claim could not be written.
  case storeFailed(lane: LaneRow.ID)
  /// The server has answered.
  case answered(lane: LaneRow.ID, Verdict)
  /// There is no answer.
  case failed(lane: LaneRow.ID, TransportError.Code, isUncertain: Bool)
  /// The settlement is on disk.
  case settled(lane: LaneRow.ID)
  /// The settlement is on disk, and with it the next claim; without sequences no hit may be sent, and the first that
  /// waits for its time may be at a time of the age clock.
  case settledAndClaimed(lane: LaneRow.ID, sequences: [Int64], opensAt: UInt64? = nil)
  /// The release is on disk.
  case released(lane: LaneRow.ID)
  /// A settlement or release could not be written.
  case settleFailed(lane: LaneRow.ID)
  /// There is a network, or there is none.
  case online(Bool)
  /// Nothing may leave, or it may again.
  case dryRun(Bool)
  /// The person does not want anything to leave any more, or allows it again.
  case optOut(Bool)
  /// A call is not wanted any more.
  case cancel(CallID)
  /// The queue ends.
  case close
}

/// What the driver has to do.
enum DispatchAction: Sendable, Equatable {
  /// Read all lanes.
  case scan
  /// Take the lane's lock and claim a batch.
  case claim(lane: LaneRow.ID, hits: Int, sequences: ClosedRange<Int64>?)
  /// Send the claimed batch.
  case send(lane: LaneRow.ID)
  /// Write what the answer has decided and let the claim go, or put the next one in its place.
  case settle(lane: LaneRow.ID, ClaimDecision, next: ClaimScope? = nil)
  /// Let the claim go; its hits stay.
  case release(lane: LaneRow.ID, ClaimDecision)
  /// End the lane's request.
  case cancel(lane: LaneRow.ID)
  /// Tell a caller, exactly once.
  case complete(CallID, DispatchReport)
  /// Delete every hit that is left.
  case deleteAll
  /// Send `alarm` at this time of the age clock; nil for never. It replaces the last one.
  case alarm(at: UInt64?)

  /// Whether it is the next step on the way of a lane's hits.
  func continues(_ lane: LaneRow.ID) -> Bool {
    switch self {
    case .send(lane), .settle(lane, _, _): true
    default: false
    }
  }
}

/// One call that waits for one request.
struct CallID: Sendable, Hashable {
  var number: Int
}

/// A lane as the machine must know it.
struct LaneFacts: Sendable, Equatable {
  var id: LaneRow.ID
  /// Scheme, host and port: what `Retry-After` holds back (HQ-434).
  var origin: String
  /// Whether this process can speak the lane's protocol.
  var isKnown: Bool
  /// The oldest hit that may be sent.
  var oldest: Int64?
  /// The time of the age clock by which that hit should have left, so as not to be late (HQ-405).
  var leavesBy: UInt64?
  /// Without one, the time of the age clock at which the first of those may be that wait for their time.
  var opensAt: UInt64?
  /// What the store remembers.
  var rest: LaneRest
  /// The sequence up to which hits were looked for.
  var line = Int64.max
}

/// The moment of an event.
struct Moment: Sendable {
  /// Nanoseconds of the age clock.
  var age: UInt64
  /// Wall time in milliseconds.
  var wall: Int64
  /// Random bits for one delay.
  var random: UInt64
}

extension DispatchReport {
  /// The report of several requests: their sums, and the end of the last.
  ///
  /// What goes again in parts is counted there. Where everything is refused, what was put aside for it comes back (HQ-432).
  func followed(by next: DispatchReport) -> DispatchReport {
    var total = next
    total.sent = sent + (next.reason == .refused ? next.rejected : next.sent)
    total.accepted += accepted
    total.rejected += rejected
    if next.reason == .allRejected { total.rejected -= min(total.rejected, DispatchMachine.refusedSingles - 1) }
    return total
  }
}
