import DurableStore
package import Hits

/// Changes a store by a person's hand: hits come back from quarantine, are thrown away, or come from a file (HQ-910).
///
/// It may be used while an app has the store open; what is in a request is left alone.
package struct HitStoreEditor: Sendable {
  private let store: HitStore
  private let clock: any HitClock

  /// Opens the store of a directory; it is made when missing.
  package init(directory: String, clock: any HitClock = SystemHitClock()) throws(HitQueueError) {
    store = try HitStore.open(HitStoreConfiguration(directory: directory), random: SystemRandomSource())
    self.clock = clock
  }

  /// Makes quarantined hits ready again: one by its id, or all.
  ///
  /// - Returns: how many there were.
  package func retry(_ id: HitID?) async throws(HitQueueError) -> Int {
    try await change { table throws(StoreError) in
      let statement = try table.connection.prepare(
        "UPDATE hit SET state = 0, reason = NULL, not_before = NULL WHERE state = 2 AND (?1 IS NULL OR id = ?1)")
      if let id { statement.bind(id.bytes, at: 1) } else { statement.bindNull(at: 1) }
      try statement.run()
      let count = table.connection.changes
      try table.widen()
      table.quarantineCount = nil
      return count
    }
  }

  /// Throws away the hits of a state, counted as `dropped.purged`.
  ///
  /// - Returns: how many there were.
  package func purge(_ state: HitQuery.State) async throws(HitQueueError) -> Int {
    guard let stored = state.stored else {
      throw HitQueueError(.invalidConfiguration, "hits in a request cannot be thrown away")
    }
    return try await change { table throws(StoreError) in
      let inFlight = try InFlight.sequences(in: table.connection)
      let statement = try table.connection.prepare("SELECT seq, lane FROM hit WHERE state = ?")
      statement.bind(stored.rawValue, at: 1)
      let doomed = try statement.query { row throws(StoreError) in
        var doomed: [(sequence: Int64, lane: Int64)] = []
        while try row.step() {
          let sequence = row.integer(at: 0)
          if !inFlight.contains(sequence) { doomed.append((sequence, row.integer(at: 1))) }
        }
        return doomed
      }
      for hit in doomed {
        try table.delete(hit.sequence)
        table.counters.add(1, to: .dropped(.purged), lane: hit.lane)
      }
      table.quarantineCount = nil
      return doomed.count
    }
  }

  /// Takes in hits that were exported, those with an id that the store has not.
  ///
  /// - Returns: how many were taken in.
  package func insert(_ lines: [ImportedHit]) async throws(HitQueueError) -> Int {
    let known = try await change { table throws(StoreError) in
      try table.connection.prepare("SELECT id FROM hit").query { row throws(StoreError) in
        var ids: Set<HitID> = []
        while try row.step() { if let id = row.withBlob(at: 0, { HitID($0) }) { ids.insert(id) } }
        return ids
      }
    }
    var seen = known
    let now = clock.now()
    let rows = lines.filter { seen.insert($0.line.id).inserted }.map { $0.row(at: now) }
    guard !rows.isEmpty else { return 0 }
    switch await store.write(rows, late: { _ in }) {
    case .stored(let stored): return stored.count { $0.sequence != nil }
    case .failed(let error): throw HitQueueError(error)
    case .waiting(let error):
      throw error.map { HitQueueError($0) } ?? HitQueueError(.ioError, "the store is busy")
    }
  }

  /// Ends the work: the counters on disk are up to date.
  package func close() async throws(HitQueueError) {
    do throws(StoreError) {
      try await store.flushSoon()
      try await store.balance()
    } catch {
      throw HitQueueError(error)
    }
  }

  private func change<Result: Sendable>(
    _ work: @escaping @Sendable (DeliveryTable) throws(StoreError) -> Result
  ) async throws(HitQueueError) -> Result {
    do throws(StoreError) {
      return try await store.deliver { table throws(StoreError) in
        try table.transaction { () throws(StoreError) in try work(table) }
      }
    } catch {
      throw HitQueueError(error)
    }
  }
}

/// A hit from a file, with where it is to go.
package struct ImportedHit: Sendable, Hashable {
  package var line: HitLine
  package var protocolName: String
  package var endpoint: String

  package init(line: HitLine, protocolName: String, endpoint: String) {
    self.line = line
    self.protocolName = protocolName
    self.endpoint = endpoint
  }

  fileprivate func row(at now: HitTime) -> HitRow {
    let hygiene = FieldHygiene(line.fields, kind: line.kind)
    let created = HitTime(
      wallMilliseconds: line.time ?? now.wallMilliseconds - min(line.age, now.wallMilliseconds), ageClock: 0,
      boot: Self.boot)
    return HitRow(
      lane: LaneKey(
        tracker: line.tracker ?? line.property, property: line.property, protocolName: protocolName,
        endpoint: endpoint),
      id: line.id, kind: line.kind, priority: line.kind.priority(hygiene), purposes: .analyticsStorage,
      consent: ConsentSnapshot(words: line.consent), created: created,
      body: HitBody.body(
        of: line.kind, property: line.property, clientID: line.client ?? line.user ?? "", userID: line.user,
        fields: hygiene.kept, parameters: line.parameters))
  }

  /// No start of this device: the age of a hit from a file is that of the wall clock.
  private static let boot = BootID("imported")
}

extension HitQuery.State {
  /// The state's number in the store; nil for one that is none there.
  fileprivate var stored: HitState? {
    switch self {
    case .ready: .ready
    case .held: .held
    case .quarantined: .quarantined
    case .inflight: nil
    }
  }
}

extension ConsentSnapshot {
  /// Reads the states of a line; what it does not tell is granted.
  fileprivate init(words: [String: String]) {
    self = .granted
    for purpose in ConsentPurpose.allCases {
      if let state = words[purpose.wireName].flatMap(ConsentState.init(wireName:)) { self[purpose] = state }
    }
  }
}
