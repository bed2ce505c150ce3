import DurableStore
import Hits

extension DeliveryTable {
  /// Takes the longest run of hits that fits into one request, oldest first, and writes their lease (HQ-420, HQ-422).
  ///
  /// On the way, hits that are too old, damaged or too large for the protocol are taken out, each with its count.
  ///
  /// - Returns: nil when no hit may be sent.
  func claim(
    lane id: Int64, scope: ClaimScope, speaking language: any HitProtocol, _ terms: DeliveryTerms, at now: HitTime
  ) throws(StoreError) -> Claim? {
    try transaction { () throws(StoreError) in
      try takeOver(lane: id, dedupes: language.traits.dedupes, terms)
      let claim = try take(lane: id, scope: scope, speaking: language, terms, at: now)
      flight.bind(claim?.inFlight, at: 1)
      flight.bind(id, at: 2)
      try flight.run()
      return claim
    }
  }

  /// Picks the hits of a claim, inside a transaction that writes the lease; nil when no hit may be sent.
  func take(
    lane id: Int64, scope: ClaimScope, speaking language: any HitProtocol, _ terms: DeliveryTerms, at now: HitTime
  ) throws(StoreError) -> Claim? {
    let first = try first(of: id)
    let pick = try pick(lane: id, from: first, scope: scope, language: language, terms: terms, now: now)
    if scope.sequences == nil { try advance(id, from: first, to: pick.first) }
    for removal in pick.removals { try remove(removal, lane: id, at: now.wallMilliseconds) }
    counters.add(pick.retries, to: .retries, lane: id)
    counters.add(pick.hits.count { !$0.isAgeKnown(at: now) }, to: .clockUnknown, lane: id)
    return pick.hits.isEmpty ? nil : Claim(lane: id, request: HitID(), hits: pick.hits, late: pick.late, now: now)
  }

  /// Ends the claim of a process that died: nobody knows whether its request arrived (HQ-423).
  private func takeOver(lane id: Int64, dedupes: Bool, _ terms: DeliveryTerms) throws(StoreError) {
    lane.bind(id, at: 1)
    let flight = try lane.query { row throws(StoreError) in try row.step() ? row.optionalBlob(at: 0) : nil }
    guard let flight else { return }
    let sequences = InFlight(flight)?.sequences ?? []
    if !dedupes, terms.onUncertain == .drop {
      for sequence in sequences { try drop(sequence, .uncertain, lane: id) }
      return
    }
    var found = 0
    for sequence in sequences {
      attempt.bind(sequence, at: 1)
      try attempt.run()
      found += connection.changes
    }
    if !dedupes { counters.add(found, to: .maybeDuplicate, lane: id) }
  }

  /// A hit that no request can carry.
  private struct Removal {
    var sequence: Int64
    var reason: DropReason
  }

  /// What was found for a request.
  private struct Pick {
    var hits: [QueuedHit] = []
    var late: Set<HitID> = []
    var removals: [Removal] = []
    var retries = 0
    /// The first row, whether it goes or not.
    var first: Int64?
  }

  private func pick(
    lane id: Int64, from first: Int64, scope: ClaimScope, language: any HitProtocol, terms: DeliveryTerms, now: HitTime
  ) throws(StoreError) -> Pick {
    let limits = language.limits
    let longest = language.traits.maxAge.map { min($0, maxAge) } ?? maxAge
    var calendar = LatenessCalendar(terms)
    candidates.bind(id, at: 1)
    candidates.bind(max(scope.sequences?.lowerBound ?? 0, first), at: 2)
    candidates.bind(scope.sequences?.upperBound ?? .max, at: 3)
    return try candidates.query { row throws(StoreError) in
      var pick = Pick()
      var bytes = 0
      var weight = 0
      while pick.hits.count < scope.hits, weight < limits.hits, try row.step() {
        if pick.first == nil { pick.first = row.integer(at: 0) }
        if let time = row.optionalInteger(at: 12), time > now.wallMilliseconds { continue }
        guard let hit = try read(row) else {
          pick.removals.append(Removal(sequence: row.integer(at: 0), reason: .damaged))
          continue
        }
        let bound = row.optionalInteger(at: 6).map { min($0, longest) } ?? longest
        if hit.isAgeKnown(at: now), hit.created.age(at: now) / 1000 > bound {
          pick.removals.append(Removal(sequence: hit.sequence, reason: .expired))
          continue
        }
        let isLate = calendar.isLate(hit, at: now)
        if isLate, terms.latePolicy == .drop {
          pick.removals.append(Removal(sequence: hit.sequence, reason: .late))
          continue
        }
        let size = language.size(of: hit, at: now)
        guard size <= limits.hitBytes else {
          pick.removals.append(Removal(sequence: hit.sequence, reason: .tooLarge))
          continue
        }
        // One byte between two hits.
        guard pick.hits.isEmpty || bytes + 1 + size <= limits.bytes else { break }
        if let first = pick.hits.first, !language.canJoin(hit, after: first) { break }
        // A hit that alone weighs more than a request takes goes alone.
        weight += language.weight(of: hit)
        guard pick.hits.isEmpty || weight <= limits.hits else { break }
        bytes += size + (pick.hits.isEmpty ? 0 : 1)
        if row.integer(at: 7) > 0 { pick.retries += 1 }
        pick.hits.append(hit)
        if isLate { pick.late.insert(hit.id) }
      }
      return pick
    }
  }

  /// Reads the row of a candidate; nil when it is damaged (HQ-352).
  private func read(_ row: Statement) throws(StoreError) -> QueuedHit? {
    let body = row.blob(at: 9)
    guard Int64(CRC32.checksum(body)) == row.integer(at: 8),
      body.first == QueuedHit.formMark || body.first == QueuedHit.documentMark,
      let id = row.withBlob(at: 1, { HitID($0) }),
      let boot = try boots.name(of: row.integer(at: 4)), let zone = try zones.name(of: row.integer(at: 10))
    else { return nil }
    let created = HitTime(
      wallMilliseconds: row.integer(at: 2), ageClock: UInt64(bitPattern: row.integer(at: 3)), boot: boot, zone: zone)
    return QueuedHit(
      id: id, sequence: row.integer(at: 0), created: created,
      isClockSuspect: row.integer(at: 5) & HitFlags.clockSuspect != 0,
      consent: ConsentSnapshot(rawValue: Int(truncatingIfNeeded: row.integer(at: 11))), body: body)
  }

  private func remove(_ removal: Removal, lane id: Int64, at time: Int64) throws(StoreError) {
    if removal.reason == .tooLarge {
      try quarantine(removal.sequence, reason: removal.reason.rawValue, at: time)
    } else {
      try drop(removal.sequence, removal.reason, lane: id)
    }
  }
}
