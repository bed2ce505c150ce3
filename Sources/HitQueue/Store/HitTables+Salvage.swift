import DurableStore
import Hits

extension HitTables {
  /// Takes over what was saved of another store, with its ids and sequences, in one transaction (HQ-351).
  ///
  /// A new store takes the counters too; into one that has hits of its own, hits come as newly accepted. Nothing saved:
  /// the damage alone is counted.
  func restore(_ salvage: HitSalvage?, isDamage: Bool) throws(StoreError) {
    let restored = try connection.transaction { () throws(StoreError) in
      try ledger.balance()
      let restored = try salvage.map { salvage throws(StoreError) in try takeOver(salvage, isDamage: isDamage) } ?? [:]
      if isDamage {
        counters.add(1, to: .damageEvents, lane: 0)
        counters.add(restored.count, to: .damageSalvaged, lane: 0)
      }
      // They are counted here, whatever their sequences.
      try ledger.drawLine()
      try delivery.widen()
      try counters.write()
      return restored
    }
    counters.didCommit()
    forgetRows()
    noteRestored(restored)
  }

  private func takeOver(_ salvage: HitSalvage, isDamage: Bool) throws(StoreError) -> [HitID: Int64] {
    let present = try ids()
    let hasCounts = try connection.integer("SELECT EXISTS (SELECT 1 FROM counter)") == 1
    var laneIDs: [Int64: Int64] = [:]
    for (old, key) in salvage.lanes.sorted(by: { $0.key < $1.key }) { laneIDs[old] = try laneID(of: key, wanted: old) }
    let insertion = try connection.prepare(
      """
      INSERT OR IGNORE INTO hit(seq, lane, id, state, boot, zone, reason, bytes, crc, body,
        \(HitSalvage.columns.joined(separator: ", ")))
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?\(String(repeating: ", ?", count: HitSalvage.columns.count)))
      """)
    var restored: [HitID: Int64] = [:]
    var lost = salvage.unreadable
    for row in salvage.rows where !present.contains(row.id) {
      if let lane = laneIDs[row.lane] {
        try insert(row, lane: lane, with: insertion)
        if connection.changes > 0 { restored[row.id] = row.sequence }
      } else {
        lost += 1
      }
    }
    if present.isEmpty, !hasCounts, let old = salvage.counters {
      lost = takeOver(old, salvage, laneIDs, restored: restored.count, unreadable: lost)
    } else {
      for row in salvage.rows where restored[row.id] != nil {
        counters.add(1, to: .accepted, lane: laneIDs[row.lane] ?? 0)
      }
      counters.add(lost, to: .accepted, lane: 0)
    }
    counters.add(lost, to: .damageUnreadable, lane: 0)
    return restored
  }

  private func ids() throws(StoreError) -> Set<HitID> {
    try connection.prepare("SELECT id FROM hit").query { row throws(StoreError) in
      var ids: Set<HitID> = []
      while try row.step() { if let id = row.withBlob(at: 0, { HitID($0) }) { ids.insert(id) } }
      return ids
    }
  }

  /// The number of a lane, its old one where that is free: its lock file and claims under way know it by that.
  private func laneID(of key: LaneKey, wanted: Int64) throws(StoreError) -> Int64 {
    let insertion = try connection.prepare(
      "INSERT OR IGNORE INTO lane(id, tracker, property, protocol, endpoint) VALUES(?, ?, ?, ?, ?)")
    insertion.bind(wanted, at: 1)
    insertion.bind(key.tracker, at: 2)
    insertion.bind(key.property, at: 3)
    insertion.bind(key.protocolName, at: 4)
    insertion.bind(key.endpoint, at: 5)
    try insertion.run()
    return try laneID(of: key)
  }

  private func insert(_ row: HitSalvage.Row, lane: Int64, with insertion: Statement) throws(StoreError) {
    insertion.bind(row.sequence, at: 1)
    insertion.bind(lane, at: 2)
    row.id.withBytes { insertion.bind($0, at: 3) }
    insertion.bind(row.state, at: 4)
    insertion.bind(try bootID(of: row.boot), at: 5)
    insertion.bind(try zoneID(of: row.zone), at: 6)
    insertion.bind(row.reason, at: 7)
    insertion.bind(row.body.count + 96, at: 8)
    insertion.bind(Int64(CRC32.checksum(row.body)), at: 9)
    insertion.bind(row.body, at: 10)
    for (index, value) in row.columns.enumerated() {
      // A column that must have a value and lost it counts as zero.
      let isOptional = HitSalvage.columns[index] == "not_before" || HitSalvage.columns[index] == "max_age"
      insertion.bind(isOptional ? value : value ?? 0, at: Int32(index) + 11)
    }
    try insertion.run()
  }

  /// Takes the old counters over and tells how many hits are missing by them (HQ-901).
  private func takeOver(
    _ old: HitCounters, _ salvage: HitSalvage, _ laneIDs: [Int64: Int64], restored: Int, unreadable: Int
  ) -> Int {
    for (name, values) in old.byLane {
      for (lane, value) in values { counters.add(Int(clamping: value), to: name, lane: laneIDs[lane] ?? 0) }
    }
    var expected = Int(clamping: old[.accepted] - old[.delivered] - old.dropped - old[.damageUnreadable])
    // Without the line nobody knows which hits were counted: none is counted again.
    if let line = salvage.line {
      // Hits above the line were not counted yet, and there is no gap among them.
      let above = salvage.rows.filter { $0.sequence > line }
      let gaps = max(0, Int(clamping: (above.last?.sequence ?? line) - line) - above.count)
      for row in above { counters.add(1, to: .accepted, lane: laneIDs[row.lane] ?? 0) }
      counters.add(gaps, to: .accepted, lane: 0)
      expected += above.count + gaps
    }
    let missing = max(expected - restored, unreadable)
    // Counters that are behind their rows are wrong: the rows are what there is.
    counters.add(restored + missing - expected, to: .accepted, lane: 0)
    return missing
  }
}
