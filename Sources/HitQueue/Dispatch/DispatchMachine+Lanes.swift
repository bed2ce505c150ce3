import Hits

/// What the store tells, and time.
extension DispatchMachine {
  mutating func noteHit(_ facts: LaneFacts, _ now: Moment) {
    if lanes[facts.id] == nil { lanes[facts.id] = LaneState(facts, at: now) }
    if lanes[facts.id]?.oldest == nil {
      lanes[facts.id]?.oldest = facts.oldest
      lanes[facts.id]?.leavesBy = facts.leavesBy
    }
    lanes[facts.id]?.opens(at: facts.opensAt)
    if lanes[facts.id]?.isClaiming == true { lanes[facts.id]?.noted = facts.oldest }
  }

  mutating func scanned(_ facts: [LaneFacts], _ now: Moment) {
    isScanning = false
    for lane in facts {
      if lanes[lane.id] == nil {
        lanes[lane.id] = LaneState(lane, at: now)
      } else {
        lanes[lane.id]?.update(lane, at: now)
      }
    }
    holds = holds.filter { $0.value > now.age }
  }

  /// Without the lanes, a call fails and a pass ends; the next one tries again.
  mutating func scanFailed(_ now: Moment, _ actions: inout [DispatchAction]) {
    isScanning = false
    switch work {
    case .idle: break
    case .pass: for id in lanes.keys { lanes[id]?.hasFailedInPass = true }
    case .oneShot: completeCall(DispatchReport(result: .error, reason: .store), &actions)
    }
  }

  /// Gives the call under way the ready lane with the smallest sequence (HQ-411), or tells it that there is none.
  mutating func chooseLane(_ now: Moment, _ actions: inout [DispatchAction]) {
    guard case .oneShot(var call) = work else { return }
    if call.isCancelled { return completeCall(DispatchReport(result: .error, reason: .cancelled), &actions) }
    if gate != .open { return completeCall(closedReport, &actions) }
    let ready = lanes.filter { isReady($0.value, now, isManual: true) }
    let first = ready.min { ($0.value.oldest ?? 0, $0.key) < ($1.value.oldest ?? 0, $1.key) }
    guard let first else {
      // A claim that is being let go leaves a lane that may be ready.
      guard !lanes.values.contains(where: \.isBusy) else { return }
      guard !call.hasScanned else { return completeCall(nothingReady(now), &actions) }
      call.hasScanned = true
      call.lane = nil
      work = .oneShot(call)
      return scan(&actions)
    }
    call.lane = first.key
    work = .oneShot(call)
    claim(first.key, &actions)
  }

  private func nothingReady(_ now: Moment) -> DispatchReport {
    let waiting = lanes.values.filter { $0.oldest != nil || $0.opensAt != nil }
    guard !waiting.isEmpty else { return DispatchReport(result: .noData, reason: .empty) }
    guard let soonest = waiting.filter(\.isKnown).map({ reopening(of: $0) }).min() else {
      return DispatchReport(result: .noData, reason: .noDestination)
    }
    let wait = soonest > now.age ? Duration.nanoseconds(Int64(clamping: soonest - now.age)) : .zero
    return DispatchReport(result: .noData, reason: .waiting, nextEligible: wait)
  }

  /// When a lane's next hit may be sent.
  private func reopening(of lane: LaneState) -> UInt64 {
    max(lane.oldest == nil ? lane.opensAt ?? 0 : 0, lane.restsUntil ?? 0, holds[lane.origin] ?? 0)
  }

  /// Ends the call under way, or its request when it makes several and this one was good (HQ-412) or a part of a batch
  /// that is taken apart (HQ-431).
  mutating func completeCall(_ report: DispatchReport, _ actions: inout [DispatchAction]) {
    guard case .oneShot(var call) = work else { return }
    work = .idle
    guard let total = call.total?.followed(by: report) else { return actions.append(.complete(call.id, report)) }
    guard report.result == .good || report.reason == .refused, !call.isCancelled, gate == .open else {
      return actions.append(.complete(call.id, total))
    }
    // Calls that came meanwhile have their turn first (HQ-409).
    guard calls.isEmpty else { return calls.append(QueuedCall(id: call.id, total: total, isNext: true)) }
    call.total = total
    call.lane = nil
    call.report = nil
    call.hasScanned = false
    work = .oneShot(call)
  }

  mutating func claimed(
    _ id: LaneRow.ID, _ sequences: [Int64], _ now: Moment, _ actions: inout [DispatchAction]
  ) {
    guard lanes[id]?.phase == .claiming, let rest = lanes[id]?.rest else { return }
    lanes[id]?.batch = sequences
    lanes[id]?.noted = nil
    let isUnwanted = if case .oneShot(let call) = work { call.isCancelled } else { false }
    guard gate == .open, !isUnwanted else {
      report(DispatchReport(result: .error, reason: .cancelled))
      return release(id, .init(isUnsent: true, rest: rest), &actions)
    }
    lanes[id]?.phase = .sending
    actions.append(.send(lane: id))
  }

  mutating func claimEmpty(
    _ id: LaneRow.ID, _ opensAt: UInt64?, _ now: Moment, _ actions: inout [DispatchAction]
  ) {
    guard var lane = lanes[id], lane.phase == .claiming else { return }
    lane.phase = .idle
    if lane.isolation.popLast() == nil { lane.oldest = lane.noted }
    lane.noted = nil
    lane.opens(at: opensAt)
    lanes[id] = lane
    if isServed(id) { chooseLane(now, &actions) }
  }

  /// Another process has the lane: a call waits for it up to the time-out of a request (HQ-321).
  mutating func lockBusy(_ id: LaneRow.ID, _ now: Moment, _ actions: inout [DispatchAction]) {
    guard lanes[id]?.phase == .claiming else { return }
    lanes[id]?.phase = .idle
    lanes[id]?.rest.cause = .busy
    lanes[id]?.restsUntil = now.age + BackOff.second
    lanes[id]?.hasFailedInPass = true
    guard isServed(id), case .oneShot(let call) = work else { return }
    if call.isCancelled || gate != .open {
      completeCall(DispatchReport(result: .error, reason: .cancelled), &actions)
    } else if now.age - call.startedAt >= 30 * BackOff.second {
      completeCall(DispatchReport(result: .noData, reason: .busy), &actions)
    }
  }

  mutating func storeFailed(_ id: LaneRow.ID, _ now: Moment, _ actions: inout [DispatchAction]) {
    guard var lane = lanes[id], lane.phase == .claiming else { return }
    lane.phase = .idle
    lane.rest.failures += 1
    lane.rest.cause = .backOff
    lane.restsUntil = now.age + BackOff.delay(afterFailures: lane.rest.failures, random: now.random)
    lane.hasFailedInPass = true
    lanes[id] = lane
    if isServed(id) { completeCall(DispatchReport(result: .error, reason: .store), &actions) }
  }

  /// A settlement or a release is on disk: the lane is free.
  mutating func ended(_ id: LaneRow.ID, _ now: Moment, _ actions: inout [DispatchAction]) {
    guard let phase = lanes[id]?.phase, phase == .settling || phase == .releasing else { return }
    lanes[id]?.phase = .idle
    lanes[id]?.claimsNext = false
    lanes[id]?.unwritten = nil
    lanes[id]?.batch = []
    if isServed(id), case .oneShot(let call) = work, let report = call.report { completeCall(report, &actions) }
  }

  /// A settlement is on disk, and with it the next claim, which is let go when nobody wants it any more.
  mutating func settledAndClaimed(
    _ id: LaneRow.ID, _ sequences: [Int64], _ opensAt: UInt64?, _ now: Moment, _ actions: inout [DispatchAction]
  ) {
    guard lanes[id]?.phase == .settling else { return }
    let isServing = isServed(id)
    ended(id, now, &actions)
    lanes[id]?.phase = .claiming
    var isWanted = calls.isEmpty && work == .pass
    if isServing, case .oneShot(var call) = work, call.lane == nil {
      call.lane = id
      work = .oneShot(call)
      isWanted = true
    }
    if sequences.isEmpty {
      claimEmpty(id, opensAt, now, &actions)
    } else if isWanted {
      claimed(id, sequences, now, &actions)
    } else if let rest = lanes[id]?.rest {
      lanes[id]?.batch = sequences
      lanes[id]?.noted = nil
      release(id, .init(isUnsent: true, rest: rest), &actions)
    }
  }

  /// What is decided stays in memory until it is written; the lane sends nothing before (HQ-341).
  mutating func settleFailed(_ id: LaneRow.ID, _ now: Moment, _ actions: inout [DispatchAction]) {
    guard let decision = lanes[id]?.decision, lanes[id]?.isActive == true else { return }
    lanes[id]?.claimsNext = false
    lanes[id]?.unwritten = (decision, now.age + 5 * BackOff.second)
    lanes[id]?.hasFailedInPass = true
    if isServed(id) { completeCall(DispatchReport(result: .error, reason: .store), &actions) }
  }

  /// Whether the call under way is served by a lane.
  func isServed(_ id: LaneRow.ID) -> Bool {
    if case .oneShot(let call) = work { call.lane == id } else { false }
  }

  /// Does what is due.
  mutating func ring(_ now: Moment, _ actions: inout [DispatchAction]) {
    for (id, lane) in lanes { if let time = lane.opensAt, time <= now.age { lanes[id]?.open() } }
    for (id, lane) in lanes {
      guard let unwritten = lane.unwritten, unwritten.at <= now.age else { continue }
      lanes[id]?.unwritten = nil
      actions.append(
        lane.phase == .settling
          ? .settle(lane: id, unwritten.decision) : .release(lane: id, unwritten.decision))
    }
    if let timer, timer <= now.age {
      self.timer = nil
      if gate == .open { isPassRequested = true }
    }
    if case .oneShot(let call) = work, let id = call.lane, let lane = lanes[id], lane.phase == .idle,
      lane.restsUntil ?? 0 <= now.age
    {
      claim(id, &actions)
    }
  }

  /// What the lanes cannot do at a wall time in milliseconds.
  func conditions(at wall: Int64) -> Set<QueueStatus.Condition> {
    var conditions: Set<QueueStatus.Condition> = isOnline ? [] : [.offline]
    for (id, lane) in lanes {
      if lane.isDistrusted { conditions.insert(.tls) }
      guard let until = lane.rest.until, until > wall, let cause = lane.rest.cause?.parkCause else { continue }
      conditions.insert(.parked(lane: id, cause: cause, until: until))
    }
    return conditions
  }
}
