import Hits

/// Decides when which lane makes a request, and what each answer means (HQ-400 to HQ-441): no I/O, no clock.
///
///                   dispatchRequested, timer                   oneShot
///          ┌──────────────── idle ◀────────────────┐  idle ───────────────▶ oneShot ─▶ complete ─▶ next call, idle
///          ▼                                       │
///        pass: scan, claim every ready lane ───────┘ when no lane is ready, or a call waits and no request is under way
///
/// Lanes have their own states (`LaneState`). After every event: at most one request a lane, every call is completed
/// exactly once, the alarm is set to the earliest time at which something is due, and nothing is claimed while a
/// settlement is under way (HQ-440). An event that has no place in a state changes nothing.
struct DispatchMachine: Sendable {
  enum Gate: Sendable, Equatable {
    case open
    case offline
    case dryRun
    case optedOut
    case closed
  }

  enum Mode: Sendable, Equatable {
    case manual
    /// Nanoseconds between two passes.
    case periodic(UInt64)
  }

  enum Work: Sendable, Equatable {
    case idle
    case pass
    case oneShot(Call)
  }

  /// A call that waits for its turn.
  struct QueuedCall: Sendable, Equatable {
    var id: CallID
    /// What a call has told so far that makes several requests; nil for one that makes one.
    var total: DispatchReport?
    /// Whether it goes on after a request, and has just looked at all lanes.
    var isNext = false
  }

  /// A call being served.
  struct Call: Sendable, Equatable {
    var id: CallID
    var startedAt: UInt64
    /// Its lane, once chosen.
    var lane: LaneRow.ID?
    /// Whether all lanes have been looked at for it.
    var hasScanned = false
    /// What it will tell, once known; it is told when the claim is off the lane.
    var report: DispatchReport?
    var isCancelled = false
    /// What its earlier requests have come to; nil for a call that makes one.
    var total: DispatchReport?
  }

  /// How long before its deadline a hit is to leave.
  static let margin: UInt64 = 1_800 * BackOff.second

  private(set) var mode: Mode
  var work = Work.idle
  var lanes: [LaneRow.ID: LaneState] = [:]
  /// The time of the next periodic pass.
  var timer: UInt64?
  var isScanning = false
  var isPassRequested = false
  var calls: [QueuedCall] = []
  /// Hosts that asked to be left alone, until when (HQ-434).
  var holds: [String: UInt64] = [:]
  private(set) var isOnline = true
  private var isDryRun = false
  private var isOptedOut = false
  private var isClosed = false
  private var alarm: UInt64?
  private let requestLimit: Int

  /// Makes a machine that has seen no lane yet.
  init(mode: Mode, requestLimit: Int = 2) {
    self.mode = mode
    self.requestLimit = requestLimit
  }

  /// Why nothing leaves, or `open`.
  var gate: Gate {
    if isClosed { return .closed }
    if isOptedOut { return .optedOut }
    if isDryRun { return .dryRun }
    return isOnline ? .open : .offline
  }

  /// Whether something is under way that will be over without waiting for a broken store.
  var isBusy: Bool { isScanning || lanes.values.contains(where: \.isBusy) }

  /// Whether news of one more hit of a lane would change nothing.
  func knowsHits(of id: LaneRow.ID) -> Bool {
    guard let lane = lanes[id] else { return false }
    return lane.oldest != nil && (!lane.isClaiming || lane.noted != nil)
  }

  /// Takes in one event.
  mutating func handle(_ event: DispatchEvent, at now: Moment) -> [DispatchAction] {
    var actions: [DispatchAction] = []
    switch event {
    case .hitsChanged(let facts): noteHit(facts, now)
    case .lanes(let facts): scanned(facts, now)
    case .scanFailed: scanFailed(now, &actions)
    case .intervalSet(let seconds): setInterval(seconds, now)
    case .alarm:
      alarm = nil
      ring(now, &actions)
    case .dispatchRequested: if gate == .open { isPassRequested = true }
    case .oneShot(let call): takeCall(QueuedCall(id: call), &actions)
    case .drain(let call):
      takeCall(QueuedCall(id: call, total: DispatchReport(result: .noData, reason: .empty)), &actions)
    case .claimed(let lane, let sequences): claimed(lane, sequences, now, &actions)
    case .claimEmpty(let lane, let opensAt): claimEmpty(lane, opensAt, now, &actions)
    case .lockBusy(let lane): lockBusy(lane, now, &actions)
    case .storeFailed(let lane): storeFailed(lane, now, &actions)
    case .answered(let lane, let verdict): answered(lane, verdict, now, &actions)
    case .failed(let lane, let code, let isUncertain): failed(lane, code, isUncertain, now, &actions)
    case .settled(let lane), .released(let lane): ended(lane, now, &actions)
    case .settledAndClaimed(let lane, let sequences, let opensAt):
      settledAndClaimed(lane, sequences, opensAt, now, &actions)
    case .settleFailed(let lane): settleFailed(lane, now, &actions)
    case .online(let isOnline): setOnline(isOnline, now)
    case .dryRun(let isOn): isDryRun = isOn
    case .optOut(let isOn): setOptedOut(isOn, &actions)
    case .cancel(let call): cancel(call, &actions)
    case .close: close(&actions)
    }
    proceed(now, &actions)
    updateAlarm(now, &actions)
    return actions
  }

  /// Starts what can be started: the next call, a pass, claims of a pass.
  private mutating func proceed(_ now: Moment, _ actions: inout [DispatchAction]) {
    while true {
      switch work {
      case .oneShot(let call):
        guard !isScanning, call.lane == nil else { return }
        chooseLane(now, &actions)
        if work == .oneShot(call) { return }
      case .pass:
        guard !isScanning else { return }
        if calls.isEmpty, gate == .open { claimReadyLanes(now, &actions) }
        guard !lanes.values.contains(where: \.isBusy) else { return }
        endPass(now)
      case .idle:
        guard !isScanning else { return }
        if let call = calls.first {
          calls.removeFirst()
          start(call, now, &actions)
        } else if isPassRequested, gate == .open {
          startPass(&actions)
        } else {
          isPassRequested = false
          armIfNeeded(now)
          return
        }
      }
    }
  }

  private mutating func startPass(_ actions: inout [DispatchAction]) {
    work = .pass
    timer = nil
    isPassRequested = false
    for id in lanes.keys { lanes[id]?.hasFailedInPass = false }
    scan(&actions)
  }

  private mutating func endPass(_ now: Moment) {
    work = .idle
    armIfNeeded(now)
  }

  private mutating func claimReadyLanes(_ now: Moment, _ actions: inout [DispatchAction]) {
    var active = lanes.values.count(where: \.isActive)
    // The lane with the oldest hit goes first, so that no lane starves.
    let ready = lanes.filter { isReady($0.value, now, isManual: false) && !$0.value.hasFailedInPass }
      .sorted { ($0.value.oldest ?? 0, $0.key) < ($1.value.oldest ?? 0, $1.key) }
    for (id, _) in ready where active < requestLimit {
      claim(id, &actions)
      active += 1
    }
  }

  private mutating func start(_ call: QueuedCall, _ now: Moment, _ actions: inout [DispatchAction]) {
    guard gate == .open else {
      actions.append(.complete(call.id, call.total.map { $0.followed(by: closedReport) } ?? closedReport))
      return
    }
    work = .oneShot(Call(id: call.id, startedAt: now.age, hasScanned: !call.isNext, total: call.total))
    if !call.isNext { scan(&actions) }
  }

  /// What a call hears that comes while nothing may leave (HQ-408).
  var closedReport: DispatchReport {
    switch gate {
    case .closed: DispatchReport(result: .error, reason: .cancelled)
    case .dryRun: DispatchReport(result: .noData, reason: .dryRun)
    case .optedOut: DispatchReport(result: .noData, reason: .optedOut)
    case .offline, .open: DispatchReport(result: .noData, reason: .offline)
    }
  }

  mutating func scan(_ actions: inout [DispatchAction]) {
    isScanning = true
    actions.append(.scan)
  }

  mutating func claim(_ id: LaneRow.ID, _ actions: inout [DispatchAction]) {
    guard let lane = lanes[id] else { return }
    lanes[id]?.phase = .claiming
    actions.append(
      .claim(lane: id, hits: lane.rest.batchLimit ?? .max, sequences: lane.isolation.last))
  }

  func isReady(_ lane: LaneState, _ now: Moment, isManual: Bool) -> Bool {
    lane.isReady(at: now.age, isManual: isManual) && holds[lane.origin, default: 0] <= now.age
  }

  private mutating func takeCall(_ call: QueuedCall, _ actions: inout [DispatchAction]) {
    // An app that drives the queue itself is not disturbed until it sets the interval again (HQ-407).
    mode = .manual
    timer = nil
    calls.append(call)
  }

  private mutating func setInterval(_ seconds: Double, _ now: Moment) {
    guard !seconds.isNaN else { return }
    timer = nil
    mode = seconds < 1 ? .manual : .periodic(UInt64(min(seconds, 86_400) * 1e9))
    armIfNeeded(now)
  }

  private mutating func setOnline(_ isOnline: Bool, _ now: Moment) {
    let wasOnline = self.isOnline
    self.isOnline = isOnline
    guard isOnline, !wasOnline, case .periodic = mode, lanes.values.contains(where: { $0.oldest != nil }) else {
      return
    }
    // Not all devices of a city at once (HQ-413).
    timer = now.age + now.random % (5 * BackOff.second + 1)
  }

  /// Everything under way ends, everybody is told, and nothing is left to be sent (HQ-230).
  private mutating func setOptedOut(_ isOn: Bool, _ actions: inout [DispatchAction]) {
    let wasOptedOut = isOptedOut
    isOptedOut = isOn
    guard isOn, !wasOptedOut else { return }
    timer = nil
    isPassRequested = false
    for call in calls.map(\.id) { cancel(call, &actions) }
    if case .oneShot(let call) = work { cancel(call.id, &actions) }
    for (id, lane) in lanes {
      if lane.phase == .sending, !isServed(id) { actions.append(.cancel(lane: id)) }
      lanes[id]?.forgetHits()
    }
    actions.append(.deleteAll)
  }

  private mutating func close(_ actions: inout [DispatchAction]) {
    isClosed = true
    timer = nil
    isPassRequested = false
    if case .oneShot(let call) = work { cancel(call.id, &actions) }
    for (id, lane) in lanes where lane.phase == .sending && !isServed(id) { actions.append(.cancel(lane: id)) }
  }

  /// Ends a call: at once when nothing is under way for it, else when its claim is off the lane.
  private mutating func cancel(_ id: CallID, _ actions: inout [DispatchAction]) {
    if let index = calls.firstIndex(where: { $0.id == id }) {
      let total = calls.remove(at: index).total
      let report = DispatchReport(result: .error, reason: .cancelled)
      actions.append(.complete(id, total.map { $0.followed(by: report) } ?? report))
      return
    }
    guard case .oneShot(var call) = work, call.id == id else { return }
    guard call.report == nil else {
      // The request under way is answered: it is the last.
      call.isCancelled = true
      work = .oneShot(call)
      return
    }
    call.isCancelled = true
    if let lane = call.lane, lanes[lane]?.phase == .sending {
      work = .oneShot(call)
      actions.append(.cancel(lane: lane))
    } else if let lane = call.lane, lanes[lane]?.isActive == true {
      // The claim is on its way: what follows sees that the call is cancelled.
      work = .oneShot(call)
    } else {
      completeCall(DispatchReport(result: .error, reason: .cancelled), &actions)
    }
  }

  /// Sets the timer when something waits for it (HQ-402).
  mutating func armIfNeeded(_ now: Moment) {
    guard case .periodic(let interval) = mode, gate == .open, timer == nil, work == .idle else { return }
    let ready = lanes.values.filter { isReady($0, now, isManual: false) }
    guard !ready.isEmpty else { return }
    // A hit that would be late by then brings the pass forward (HQ-405); one that is late already is in no hurry.
    let leaving = ready.compactMap(\.leavesBy).filter { now.age <= $0 + Self.margin }.min()
    timer = min(now.age + interval, leaving.map { max($0, now.age) } ?? .max)
  }

  private mutating func updateAlarm(_ now: Moment, _ actions: inout [DispatchAction]) {
    let next = gate == .closed ? lanes.values.compactMap(\.unwritten?.at).min() : nextDue(now)
    guard next != alarm else { return }
    alarm = next
    actions.append(.alarm(at: next))
  }

  private func nextDue(_ now: Moment) -> UInt64? {
    var times = lanes.values.compactMap(\.unwritten?.at)
    if let timer, gate == .open { times.append(timer) }
    if case .oneShot(let call) = work, let lane = call.lane, let until = lanes[lane]?.restsUntil,
      lanes[lane]?.phase == .idle
    {
      times.append(until)
    }
    // A lane that comes back from its rest, or whose hits wait for their time, must set the timer.
    if case .periodic = mode, gate == .open, timer == nil {
      for lane in lanes.values where lane.isKnown && !lane.isActive {
        guard lane.oldest != nil || lane.opensAt != nil else { continue }
        let opening = lane.oldest == nil ? lane.opensAt ?? 0 : 0
        let until = max(opening, lane.restsUntil ?? 0, holds[lane.origin] ?? 0)
        if until > now.age { times.append(until) }
      }
    }
    return times.min()
  }
}
