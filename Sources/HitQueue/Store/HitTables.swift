import DurableStore
import Hits

/// The statements of a hit store, for the thread that has the writer's turn.
final class HitTables: StoreTables {
  let connection: Connection
  let counters: CounterTable
  let delivery: DeliveryTable
  private let lanes: NameTable<LaneKey>
  private let zones: NameTable<String>
  private let boots: NameTable<BootID>
  private let insertion: Statement
  let ledger: Ledger
  private let pending: PendingCounts
  private let occupancy: Occupancy
  private let bounds: StoreBounds
  let identity: IdentityFile
  /// The sequence of the last row of the transaction under way; nil between transactions.
  private var lastOfGroup: Int64?
  /// Hits that came from another file, by id: a group that was under way when the file was replaced may be among them.
  private var restored: [HitID: Int64] = [:]
  /// The last sequence that this connection has given.
  private var last: Int64 = 0

  init(
    path: String, configuration: HitStoreConfiguration, identity: IdentityFile, pending: PendingCounts
  ) throws(StoreError) {
    try StoreDirectory.prepareFile(path)
    connection = try Connection(path: path, durability: configuration.durability.connection)
    bounds = configuration.bounds
    self.identity = identity
    try bounds.limitFile(of: connection)
    try HitSchema.schema.apply(to: connection)
    counters = try CounterTable(connection, pending: pending)
    ledger = try Ledger(connection, counters: counters, identity: identity)
    self.pending = pending
    delivery = try DeliveryTable(connection, counters: counters, ledger: ledger, maxAge: configuration.maxAge)
    lanes = try NameTable(
      connection, select: "SELECT id FROM lane WHERE tracker = ? AND property = ? AND protocol = ? AND endpoint = ?",
      insert: "INSERT INTO lane(tracker, property, protocol, endpoint) VALUES(?, ?, ?, ?)"
    ) { lane, statement in
      statement.bind(lane.tracker, at: 1)
      statement.bind(lane.property, at: 2)
      statement.bind(lane.protocolName, at: 3)
      statement.bind(lane.endpoint, at: 4)
    }
    zones = try NameTable(
      connection, select: "SELECT id FROM zone WHERE name = ?", insert: "INSERT INTO zone(name) VALUES(?)"
    ) { name, statement in statement.bind(name, at: 1) }
    boots = try NameTable(
      connection, select: "SELECT id FROM boot WHERE uuid = ?", insert: "INSERT INTO boot(uuid) VALUES(?)"
    ) { boot, statement in statement.bind(boot.storedBytes, at: 1) }
    // A hit that is barred has no lane, and a row without a lane is left out.
    insertion = try connection.prepare(
      """
      INSERT OR IGNORE INTO hit(seq, lane, id, priority, kind, purposes, consent, created, age_clock, boot, zone, flags,
        max_age, bytes, crc, body, state, not_before)
      VALUES(COALESCE(?1, \(Ledger.next)), CASE WHEN \(Self.isBarred) THEN NULL ELSE ?2 END, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
        ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
      """)
    occupancy = try Occupancy(connection)
    try adoptPermissions()
  }

  func insert(_ row: HitRow) throws(StoreError) -> StoredHit {
    let lane = try lanes.id(of: row.lane)
    if let sequence = restored[row.id] { return StoredHit(lane: lane, sequence: sequence) }
    if bounds.overflow == .refuseNew, try !occupancy.hasRoom(for: row.bytes, within: bounds) {
      counters.add(1, to: .refused(Refusal.storeFull.name), lane: lane)
      return StoredHit(lane: lane, sequence: nil, refusal: .storeFull)
    }
    let written = try write(
      row, lane: lane, boot: try boots.id(of: row.created.boot), zone: try zones.id(of: row.created.zone),
      sequence: lastOfGroup.map { $0 + 1 })
    guard let sequence = written else {
      let refusal = try refusal()
      counters.add(1, to: .refused(refusal.name), lane: lane)
      return StoredHit(lane: lane, sequence: nil, refusal: refusal)
    }
    lastOfGroup = sequence
    try ledger.use(sequence)
    counters.add(row.truncatedValues, to: .valuesTruncated, lane: lane)
    counters.add(row.refusedValues, to: .valuesRefused, lane: lane)
    return StoredHit(lane: lane, sequence: sequence, notBefore: row.notBefore)
  }

  func commitAlone(_ row: HitRow) throws(StoreError) -> StoredHit? {
    // Whatever else a transaction would have to write, or to decide, needs one.
    guard restored.isEmpty, row.truncatedValues == 0, row.refusedValues == 0, pending.isEmpty,
      !identity.hasUnwrittenClient,
      ledger.isReserved(after: last),
      let lane = lanes.lastID(of: row.lane), let boot = boots.lastID(of: row.created.boot),
      let zone = zones.lastID(of: row.created.zone),
      try !occupancy.mayExceed(bounds, addedHits: 1, addedBytes: row.bytes)
    else { return nil }
    if let sequence = try write(row, lane: lane, boot: boot, zone: zone, sequence: nil) {
      return StoredHit(lane: lane, sequence: sequence, notBefore: row.notBefore)
    }
    let refusal = try refusal()
    pending.add(1, to: .refused(refusal.name))
    return StoredHit(lane: lane, sequence: nil, refusal: refusal)
  }

  private func write(
    _ row: HitRow, lane: Int64, boot: Int64, zone: Int64, sequence: Int64?
  ) throws(StoreError) -> Int64? {
    insertion.bind(sequence, at: 1)
    insertion.bind(lane, at: 2)
    row.id.withBytes { insertion.bind($0, at: 3) }
    insertion.bind(row.priority.rawValue, at: 4)
    insertion.bind(row.kind.storedCode, at: 5)
    insertion.bind(row.purposes.rawValue, at: 6)
    insertion.bind(row.consent.rawValue, at: 7)
    insertion.bind(row.created.wallMilliseconds, at: 8)
    insertion.bind(Int64(bitPattern: row.created.ageClock), at: 9)
    insertion.bind(boot, at: 10)
    insertion.bind(zone, at: 11)
    insertion.bind(row.created.isSuspect ? HitFlags.clockSuspect : 0, at: 12)
    insertion.bind(row.maxAge, at: 13)
    insertion.bind(row.bytes, at: 14)
    insertion.bind(Int64(CRC32.checksum(row.body)), at: 15)
    insertion.bind(row.body, at: 16)
    insertion.bind(row.state.rawValue, at: 17)
    insertion.bind(row.notBefore, at: 18)
    try insertion.run()
    // What a process forbids holds at once in all others, whatever these believe (HQ-231).
    guard connection.changes > 0 else { return nil }
    last = connection.lastInsertedRow
    occupancy.add(bytes: row.bytes)
    return last
  }

  func willCommit() throws(StoreError) {
    lastOfGroup = nil
    // The hits of the transaction may carry it.
    if identity.hasUnwrittenClient { _ = try identity.clientID() }
    if bounds.overflow == .dropOldest { try occupancy.evict(within: bounds, counters: counters, ledger: ledger) }
    try counters.write()
  }

  func didCommit() {
    counters.didCommit()
    restored = [:]
  }

  /// Remembers hits from another file until the next commit.
  func noteRestored(_ hits: [HitID: Int64]) { restored = hits }

  func bootID(of boot: BootID) throws(StoreError) -> Int64 { try boots.id(of: boot) }

  func zoneID(of zone: String) throws(StoreError) -> Int64 { try zones.id(of: zone) }

  func didRollBack() {
    lastOfGroup = nil
    counters.forget()
    lanes.forget()
    zones.forget()
    boots.forget()
    occupancy.forget()
  }

  /// Forgets what is known of rows that are gone.
  func forgetRows() {
    occupancy.forget()
    delivery.quarantineCount = nil
  }

  /// The number of a lane, made when it is new, inside a transaction.
  func laneID(of lane: LaneKey) throws(StoreError) -> Int64 { try lanes.id(of: lane) }

  static func bytes(of row: HitRow) -> Int { row.bytes }
}

/// Bits of `hit.flags`.
enum HitFlags {
  /// The wall clock was wrong when the hit was made (HQ-105).
  static let clockSuspect: Int64 = 1
}

extension BootID {
  /// The 16 bytes of a UUID; another text as it is.
  var storedBytes: [UInt8] { HitID(text)?.bytes ?? Array(text.utf8) }

  /// Reads what `storedBytes` wrote.
  init(storedBytes bytes: [UInt8]) {
    self.init(HitID(bytes: bytes)?.description ?? String(decoding: bytes, as: UTF8.self))
  }
}
