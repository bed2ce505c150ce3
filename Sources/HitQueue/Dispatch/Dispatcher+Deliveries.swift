import DurableStore
import Hits

/// The steps of a delivery: look at the lanes, claim, send, settle or release.
extension Dispatcher {
  func scan() async {
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
        rest: row.rest, line: row.line)
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
        next = try await store.deliver { [startedAt] table throws(StoreError) in
          try table.expire(after: sequence, at: now, runningSince: startedAt)
        }
      }
      while try await store.deliver({ table throws(StoreError) in try table.shrinkFile() }) {}
    } catch {
      logger.log(.warning, "old hits cannot be deleted: \(error.message)")
    }
  }

  func claim(_ lane: LaneRow.ID, _ scope: ClaimScope) async {
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
      keep(Lease(claim: claim, courier: courier, lock: lock), at: now)
      handle(.claimed(lane: lane, sequences: claim.hits.map(\.sequence)))
    } catch {
      logger.log(.error, "lane \(lane) cannot be claimed: \(error.message)")
      handle(.storeFailed(lane: lane))
    }
  }

  private func keep(_ lease: Lease, at now: HitTime) {
    let claim = lease.claim
    state.withLock { state in
      state.leases[claim.lane] = lease
      guard !claim.late.isEmpty else { return }
      state.late.count += claim.late.count
      for hit in claim.hits where claim.late.contains(hit.id) {
        state.late.oldest = max(state.late.oldest, hit.created.age(at: now))
      }
    }
  }

  /// What was in memory when the person opted out may have come to the disk since (HQ-230).
  func deleteAll() async {
    do throws(StoreError) { try await store.deleteAll() } catch {
      logger.log(.error, "hits of a person who opted out are still on the disk: \(error.message)")
    }
  }

  /// Sends a lane's claims and settles them, one after another, as long as the machine says so.
  func follow(_ first: DispatchAction, of lane: LaneRow.ID) async {
    var next: DispatchAction? = first
    while let action = next, let lease = state.withLock({ $0.leases[lane] }) {
      next =
        if case .settle(_, let decision, let scope) = action { await settle(lease, decision, next: scope) } else {
          await send(lease)
        }
    }
  }

  private func send(_ lease: Lease) async -> DispatchAction? {
    let lane = lease.claim.lane
    let start = clock.ageClock
    let (outcome, traffic) = await couriers.deliver(
      lease.claim, by: lease.courier, consent: store.permissions.consent)
    state.withLock { $0.leases[lane]?.traffic = traffic }
    let milliseconds = (clock.ageClock - min(start, clock.ageClock)) / 1_000_000
    logger.log(
      .info,
      "lane \(lane): \(lease.claim.hits.count) hits, \(traffic.body) bytes, \(outcome.text), \(milliseconds) ms")
    return switch outcome {
    case .answer(_, let verdict): handle(.answered(lane: lane, verdict), in: lane)
    case .none(let error):
      handle(.failed(lane: lane, error.code, isUncertain: error.phase == .uncertain), in: lane)
    }
  }

  private func settle(
    _ lease: Lease, _ decision: ClaimDecision, next scope: ClaimScope?
  ) async -> DispatchAction? {
    let lane = lease.claim.lane
    let now = clock.now()
    do throws(StoreError) {
      let (claim, opening) = try await store.deliver { table throws(StoreError) in
        let claim = try table.settle(
          lease.claim, decision, traffic: lease.traffic, speaking: lease.courier.language, lease.courier.terms,
          next: scope, at: now)
        return (claim, scope == nil || claim != nil ? nil : try table.opening(of: lane))
      }
      guard let claim else {
        state.withLock { $0.leases[lane] = nil }
        // Before the lane can be claimed again.
        lease.lock.release()
        return handle(
          scope == nil
            ? .settled(lane: lane)
            : .settledAndClaimed(lane: lane, sequences: [], opensAt: opening.map(age(atWall:))), in: lane)
      }
      keep(Lease(claim: claim, courier: lease.courier, lock: lease.lock), at: now)
      return handle(.settledAndClaimed(lane: lane, sequences: claim.hits.map(\.sequence)), in: lane)
    } catch {
      logUnwritten(lane, error)
      return handle(.settleFailed(lane: lane), in: lane)
    }
  }

  func release(_ lease: Lease, _ decision: ClaimDecision) async {
    let lane = lease.claim.lane
    do throws(StoreError) {
      try await store.deliver { table throws(StoreError) in
        try table.release(
          lease.claim, decision, traits: lease.courier.language.traits, lease.courier.terms, traffic: lease.traffic)
      }
      state.withLock { $0.leases[lane] = nil }
      // Before the lane can be claimed again.
      lease.lock.release()
      handle(.released(lane: lane))
    } catch {
      logUnwritten(lane, error)
      handle(.settleFailed(lane: lane))
    }
  }

  private func logUnwritten(_ lane: LaneRow.ID, _ error: StoreError) {
    logger.log(.error, "lane \(lane): what is settled cannot be written, and is tried again: \(error.message)")
  }
}

/// A claim, by whom it is delivered, and the lock that keeps other processes away.
struct Lease: Sendable {
  var claim: Claim
  var courier: Courier
  var lock: FileLock
  var traffic = Traffic()
}
