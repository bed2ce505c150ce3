import DurableStore
import Hits

/// What is done to a store now and then, in small steps between commits (HQ-333, HQ-334, HQ-433).
extension DeliveryTable {
  /// How long refused hits are kept for inspection, in milliseconds (HQ-433).
  static let quarantineAge: Int64 = 7 * 86_400_000
  /// Sequences that one step looks at, so that no commit waits long for it.
  static let upkeepStep: Int64 = 10_000

  /// Deletes the hits after a sequence that are too old, and tells where the next step goes on; nil at the end.
  ///
  /// Hits in a request are left alone: their answer decides. A hit whose age nobody can know counts from the start of this
  /// run, in nanoseconds of the age clock (HQ-540).
  func expire(after sequence: Int64, at now: HitTime, runningSince start: UInt64) throws(StoreError) -> Int64? {
    try transaction { () throws(StoreError) in
      let next = try connection.prepare("SELECT MIN(seq) FROM hit WHERE seq > ?")
      next.bind(sequence, at: 1)
      let first = try next.query { row throws(StoreError) in try row.step() ? row.optionalInteger(at: 0) : nil }
      guard let first else { return nil }
      let last = first + min(Self.upkeepStep, .max - first)
      let inFlight = try InFlight.sequences(in: connection)
      // SQLite passes what is ready, young by this start's age clock and has no bound of its own: mostly all.
      let rows = try connection.prepare(
        """
        SELECT seq, lane, state, created, age_clock, boot, flags, max_age, not_before FROM hit
        WHERE seq BETWEEN ? AND ? AND (state <> 0 OR max_age IS NOT NULL OR age_clock < ?
          OR boot IS NOT (SELECT id FROM boot WHERE uuid = ?)) ORDER BY seq
        """)
      rows.bind(first, at: 1)
      rows.bind(last, at: 2)
      // A year is the longest (HQ-330).
      rows.bind(Int64(clamping: now.ageClock) - maxAge * 1_000_000_000, at: 3)
      rows.bind(now.boot.storedBytes, at: 4)
      var old: [(sequence: Int64, lane: Int64, reason: DropReason)] = []
      try rows.query { row throws(StoreError) in
        while try row.step() {
          let sequence = row.integer(at: 0)
          guard !inFlight.contains(sequence), let reason = try endedBy(row, at: now, start) else { continue }
          old.append((sequence, row.integer(at: 1), reason))
        }
      }
      // A program of an earlier version, which knows of no `first`, may have the store open.
      if sequence == 0 { try widen() }
      for hit in old { try drop(hit.sequence, hit.reason, lane: hit.lane) }
      if old.contains(where: { $0.reason == .rejected }) { quarantineCount = nil }
      return last
    }
  }

  /// Why a row's time is over; nil when it is not.
  private func endedBy(_ row: Statement, at now: HitTime, _ start: UInt64) throws(StoreError) -> DropReason? {
    let made = row.integer(at: 3)
    if row.integer(at: 2) == HitState.quarantined.rawValue {
      let since = row.optionalInteger(at: 8) ?? made
      return now.wallMilliseconds.subtractingReportingOverflow(since).partialValue > Self.quarantineAge
        ? .rejected : nil
    }
    guard let boot = try boots.name(of: row.integer(at: 5)) else { return nil }
    let isSuspect = row.integer(at: 6) & HitFlags.clockSuspect != 0
    let created = HitTime(
      wallMilliseconds: made, ageClock: UInt64(bitPattern: row.integer(at: 4)), boot: boot)
    let isKnown = !isSuspect || boot == now.boot
    let age = isKnown ? created.age(at: now) : Int64((now.ageClock - min(start, now.ageClock)) / 1_000_000)
    let bound = row.optionalInteger(at: 7).map { min($0, maxAge) } ?? maxAge
    return age / 1_000 > bound ? .expired : nil
  }

  /// Gives pages that hold nothing back to the file system, a few at a time (HQ-334); tells whether more are left.
  func shrinkFile() throws(StoreError) -> Bool {
    try connection.execute("PRAGMA incremental_vacuum(256)")
    return try connection.integer("PRAGMA freelist_count") ?? 0 > 0
  }
}
