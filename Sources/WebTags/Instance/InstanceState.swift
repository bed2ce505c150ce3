import Foundation
import Hits

/// What the callers of an instance share with it: the data that events are made of, and the way to the instance's loop.
///
/// `track` works here alone: one lock, nothing waits (WT-401).
final class InstanceState: Sendable {
  /// Work for the instance's loop.
  enum Work: Sendable {
    case track(EventSnapshot, EventFate)
    case run(@Sendable (isolated WebTagManager) async -> Void)
  }

  struct Data: Sendable {
    var volatile: JSONObject = [:]
    var persistent: JSONObject
    var visitorID: String
    /// Whether the visitor came with this instance, and may still be that of the page's cookie (WT-408).
    var isVisitorNew: Bool
    var trace: String?
    var traceSession: Int64?
    var session: Session
    var consent: ConsentChoice
    var isClosed = false
    weak var delegate: (any WebTagManagerDelegate)?
  }

  let data: Locked<Data>
  let commands = Locked(CommandTable())
  let mailbox = Mailbox<Work>()
  private let clock: any HitClock
  private let random: any RandomSource

  init(_ data: Data, clock: any HitClock, random: any RandomSource) {
    self.data = Locked(data)
    self.clock = clock
    self.random = random
  }

  /// Takes an event in, as it and the data are now.
  func track(_ event: TagEvent, completion: (@Sendable (TrackedEvent, EventOutcome) -> Void)? = nil) -> TrackedEvent {
    let id = random.uuid()
    let number = random.next()
    let fate = EventFate(id: id, completion: completion)
    // The work is put in under the lock: the order of calls is the order of delivery.
    let isTaken = self.data.withLock { (data: inout Data) -> Bool in
      guard !data.isClosed else { return false }
      let time = clock.now()
      let mayCount = data.consent.passes == .all
      let step = data.session.track(time.wallMilliseconds, mayCount: mayCount)
      if step.isNew, data.traceSession != nil { (data.trace, data.traceSession) = (nil, nil) }
      if data.trace != nil, data.traceSession == nil { data.traceSession = data.session.id }
      let snapshot = EventSnapshot(
        id: id, event: event, time: time, random: number, sessionID: data.session.id, visitorID: data.visitorID,
        persistent: data.persistent, volatile: data.volatile, trace: data.trace, consent: data.consent.data)
      let session = data.session
      if step.isNew || step.counts {
        run { manager in await manager.sessionStepped(step, session) }
      }
      return mailbox.put(.track(snapshot, fate))
    }
    if !isTaken { fate.end(.dropped(.instanceClosed)) }
    return TrackedEvent(id: id, fate: fate)
  }

  /// Has the loop do something.
  func run(_ work: @escaping @Sendable (isolated WebTagManager) async -> Void) { mailbox.put(.run(work)) }

  /// 32 upper-case hex digits.
  static func hex(_ random: any RandomSource) -> String {
    [random.next(), random.next()].map { $0.padded(to: 16, radix: 16).uppercased() }.joined()
  }
}
