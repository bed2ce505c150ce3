import DurableStore
import Hits

/// Performs what a `DispatchMachine` decides: claims, requests, settlements, and the calls of the app.
///
/// Events enter under one lock, which keeps calls in their order; every action runs in a task of its own and enters as
/// the next event. A lane's lock file is held from its claim to the end of its settlement (HQ-321).
final class Dispatcher: Sendable {
  private struct State {
    var machine: DispatchMachine
    var leases: [LaneRow.ID: Lease] = [:]
    var requests: [LaneRow.ID: Task<Void, Never>] = [:]
    var alarm: Task<Void, Never>?
    var calls: [CallID: Caller] = [:]
    var lastCall = 0
    /// The end of the completions so far: callers are told in the order of their calls (HQ-409).
    var completions: Task<Void, Never>?
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
    /// Late hits of the requests since the queue was last idle, and the age of the oldest.
    var late = LateHits()
    /// When the store was last looked after, by the age clock.
    var upkeptAt: UInt64?
  }

  private struct LateHits {
    var count = 0
    /// Milliseconds.
    var oldest: Int64 = 0
  }

  private struct Caller {
    var wantsCount: Bool
    var done: @Sendable (DispatchReport) -> Void
  }

  private let store: HitStore
  private let couriers: Couriers
  private let clock: any HitClock
  private let random: any RandomSource
  private let logger: any HitLogger
  private let state: Locked<State>

  init(
    store: HitStore, couriers: Couriers, clock: any HitClock, random: any RandomSource, logger: any HitLogger,
    mode: DispatchMachine.Mode
  ) {
    self.store = store
    self.couriers = couriers
    self.clock = clock
    self.random = random
    self.logger = logger
    state = Locked(State(machine: DispatchMachine(mode: mode)))
  }

  /// Takes in an event, and starts what follows from it.
  func handle(_ event: DispatchEvent) {
    let now = moment()
    let (waiters, late) = state.withLock { state in
      handle(event, at: now, &state)
      return (takeIdleWaiters(&state), takeLate(&state))
    }
    if late.count > 0 {
      logger.log(.warning, "\(late.count) late hits, the oldest made \(late.oldest / 60_000) minutes before (HQ-532)")
    }
    for waiter in waiters { waiter.resume() }
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
  private static let margin: Int64 = 1_800_000

  /// When a waiting hit should have left (HQ-405); nil when it cannot be late any more.
  private func leavesBy(_ created: HitTime, lane key: LaneKey, at now: HitTime) -> UInt64? {
    let age = created.age(at: now)
    var calendar = LatenessCalendar(couriers.terms(of: key))
    let left = [
      calendar.timeLeft(age: age, zone: created.zone, at: now.wallMilliseconds), LatenessCalendar.fourHours - age,
    ].compactMap { $0 }.filter { $0 > 0 }.min()
    return left.map { now.ageClock + UInt64(max($0 - Self.margin, 0)) * 1_000_000 }
  }

  /// When the age clock will say what the wall clock says then, if nobody sets it meanwhile.
  private func age(atWall time: Int64) -> UInt64 {
    let (wait, overflow) = time.subtractingReportingOverflow(clock.wallMilliseconds)
    return clock.ageClock + (overflow ? 0 : UInt64(min(max(wait, 0), 365 * 86_400_000)) * 1_000_000)
  }

  /// Makes at most one request; `done` is called exactly once, with the report (HQ-407).
  ///
  /// - Parameters:
  ///   - isNext: whether the call follows another in a loop, which needs no fresh look at all lanes.
  ///   - wantsCount: whether the report says how many hits remain, for which all of them are counted.
  @discardableResult
  func call(
    isNext: Bool = false, wantsCount: Bool = false, _ done: @escaping @Sendable (DispatchReport) -> Void
  ) -> CallID {
    let now = moment()
    return state.withLock { state in
      state.lastCall += 1
      let id = CallID(number: state.lastCall)
      state.calls[id] = Caller(wantsCount: wantsCount, done: done)
      handle(.oneShot(id, isNext: isNext), at: now, &state)
      return id
    }
  }

  /// Returns when no request, claim or settlement is under way and every caller is told.
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

  private func perform(_ action: DispatchAction, at now: Moment, _ state: inout State) {
    switch action {
    case .scan: Task { await scan() }
    case .claim(let lane, let hits, let sequences):
      Task { await claim(lane, ClaimScope(hits: hits, sequences: sequences)) }
    case .send(let lane):
      guard let lease = state.leases[lane] else { return }
      state.requests[lane] = Task { await send(lease) }
    case .settle(let lane, let decision):
      guard let lease = state.leases[lane] else { return }
      Task { await end(lease, decision, isSettled: true) }
    case .release(let lane, let decision):
      guard let lease = state.leases[lane] else { return }
      Task { await end(lease, decision, isSettled: false) }
    case .cancel(let lane): state.requests[lane]?.cancel()
    case .complete(let call, let report):
      guard let caller = state.calls.removeValue(forKey: call) else { return }
      let previous = state.completions
      state.completions = Task { await complete(report, after: previous, caller) }
    case .deleteAll: Task { await deleteAll() }
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

  private func scan() async {
    await upkeep()
    await look()
  }

  private func look() async {
    do throws(StoreError) { handle(.lanes(try await lanes())) } catch {
      logger.log(.error, "the lanes cannot be read: \(error.message)")
      handle(.scanFailed)
    }
  }

  /// Looks for hits of an earlier run, which set the timer like new ones (HQ-405).
  func findWaitingHits() { Task { await look() } }

  /// All lanes, as the machine must know them.
  private func lanes() async throws(StoreError) -> [LaneFacts] {
    let now = clock.now()
    let rows = try await store.deliver { table throws(StoreError) in
      var rows: [(LaneRow, HitTime?)] = []
      for row in try table.lanes(at: now.wallMilliseconds) {
        rows.append(
          (row, try row.oldest.flatMap { sequence throws(StoreError) in try table.created(sequence, at: now) }))
      }
      return rows
    }
    return rows.map { row, created in
      LaneFacts(
        id: row.id, origin: Couriers.origin(of: row.key), isKnown: couriers.speaks(row.key), oldest: row.oldest,
        leavesBy: created.flatMap { leavesBy($0, lane: row.key, at: now) }, opensAt: row.opensAt.map(age(atWall:)),
        rest: row.rest)
    }
  }

  /// Looks after the store, once an hour, with a look at the lanes: a queue without hits wakes nobody (HQ-333, HQ-1009).
  private func upkeep() async {
    let now = clock.now()
    let isDue = state.withLock { state in
      guard state.upkeptAt.map({ now.ageClock - min($0, now.ageClock) >= 3_600 * BackOff.second }) ?? true else {
        return false
      }
      state.upkeptAt = now.ageClock
      return true
    }
    guard isDue else { return }
    do throws(StoreError) {
      var next: Int64? = 0
      while let sequence = next {
        next = try await store.deliver { table throws(StoreError) in try table.expire(after: sequence, at: now) }
      }
      try await store.deliver { table throws(StoreError) in try table.shrinkFile() }
    } catch {
      logger.log(.warning, "old hits cannot be deleted: \(error.message)")
    }
  }

  private func claim(_ lane: LaneRow.ID, _ scope: ClaimScope) async {
    do throws(StoreError) {
      let now = clock.now()
      guard let lock = try store.lock(lane: lane) else { return handle(.lockBusy(lane: lane)) }
      let (taken, opening) = try await store.deliver { [couriers] table throws(StoreError) in
        let taken = try couriers.claim(lane, scope, from: table, at: now)
        return (taken, taken == nil ? try table.opening(of: lane) : nil)
      }
      guard let (claim, courier) = taken else {
        lock.release()
        return handle(.claimEmpty(lane: lane, opensAt: opening.map(age(atWall:))))
      }
      state.withLock { state in
        state.leases[lane] = Lease(claim: claim, courier: courier, lock: lock)
        state.late.count += claim.late.count
        for hit in claim.hits where claim.late.contains(hit.id) {
          state.late.oldest = max(state.late.oldest, hit.created.age(at: now))
        }
      }
      handle(.claimed(lane: lane, sequences: claim.hits.map(\.sequence)))
    } catch {
      logger.log(.error, "lane \(lane) cannot be claimed: \(error.message)")
      handle(.storeFailed(lane: lane))
    }
  }

  /// What was in memory when the person opted out may have come to the disk since (HQ-230).
  private func deleteAll() async {
    do throws(StoreError) { try await store.deleteAll() } catch {
      logger.log(.error, "hits of a person who opted out are still on the disk: \(error.message)")
    }
  }

  private func send(_ lease: Lease) async {
    let lane = lease.claim.lane
    let start = clock.ageClock
    let (outcome, traffic) = await couriers.deliver(
      lease.claim, by: lease.courier, consent: store.permissions.consent)
    state.withLock {
      $0.leases[lane]?.traffic = traffic
      $0.requests[lane] = nil
    }
    let milliseconds = (clock.ageClock - min(start, clock.ageClock)) / 1_000_000
    logger.log(
      .info,
      "lane \(lane): \(lease.claim.hits.count) hits, \(traffic.body) bytes, \(outcome.text), \(milliseconds) ms")
    switch outcome {
    case .answer(_, let verdict): handle(.answered(lane: lane, verdict))
    case .none(let error): handle(.failed(lane: lane, error.code, isUncertain: error.phase == .uncertain))
    }
  }

  private func end(_ lease: Lease, _ decision: ClaimDecision, isSettled: Bool) async {
    let lane = lease.claim.lane
    do throws(StoreError) {
      let traits = lease.courier.language.traits
      try await store.deliver { table throws(StoreError) in
        if isSettled {
          try table.settle(lease.claim, decision, traits: traits, traffic: lease.traffic)
        } else {
          try table.release(lease.claim, decision, traits: traits, lease.courier.terms, traffic: lease.traffic)
        }
      }
      state.withLock { $0.leases[lane] = nil }
      // Before the lane can be claimed again.
      lease.lock.release()
      handle(isSettled ? .settled(lane: lane) : .released(lane: lane))
    } catch {
      logger.log(.error, "lane \(lane): what is settled cannot be written, and is tried again: \(error.message)")
      handle(.settleFailed(lane: lane))
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
      return try await store.deliver { table throws(StoreError) in try table.readyCount() }
    } catch {
      logger.log(.error, "the hits cannot be counted: \(error.message)")
      return 0
    }
  }
}

/// A claim, by whom it is delivered, and the lock that keeps other processes away.
struct Lease: Sendable {
  var claim: Claim
  var courier: Courier
  var lock: FileLock
  var traffic = Traffic()
}
