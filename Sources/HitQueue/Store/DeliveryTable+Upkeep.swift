import DurableStore
import Hits

/// What is done to a store now and then, in small steps between commits (HQ-333, HQ-334, HQ-433).
extension DeliveryTable {
  /// How long refused hits are kept for inspection, in milliseconds (HQ-433).
  static let quarantineAge: Int64 = 7 * 86_400_000
  /// Rows that one step looks at, so that no commit waits long for it.
  static let upkeepStep = 2_000

  /// Deletes the hits after a sequence that are too old, and tells where the next step goes on; nil at the end.
  ///
  /// Hits in a request are left alone: their answer decides. A hit whose age nobody can know counts from the start of this
  /// run, in nanoseconds of the age clock (HQ-540).
  func expire(after sequence: Int64, at now: HitTime, runningSince start: UInt64) throws(StoreError) -> Int64? {
    try transaction { () throws(StoreError) in
      let inFlight = try InFlight.sequences(in: connection)
      let rows = try connection.prepare(
        """
        SELECT seq, lane, state, created, age_clock, boot, flags, max_age, not_before FROM hit WHERE seq > ? ORDER BY seq
        LIMIT \(Self.upkeepStep)
        """)
      rows.bind(sequence, at: 1)
      var count = 0
      var last = sequence
      var old: [(sequence: Int64, lane: Int64, reason: DropReason)] = []
      try rows.query { row throws(StoreError) in
        while try row.step() {
          count += 1
          last = row.integer(at: 0)
          guard !inFlight.contains(last), let reason = try endedBy(row, at: now, start) else { continue }
          old.append((last, row.integer(at: 1), reason))
        }
      }
      for hit in old { try drop(hit.sequence, hit.reason, lane: hit.lane) }
      if old.contains(where: { $0.reason == .rejected }) { quarantineCount = nil }
      return count < Self.upkeepStep ? nil : last
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
