import DurableStore
import Hits

/// Performs what a `DispatchMachine` decides: claims, requests, settlements, and the calls of the app.
///
/// Events enter under one lock, which keeps calls in their order; every action runs in a task of its own and enters as
/// the next event. A lane's lock file is held from its claim to the end of its settlement (HQ-321).
final class Dispatcher: Sendable {
  struct State {
    var machine: DispatchMachine
    var leases: [LaneRow.ID: Lease] = [:]
    var requests: [LaneRow.ID: Task<Void, Never>] = [:]
    var alarm: Task<Void, Never>?
    var calls: [CallID: Caller] = [:]
    var lastCall = 0
    /// The end of the completions so far: callers are told in the order of their calls (HQ-409).
    var completions: Task<Void, Never>?
    /// What deletes the hits of a person who opted out.
    var deletion: Task<Void, Never>?
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    /// Late hits of the requests since the queue was last idle, and the age of the oldest.
    var late = LateHits()
    /// When the store was last looked after, by the age clock.
    var upkeptAt: UInt64?
  }

  struct LateHits {
    var count = 0
    /// Milliseconds.
    var oldest: Int64 = 0
  }

  struct Caller {
    var wantsCount: Bool
    var done: @Sendable (DispatchReport) -> Void
  }

  let store: HitStore
  let couriers: Couriers
  let clock: any HitClock
  private let random: any RandomSource
  let logger: any HitLogger
  private let board: StatusBoard
  /// When this run began, by the age clock.
  let startedAt: UInt64
  let state: Locked<State>

  init(
    store: HitStore, couriers: Couriers, clock: any HitClock, random: any RandomSource, logger: any HitLogger,
    mode: DispatchMachine.Mode, board: StatusBoard
  ) {
    self.store = store
    self.couriers = couriers
    self.clock = clock
    self.random = random
    self.logger = logger
    self.board = board
    startedAt = clock.ageClock
    state = Locked(State(machine: DispatchMachine(mode: mode)))
  }

  /// Takes in an event, and starts what follows from it.
  func handle(_ event: DispatchEvent) {
    let now = moment()
    let (waiters, late) = state.withLock { state in
      handle(event, at: now, &state)
      return (takeIdleWaiters(&state), takeLate(&state))
    }
    tell(waiters, late)
  }

  /// Tells those who want to know when the queue's conditions have changed.
  func lookAtStatus() { board.look { store.conditions.union(conditions) } }

  /// What the lanes cannot do at the moment.
  var conditions: Set<QueueStatus.Condition> {
    let wall = clock.wallMilliseconds
    return state.withLock { $0.machine.conditions(at: wall) }
  }

  /// How long until the next periodic pass; nil when none is planned.
  var nextPass: Duration? {
    let now = clock.ageClock
    let time = state.withLock { $0.machine.gate == .open ? $0.machine.timer : nil }
    return time.map { .nanoseconds(Int64(clamping: $0 > now ? $0 - now : 0)) }
  }

  private func takeLate(_ state: inout State) -> LateHits {
    guard state.late.count > 0, !state.machine.isBusy else { return LateHits() }
    defer { state.late = LateHits() }
    return state.late
  }

  /// Tells the machine of a committed hit, unless it knows of others of that lane.
  func noteHit(_ stored: StoredHit, lane key: LaneKey) {
    guard !state.withLock({ $0.machine.knowsHits(of: stored.lane) }) else { return }
    handle(
      .hitsChanged(
        LaneFacts(
          id: stored.lane, origin: Couriers.origin(of: key), isKnown: couriers.speaks(key),
          oldest: stored.notBefore == nil ? stored.sequence : nil, leavesBy: clock.ageClock + Self.freshTime,
          opensAt: stored.notBefore.map(age(atWall:)),
          rest: LaneRest())))
  }

  /// No rule makes a fresh hit late within three hours; it is to leave half an hour before.
  private static let freshTime: UInt64 = 9_000_000_000_000
  /// A year, in milliseconds.
  private static let longestWait: Int64 = 365 * 86_400_000
  private static let margin = Int64(DispatchMachine.margin / 1_000_000)

  /// When a waiting hit should have left (HQ-405); nil when it cannot be late any more.
  func leavesBy(_ created: HitTime, lane key: LaneKey, at now: HitTime) -> UInt64? {
    let age = created.age(at: now)
    var calendar = LatenessCalendar(couriers.terms(of: key))
    let left = [
      calendar.timeLeft(age: age, zone: created.zone, at: now.wallMilliseconds), LatenessCalendar.fourHours - age,
    ].compactMap { $0 }.filter { $0 > 0 }.min()
    // A protocol of the app's own may have said any lateness.
    return left.map { now.ageClock + UInt64(min(max($0 - Self.margin, 0), Self.longestWait)) * 1_000_000 }
  }

  /// When the age clock will say what the wall clock says then, if nobody sets it meanwhile.
  func age(atWall time: Int64) -> UInt64 {
    let (wait, overflow) = time.subtractingReportingOverflow(clock.wallMilliseconds)
    return clock.ageClock + (overflow ? 0 : UInt64(min(max(wait, 0), Self.longestWait)) * 1_000_000)
  }

  /// Makes at most one request, or several; `done` is called exactly once, with the report (HQ-407).
  ///
  /// - Parameters:
  ///   - drains: whether it goes on, request after request, as long as they are good (HQ-412).
  ///   - wantsCount: whether the report says how many hits remain, for which all of them are counted.
  @discardableResult
  func call(
    drains: Bool = false, wantsCount: Bool = false, _ done: @escaping @Sendable (DispatchReport) -> Void
  ) -> CallID {
    let now = moment()
    return state.withLock { state in
      state.lastCall += 1
      let id = CallID(number: state.lastCall)
      state.calls[id] = Caller(wantsCount: wantsCount, done: done)
      handle(drains ? .drain(id) : .oneShot(id), at: now, &state)
      return id
    }
  }

  /// Returns when no request, claim or settlement is under way, every caller is told, and what is to be deleted is.
  func waitUntilIdle() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if !state.machine.isBusy { return true }
        state.idleWaiters.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
    await state.withLock { $0.completions }?.value
    await state.withLock { $0.deletion }?.value
  }

  private func moment() -> Moment {
    Moment(age: clock.ageClock, wall: clock.wallMilliseconds, random: random.next())
  }

  private func takeIdleWaiters(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    guard !state.idleWaiters.isEmpty, !state.machine.isBusy else { return [] }
    defer { state.idleWaiters = [] }
    return state.idleWaiters
  }

  private func handle(_ event: DispatchEvent, at now: Moment, _ state: inout State) {
    for action in state.machine.handle(event, at: now) { perform(action, at: now, &state) }
  }

  /// Takes in what became of a lane's request or settlement, and gives back what that lane does next, to be done by the
  /// same task: a step in another one would cost a change of threads.
  func handle(_ event: DispatchEvent, in lane: LaneRow.ID) -> DispatchAction? {
    let now = moment()
    let (next, waiters, late) = state.withLock { state in
      var next: DispatchAction?
      var others: [DispatchAction] = []
      for action in state.machine.handle(event, at: now) {
        if action.continues(lane) { next = action } else { others.append(action) }
      }
      if next == nil { state.requests[lane] = nil }
      for action in others { perform(action, at: now, &state) }
      return (next, takeIdleWaiters(&state), takeLate(&state))
    }
    tell(waiters, late)
    return next
  }

  private func tell(_ waiters: [CheckedContinuation<Void, Never>], _ late: LateHits) {
    if late.count > 0 {
      logger.log(.warning, "\(late.count) late hits, the oldest made \(late.oldest / 60_000) minutes before (HQ-532)")
    }
    for waiter in waiters { waiter.resume() }
    lookAtStatus()
  }

  private func perform(_ action: DispatchAction, at now: Moment, _ state: inout State) {
    switch action {
    case .scan: Task { await scan() }
    case .claim(let lane, let hits, let sequences):
      Task { await claim(lane, ClaimScope(hits: hits, sequences: sequences)) }
    case .send(let lane), .settle(let lane, _, _): state.requests[lane] = Task { await follow(action, of: lane) }
    case .release(let lane, let decision):
      guard let lease = state.leases[lane] else { return }
      Task { await release(lease, decision) }
    case .cancel(let lane): state.requests[lane]?.cancel()
    case .complete(let call, let report):
      guard let caller = state.calls.removeValue(forKey: call) else { return }
      let previous = state.completions
      state.completions = Task { await complete(report, after: previous, caller) }
    case .deleteAll: state.deletion = Task { await deleteAll() }
    case .alarm(let time):
      state.alarm?.cancel()
      state.alarm = time.map { time in
        let wait = Duration.nanoseconds(Int64(clamping: time > now.age ? time - now.age : 0))
        return Task { [weak self, clock] in
          // Cancelled: a later alarm has taken its place.
          guard (try? await clock.sleep(for: wait)) != nil else { return }
          self?.handle(.alarm)
        }
      }
    }
  }

  private func complete(_ report: DispatchReport, after previous: Task<Void, Never>?, _ caller: Caller) async {
    await previous?.value
    var report = report
    if caller.wantsCount { report.remaining = await readyCount() }
    caller.done(report)
  }

  /// Hits that are ready, in all lanes; 0 while they cannot be counted.
  func readyCount() async -> Int {
    do throws(StoreError) {
      return try await store.deliver { table throws(StoreError) in try HitInspection(table.connection).readyCount() }
    } catch {
      logger.log(.error, "the hits cannot be counted: \(error.message)")
      return 0
    }
  }
}
