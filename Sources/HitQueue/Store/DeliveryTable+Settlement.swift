import DurableStore
import Hits

extension DeliveryTable {
  /// Removes the hits that a server took, by their sequence, and ends the claim (HQ-422), or puts the next in its place.
  ///
  /// - Parameter scope: what the next claim may take; nil for none.
  /// - Returns: the next claim; nil when there is none.
  @discardableResult
  func settle(
    _ claim: Claim, _ decision: ClaimDecision, traffic: Traffic, speaking language: any HitProtocol,
    _ terms: DeliveryTerms, next scope: ClaimScope?, at now: HitTime
  ) throws(StoreError) -> Claim? {
    try transaction { () throws(StoreError) in
      try remove(claim, decision, keepsRejected: language.traits.keepsRejected)
      counters.add(decision.duplicates, to: .duplicatesAcked, lane: claim.lane)
      counters.add(decision.unknownRejections, to: .rejectedUnknown, lane: claim.lane)
      count(traffic, lane: claim.lane)
      let next = try scope.flatMap { scope throws(StoreError) in
        try take(lane: claim.lane, scope: scope, speaking: language, terms, at: now)
      }
      try end(claim, rest: decision.rest, next: next)
      return next
    }
  }

  private func remove(_ claim: Claim, _ decision: ClaimDecision, keepsRejected: Bool) throws(StoreError) {
    let lane = claim.lane
    // Only what is still there: a hit that was deleted meanwhile is counted where it went (HQ-901).
    var delivered = 0
    var taken: [Int64] = []
    let areAllTaken = decision.rejected.isEmpty && decision.deferred.isEmpty && claim.late.isEmpty
    if areAllTaken { taken = claim.hits.map(\.sequence) }
    for hit in areAllTaken ? [] : claim.hits {
      if let code = decision.rejected[hit.id] {
        if keepsRejected {
          try quarantine(hit.sequence, reason: code, at: claim.now.wallMilliseconds)
        } else {
          try delete(hit.sequence)
          counters.add(connection.changes, to: .dropped(.rejected), lane: lane)
        }
      } else if decision.deferred.contains(hit.id) {
        deferral.bind(decision.notBefore, at: 1)
        deferral.bind(hit.sequence, at: 2)
        try deferral.run()
      } else {
        taken.append(hit.sequence)
        if claim.late.contains(hit.id) { counters.add(1, to: .sentLate, lane: lane) }
      }
    }
    for run in Self.runs(of: taken) {
      runDeletion.bind(run.lowerBound, at: 1)
      runDeletion.bind(run.upperBound, at: 2)
      try runDeletion.run()
      delivered += connection.changes
    }
    counters.add(delivered, to: .delivered, lane: lane)
  }

  /// Sequences that follow each other without a gap: one statement deletes them, and nothing else can be among them.
  static func runs(of sequences: [Int64]) -> [ClosedRange<Int64>] {
    var runs: [ClosedRange<Int64>] = []
    for sequence in sequences {
      if let last = runs.last, last.upperBound + 1 == sequence {
        runs[runs.count - 1] = last.lowerBound...sequence
      } else {
        runs.append(sequence...sequence)
      }
    }
    return runs
  }

  /// Ends a claim whose hits stay (HQ-428).
  func release(
    _ claim: Claim, _ decision: ClaimDecision, traits: DeliveryTraits, _ terms: DeliveryTerms, traffic: Traffic
  ) throws(StoreError) {
    let lane = claim.lane
    try transaction { () throws(StoreError) in
      if !decision.isUnsent {
        let isDoubtful = decision.isUncertain && !traits.dedupes
        for hit in claim.hits {
          if isDoubtful, terms.onUncertain == .drop {
            try drop(hit.sequence, .uncertain, lane: lane)
          } else {
            try keep(hit, decision, at: claim.now.wallMilliseconds)
          }
        }
        counters.add(1, to: .requestsFailed, lane: lane)
        if isDoubtful, terms.onUncertain == .resend {
          counters.add(claim.hits.count, to: .maybeDuplicate, lane: lane)
        }
        count(traffic, lane: lane)
      }
      for sequence in decision.restored { try restore(sequence) }
      if !decision.restored.isEmpty { try widen() }
      try end(claim, rest: decision.rest)
    }
  }

  private func keep(_ hit: QueuedHit, _ decision: ClaimDecision, at time: Int64) throws(StoreError) {
    if let reason = decision.quarantine {
      try quarantine(hit.sequence, reason: reason.rawValue, at: time)
    } else {
      attempt.bind(hit.sequence, at: 1)
      try attempt.run()
    }
  }

  private func restore(_ sequence: Int64) throws(StoreError) {
    restoration.bind(sequence, at: 1)
    try restoration.run()
    if connection.changes > 0, let count = quarantineCount { quarantineCount = count - 1 }
  }

  private func count(_ traffic: Traffic, lane: Int64) {
    counters.add(1, to: .requests, lane: lane)
    counters.add(traffic.body, to: .bodyBytes, lane: lane)
    counters.add(traffic.wire, to: .wireBytes, lane: lane)
  }

  private func end(_ claim: Claim, rest state: LaneRest, next: Claim? = nil) throws(StoreError) {
    rest.bind(state.failures, at: 1)
    rest.bind(state.until, at: 2)
    rest.bind(state.cause?.rawValue, at: 3)
    rest.bind(state.batchLimit.map(Int64.init), at: 4)
    rest.bind(claim.lane, at: 5)
    rest.bind(next?.inFlight, at: 6)
    try rest.run()
  }

  func delete(_ sequence: Int64) throws(StoreError) {
    deletion.bind(sequence, at: 1)
    try deletion.run()
  }

  /// Deletes a hit that is still there, and counts it under its reason.
  func drop(_ sequence: Int64, _ reason: DropReason, lane: Int64) throws(StoreError) {
    try delete(sequence)
    counters.add(connection.changes, to: .dropped(reason), lane: lane)
  }

  /// Keeps a hit for inspection; above the bound the oldest such hit goes (HQ-433).
  func quarantine(_ sequence: Int64, reason: String, at time: Int64) throws(StoreError) {
    let count = try quarantineSize()
    quarantining.bind(reason, at: 1)
    quarantining.bind(time, at: 2)
    quarantining.bind(sequence, at: 3)
    try quarantining.run()
    guard connection.changes > 0 else { return }
    quarantineCount = count + 1
    guard count + 1 > Self.quarantineLimit else { return }
    let oldest = try oldestQuarantined.query { row throws(StoreError) in
      try row.step() ? (row.integer(at: 0), row.integer(at: 1)) : nil
    }
    guard let (sequence, lane) = oldest else { return }
    try delete(sequence)
    counters.add(1, to: .dropped(.rejected), lane: lane)
    quarantineCount = count
  }

  private func quarantineSize() throws(StoreError) -> Int64 {
    if let quarantineCount { return quarantineCount }
    return try quarantined.query { row throws(StoreError) in try row.step() ? row.integer(at: 0) : 0 }
  }
}
