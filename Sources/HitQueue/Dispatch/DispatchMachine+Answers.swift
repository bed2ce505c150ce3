import Hits

/// What servers answer (HQ-428 to HQ-434).
extension DispatchMachine {
  mutating func answered(
    _ id: LaneRow.ID, _ verdict: Verdict, _ now: Moment, _ actions: inout [DispatchAction]
  ) {
    guard let lane = lanes[id], lane.phase == .sending else { return }
    lanes[id]?.isDistrusted = false
    switch verdict {
    case .settled(let rejected, let duplicates, let deferred, let unknown):
      settle(id, rejected: rejected, duplicates: duplicates, deferred: deferred, unknown: unknown, now, &actions)
    case .retry(let wait?):
      // Whatever a protocol of the app's own says (HQ-434).
      let until = now.age + UInt64(min(max(wait.components.seconds, 1), 86_400)) * BackOff.second
      holds[lane.origin] = max(holds[lane.origin] ?? 0, until)
      rest(id, cause: .retryAfter, until: until, now)
      fail(id, reason: .server, &actions)
    case .retry(nil):
      backOff(id, now)
      fail(id, reason: .server, &actions)
    case .park(let cause, let base):
      park(id, LaneCause(cause), base, now)
      fail(id, reason: .server, &actions)
    case .shrink:
      shrink(id, &actions)
    case .isolate: isolate(id, now, &actions)
    case .withoutGzip:
      // At once again: what comes next is not compressed.
      report(DispatchReport(result: .error, sent: lane.batch.count, reason: .refused))
      release(id, .init(rest: lane.rest), &actions)
    }
  }

  mutating func failed(
    _ id: LaneRow.ID, _ code: TransportError.Code, _ isUncertain: Bool, _ now: Moment,
    _ actions: inout [DispatchAction]
  ) {
    guard lanes[id]?.phase == .sending else { return }
    if code.isDistrust { lanes[id]?.isDistrusted = true }
    // The app has ended the request: no word about the server.
    if code != .cancelled { backOff(id, now) }
    fail(id, reason: code == .cancelled ? .cancelled : .network, isUncertain: isUncertain, &actions)
  }

  private mutating func settle(
    _ id: LaneRow.ID, rejected: [HitID: String], duplicates: Set<HitID>, deferred: Set<HitID>, unknown: Int,
    _ now: Moment, _ actions: inout [DispatchAction]
  ) {
    guard var lane = lanes[id] else { return }
    let accepted = lane.batch.count - rejected.count - deferred.count
    lane.phase = .settling
    lane.successes += 1
    lane.leavesBy = nil
    if accepted > 0 { lane.refusedSingles = [] }
    lane.finishPart()
    lane.restsUntil = nil
    lane.rest.until = nil
    lane.rest.cause = nil
    lane.rest.failures = deferred.isEmpty ? 0 : lane.rest.failures + 1
    var notBefore: Int64 = 0
    if !deferred.isEmpty {
      // The lane rests with its deferred hits, so that later ones do not overtake them (HQ-421).
      let wait = BackOff.delay(afterFailures: lane.rest.failures, random: now.random)
      notBefore = now.wall.addingReportingOverflow(Int64(wait / 1_000_000)).partialValue
      lane.restsUntil = now.age + wait
      lane.rest.until = notBefore
      lane.rest.cause = .backOff
      lane.hasFailedInPass = true
    }
    if let limit = lane.rest.batchLimit, lane.successes % 3 == 0 {
      // Above any protocol's own number a learnt limit says nothing.
      lane.rest.batchLimit = limit < 500 ? limit * 2 : nil
    }
    let decision = ClaimDecision(
      rejected: rejected, unknownRejections: unknown, duplicates: duplicates.count, deferred: deferred,
      notBefore: notBefore, rest: lane.rest)
    lane.decision = decision
    let sent = lane.batch.count
    // The oldest that can be left; a claim that finds nothing puts it right.
    if deferred.isEmpty, let last = lane.batch.last, lane.isolation.isEmpty {
      lane.oldest = max(lane.oldest ?? 0, last)
    }
    lanes[id] = lane
    report(DispatchReport(result: .good, sent: sent, accepted: accepted, rejected: rejected.count))
    let next = deferred.isEmpty ? nextClaim(of: lane, id, now) : nil
    lanes[id]?.claimsNext = next != nil
    actions.append(.settle(lane: id, decision, next: next))
  }

  /// What a lane claims together with its settlement, when nobody else has a say in what comes next.
  private func nextClaim(of lane: LaneState, _ id: LaneRow.ID, _ now: Moment) -> ClaimScope? {
    guard gate == .open, calls.isEmpty, holds[lane.origin, default: 0] <= now.age else { return nil }
    switch work {
    case .idle: return nil
    case .pass: break
    case .oneShot(let call): guard call.lane == id, call.total != nil, !call.isCancelled else { return nil }
    }
    let hasRivals = lanes.contains { $0.key != id && isReady($0.value, now, isManual: true) }
    return hasRivals ? nil : ClaimScope(hits: lane.rest.batchLimit ?? .max, sequences: lane.isolation.last)
  }

  private mutating func backOff(_ id: LaneRow.ID, _ now: Moment) {
    let failures = (lanes[id]?.rest.failures ?? 0) + 1
    rest(id, cause: .backOff, until: now.age + BackOff.delay(afterFailures: failures, random: now.random), now)
  }

  private mutating func park(_ id: LaneRow.ID, _ cause: LaneCause, _ base: Duration, _ now: Moment) {
    let failures = (lanes[id]?.rest.failures ?? 0) + 1
    rest(id, cause: cause, until: now.age + BackOff.parking(base, failures: failures), now)
  }

  private mutating func rest(_ id: LaneRow.ID, cause: LaneCause, until: UInt64, _ now: Moment) {
    lanes[id]?.rest.failures += 1
    lanes[id]?.rest.cause = cause
    lanes[id]?.rest.until = now.wall.addingReportingOverflow(Int64((until - now.age) / 1_000_000)).partialValue
    lanes[id]?.restsUntil = until
    lanes[id]?.successes = 0
  }

  private mutating func fail(
    _ id: LaneRow.ID, reason: DispatchReport.Reason, isUncertain: Bool = false, _ actions: inout [DispatchAction]
  ) {
    guard let lane = lanes[id] else { return }
    lanes[id]?.hasFailedInPass = true
    report(DispatchReport(result: .error, sent: lane.batch.count, reason: reason))
    release(id, .init(isUncertain: isUncertain, rest: lane.rest), &actions)
  }

  /// The server takes half as many at once, or this hit never (HQ-428).
  private mutating func shrink(_ id: LaneRow.ID, _ actions: inout [DispatchAction]) {
    guard let lane = lanes[id] else { return }
    let isAlone = lane.batch.count == 1
    report(
      DispatchReport(result: .error, sent: lane.batch.count, rejected: isAlone ? 1 : 0, reason: .refused))
    lanes[id]?.successes = 0
    if isAlone {
      lanes[id]?.finishPart()
      release(id, .init(quarantine: .tooLarge, rest: lane.rest), &actions)
    } else {
      lanes[id]?.rest.batchLimit = lane.batch.count / 2
      release(id, .init(rest: lanes[id]?.rest ?? lane.rest), &actions)
    }
  }

  /// How many refused singles in a row say that it is the endpoint, not the hits (HQ-432).
  static let refusedSingles = 20

  /// Takes a refused batch apart: halves, in order; a refused single hit is put aside (HQ-431).
  private mutating func isolate(_ id: LaneRow.ID, _ now: Moment, _ actions: inout [DispatchAction]) {
    guard let lane = lanes[id], let first = lane.batch.first, let last = lane.batch.last else { return }
    lanes[id]?.finishPart()
    lanes[id]?.successes = 0
    guard first == last else {
      report(DispatchReport(result: .error, sent: lane.batch.count, reason: .refused))
      let middle = lane.batch[lane.batch.count / 2]
      lanes[id]?.isolation += [middle...last, first...(middle - 1)]
      return release(id, .init(rest: lane.rest), &actions)
    }
    lanes[id]?.refusedSingles.append(first)
    guard let singles = lanes[id]?.refusedSingles, singles.count >= Self.refusedSingles else {
      report(DispatchReport(result: .error, sent: 1, rejected: 1, reason: .refused))
      return release(id, .init(quarantine: .rejected, rest: lane.rest), &actions)
    }
    report(DispatchReport(result: .error, sent: 1, reason: .allRejected))
    lanes[id]?.refusedSingles = []
    lanes[id]?.isolation = []
    lanes[id]?.hasFailedInPass = true
    park(id, LaneCause(.allRejected), .seconds(3_600), now)
    release(id, .init(restored: singles.dropLast(), rest: lanes[id]?.rest ?? lane.rest), &actions)
  }

  mutating func release(
    _ id: LaneRow.ID, _ decision: ClaimDecision, _ actions: inout [DispatchAction]
  ) {
    lanes[id]?.phase = .releasing
    lanes[id]?.decision = decision
    actions.append(.release(lane: id, decision))
  }

  /// Keeps what the call under way will be told, once its claim is off the lane.
  mutating func report(_ report: DispatchReport) {
    guard case .oneShot(var call) = work, call.report == nil else { return }
    call.report = report
    work = .oneShot(call)
  }
}
