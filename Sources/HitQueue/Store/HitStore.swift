import Dispatch
import DurableStore
import Foundation
import Hits

/// The store of one directory: one writer, one identity, shared by everything in the process that opens the directory.
///
/// Rows that find no room are kept in memory, at most 1,000 hits and 4 MiB, and counted when they are let go (HQ-340).
final class HitStore: Sendable {
  let directory: String
  let writer: GroupWriter<HitTables>
  let identity: IdentityFile
  private let pending: PendingCounts
  let knownClientID = Locked<String?>(nil)
  let known: Locked<KnownPermissions>
  let initialConsent: ConsentSnapshot
  let isRefreshing = Locked(false)
  let lockout: Locked<Lockout?>
  private let recovery: StoreRecovery

  /// Opens the store of a directory; a store that this process has open already is shared (HQ-322).
  ///
  /// - Parameter consent: what holds for purposes that nobody has said anything about.
  static func open(
    _ configuration: HitStoreConfiguration, consent: ConsentSnapshot = .granted, random: any RandomSource
  ) throws(HitQueueError) -> HitStore {
    try configuration.check()
    let directory = configuration.resolvedDirectory
    do throws(StoreError) {
      try StoreDirectory.prepare(directory)
      let place = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
      return try OpenStores.store(at: place) { () throws(StoreError) in
        try HitStore(directory: place, configuration: configuration, consent: consent, random: random)
      }
    } catch {
      throw HitQueueError(error)
    }
  }

  private init(
    directory: String, configuration: HitStoreConfiguration, consent: ConsentSnapshot, random: any RandomSource
  ) throws(StoreError) {
    self.directory = directory
    let identity = IdentityFile(
      path: directory + "/identity.json", random: random, optsOutOnDamage: configuration.optOutOnDamage)
    self.identity = identity
    initialConsent = consent
    let permissions = try Self.permissions(in: identity, initially: consent)
    known = Locked(KnownPermissions(written: permissions ?? Permissions(consent: consent)))
    lockout = Locked(permissions == nil ? Lockout() : nil)
    let pending = PendingCounts()
    self.pending = pending
    let recovery = StoreRecovery(directory: directory, identity: identity) { path throws(StoreError) in
      try HitTables(path: path, configuration: configuration, identity: identity, pending: pending)
    }
    self.recovery = recovery
    writer = try GroupWriter(
      policy: .keep(rows: 1_000, bytes: 4 << 20),
      recover: { error, old throws(StoreError) in try recovery.recover(from: error, old) },
      open: { () throws(StoreError) in try recovery.open() })
  }

  /// Commits a hit here and now, where that can be done; nil where it is `write`'s.
  func writeAlone(_ row: HitRow) -> StoredHit? { writer.writeAlone(row) }

  /// Commits hits together, waiting at most for the budget; `late` is called when hits that were left waiting come to
  /// an end.
  func write(
    _ rows: [HitRow], within budget: Duration, late: @escaping @Sendable (WriteOutcome<StoredHit>) -> Void
  ) -> WriteOutcome<StoredHit> {
    writer.write(rows, within: budget) { outcome in
      self.noteLoss(of: rows, outcome)
      late(outcome)
    }
  }

  /// Commits hits together; `late` is called when hits that were left waiting come to an end.
  func write(
    _ rows: [HitRow], late: @escaping @Sendable (WriteOutcome<StoredHit>) -> Void
  ) async -> WriteOutcome<StoredHit> {
    await writer.write(rows) { outcome in
      self.noteLoss(of: rows, outcome)
      late(outcome)
    }
  }

  /// Commits hits together, some time soon; `done` is called at most once with `waiting` and then once with the end.
  func submit(_ rows: [HitRow], done: @escaping @Sendable (WriteOutcome<StoredHit>) -> Void) {
    writer.submit(rows) { outcome in
      self.noteLoss(of: rows, outcome)
      done(outcome)
    }
  }

  /// Hits whose memory was needed by later ones were taken in and are gone: both is counted with the next commit.
  private func noteLoss(of rows: [HitRow], _ outcome: WriteOutcome<StoredHit>) {
    guard case .failed = outcome else { return }
    count([(.accepted, rows.count), (.dropped(.diskFull), rows.count)])
  }

  /// Adds to counters, with the next commit.
  func count(_ changes: [(HitCounters.Name, Int)]) {
    for (name, change) in changes { pending.add(change, to: name) }
  }

  /// The client id, made at first need (HQ-210); waits for the disk on the first call only.
  ///
  /// Where there is no room to write it down it is in memory, with the hits that wait there (HQ-340).
  func clientID() throws(StoreError) -> String {
    if let known = knownClientID.withLock({ $0 }) { return known }
    do throws(StoreError) {
      return try change { [identity, knownClientID] tables throws(StoreError) in
        // In turn with `resetClientID`: what is known is what was written last.
        let id: String
        if let written = try identity.read()?.clientID {
          id = written
        } else {
          id = try tables.connection.transaction { () throws(StoreError) in try identity.clientID() }
        }
        knownClientID.withLock { $0 = id }
        return id
      }
    } catch {
      guard error.code == .full || error.code == .readOnly || error.code == .ioError else { throw error }
      return identity.clientIDInMemory()
    }
  }

  /// Replaces the client id.
  func resetClientID() throws(StoreError) {
    try change { [identity, knownClientID] tables throws(StoreError) in
      let id = try tables.connection.transaction { () throws(StoreError) in try identity.resetClientID() }
      knownClientID.withLock { $0 = id }
    }
  }

  /// Deletes every hit while the person is opted out.
  func deleteAll() async throws(StoreError) {
    try await change { tables throws(StoreError) in try tables.deleteAllIfOptedOut() }
  }

  /// The session of the last run; nil when there was none, and while the identity file cannot be read.
  var session: HitSession? { (try? identity.read())?.session }

  /// Keeps the session for the next run; a run that is killed before forgets when its last hit was made.
  func keep(_ session: HitSession) async {
    // What cannot be kept begins anew.
    try? await change { tables throws(StoreError) in
      try tables.connection.transaction { () throws(StoreError) in
        _ = try tables.identity.update { identity in
          // What was known earlier may come later.
          if let kept = identity.session, kept.id == session.id, kept.count > session.count { return }
          identity.session = session
        }
      }
    }
  }

  /// The lane of a number; nil for one that no lane has.
  func lane(_ id: Int64) throws(StoreError) -> LaneKey? {
    try writer.performAndWait { tables throws(StoreError) in try tables.delivery.key(of: id) }
  }

  /// The number of a lane, made when it is new.
  func laneID(of lane: LaneKey) throws(StoreError) -> Int64 {
    try change { tables throws(StoreError) in
      try tables.connection.transaction { () throws(StoreError) in try tables.laneID(of: lane) }
    }
  }

  /// Runs a step of delivery, in turn with the commits.
  func deliver<Result: Sendable>(
    _ step: @escaping @Sendable (DeliveryTable) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await change { tables throws(StoreError) in try step(tables.delivery) }
  }

  /// Runs work that makes its own transactions, in turn with the commits; what one that is rolled back has left in memory
  /// is forgotten.
  func change<Result: Sendable>(
    _ work: @escaping @Sendable (HitTables) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    try await writer.perform { tables throws(StoreError) in try Self.forgetting(tables, work) }
  }

  /// The same, waiting for it on the calling thread.
  func change<Result: Sendable>(
    _ work: @escaping @Sendable (HitTables) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writer.performAndWait { tables throws(StoreError) in try Self.forgetting(tables, work) }
  }

  private static func forgetting<Result>(
    _ tables: HitTables, _ work: (HitTables) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) { return try work(tables) } catch {
      tables.didRollBack()
      throw error
    }
  }

  /// The lock of a lane between processes; nil while another holds it (HQ-321).
  func lock(lane: Int64) throws(StoreError) -> FileLock? {
    try FileLock.take("\(directory)/lane-\(lane).lock")
  }

  /// Commits everything that waits in memory (HQ-316).
  func flush() throws(StoreError) {
    try writer.flush()
    if known.withLock({ $0.hasUnwritten }) { _ = try writeChoices() }
  }

  /// Brings the counters up to date on disk.
  func balance() async throws(StoreError) {
    try await change { tables throws(StoreError) in try tables.delivery.transaction { () throws(StoreError) in } }
  }

  /// Commits everything that waits in memory, without holding up the caller's thread.
  func flushSoon() async throws(StoreError) {
    try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, StoreError>, Never>) in
      DispatchQueue.global().async {
        continuation.resume(returning: Result { () throws(StoreError) in try self.flush() })
      }
    }.get()
  }

  /// Hits, oldest first.
  func inspect(_ query: HitQuery) async throws(StoreError) -> [HitSummary] {
    try await writer.perform { tables throws(StoreError) in try HitInspection(tables.connection).hits(query) }
  }

  /// Counters, lanes and totals, with all that was counted before the call.
  func statistics() async throws(StoreError) -> HitStatistics {
    try await change { tables throws(StoreError) in
      try tables.delivery.transaction { () throws(StoreError) in }
      return try HitInspection(tables.connection).statistics()
    }
  }

  /// Why hits stand still in memory; nil while commits work.
  var obstacle: StoreError? { writer.obstacle }

  /// What the store cannot do at the moment.
  var conditions: Set<QueueStatus.Condition> {
    var conditions: Set<QueueStatus.Condition> = []
    if permissions.isOptedOut { conditions.insert(.optedOut) }
    let findings = recovery.findings
    if findings.damages > 0 { conditions.insert(.damaged(findings.damages)) }
    if findings.isNewer { conditions.insert(.storeNewer) }
    if findings.lacksLog { conditions.insert(.walUnavailable) }
    if isLocked { conditions.insert(.locked) }
    switch obstacle?.pendingCause {
    case .diskFull: conditions.insert(.diskFull)
    case .ioError: conditions.insert(.ioError)
    case .locked: conditions.insert(.locked)
    case .slow, .memory, nil: break
    }
    return conditions
  }

  /// How many hits there are, what they take, and when the oldest was made; nil while they cannot be counted.
  func depth() -> (hits: Int, bytes: Int, oldest: HitTime?)? {
    try? writer.performAndWait { tables throws(StoreError) in try tables.delivery.depth() }
  }
}
