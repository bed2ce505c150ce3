import DurableStore
import Hits

/// The way in: a builder becomes a row, and a row is committed.
///
///     builder + tracker values + queue values + device ─▶ clean fields ─▶ consent? ─▶ sample? ─▶ token? ─▶ commit ─▶ receipt
///                                                                            └─ pending ─▶ held, until the person says
///
/// Everything is decided on the caller's thread, with the values of that moment (HQ-205).
final class Intake: Sendable {
  let warnings: OnceWarnings
  let store: HitStore
  let clock: any HitClock
  let random: any RandomSource
  private let budget: Duration
  let defaults: StickyFields
  let identifiers: (any IdentifierProvider)?
  let holdsOnDisk: Bool
  /// Milliseconds.
  let sessionTimeout: Int64
  private let onCommit: @Sendable (StoredHit, LaneKey) -> Void
  private let onDelay: @Sendable () -> Void
  let onPermissions: @Sendable (Permissions) -> Void
  let state: Locked<State>

  struct State: Sendable {
    var fields: CommonFields
    var isDryRun = false
    var isClosed = false
    var held = HeldHits()
    var session: HitSession?
  }

  /// - Parameters:
  ///   - onCommit: called after each commit, on any thread.
  ///   - onDelay: called when hits stand still in memory, and when they have come to an end, on any thread.
  ///   - onPermissions: called with what another process has written down, on any thread.
  init(
    store: HitStore, clock: any HitClock, random: any RandomSource, configuration: HitStoreConfiguration,
    device: (any Device)?, identifiers: (any IdentifierProvider)?, warnings: OnceWarnings,
    onPermissions: @escaping @Sendable (Permissions) -> Void,
    onCommit: @escaping @Sendable (StoredHit, LaneKey) -> Void, onDelay: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.clock = clock
    self.random = random
    budget = configuration.sendBudget
    holdsOnDisk = configuration.pendingStorage == .disk
    sessionTimeout = configuration.sessionTimeout.wholeMilliseconds
    self.identifiers = identifiers
    self.warnings = warnings
    self.onPermissions = onPermissions
    self.onCommit = onCommit
    self.onDelay = onDelay
    defaults = StickyFields.defaults(of: device)
    state = Locked(State(fields: CommonFields(defaults: defaults), session: store.session))
  }

  var isDryRun: Bool {
    get { state.withLock { $0.isDryRun } }
    set { state.withLock { $0.isDryRun = newValue } }
  }

  /// Takes no hits any more.
  func close() async {
    let session = state.withLock { state in
      state.isClosed = true
      return state.session
    }
    // When the last hit was made, the next run must know.
    if let session { await keep(session) }
  }

  /// Keeps the session, of a person who allows that anything is kept.
  func keep(_ session: HitSession) async {
    let permissions = store.permissions
    guard !permissions.isOptedOut, permissions.consent.state(of: .analyticsStorage) == .granted else { return }
    await store.keep(session)
  }

  func set(_ value: String?, for name: String) -> Bool { state.withLock { $0.fields.set(value, for: name) } }

  func value(of name: String) -> String? { state.withLock { $0.fields.own.values[name] } ?? defaults.values[name] }

  /// The client id; empty while the store cannot be read.
  func clientID() -> String {
    do throws(StoreError) { return try store.clientID() } catch {
      warnings.fail("no client id: \(error.message)")
      return ""
    }
  }

  func send(_ hit: HitBuilder, through tracker: Tracker) -> SendReceipt {
    commit(prepare(hit, through: tracker))
  }

  func sendBeacon(_ hit: HitBuilder) -> SendReceipt { commit(prepareBeacon(hit)) }

  func refuse(_ refusal: Refusal) -> SendReceipt {
    store.count([(.refused(refusal.name), 1)])
    return SendReceipt(state: .refused(refusal))
  }

  func send(_ hits: [HitBuilder], through tracker: Tracker) async -> [SendReceipt] {
    let prepared = hits.map { prepare($0, through: tracker) }
    let rows = prepared.compactMap(\.row)
    let outcome = rows.isEmpty ? .stored([]) : await store.write(rows) { self.noteLate($0, rows) }
    note(outcome, rows)
    var stored = Array((outcome.stored ?? []).reversed())
    return prepared.map { prepared in
      prepared.receipt ?? receipt(for: prepared.row, outcome, stored.popLast())
    }
  }

  func enqueue(_ hit: HitBuilder, through tracker: Tracker) {
    guard let row = prepare(hit, through: tracker).row else { return }
    store.submit([row]) { self.noteLate($0, [row]) }
  }

  private func commit(_ prepared: PreparedHit) -> SendReceipt {
    guard let row = prepared.row else { return prepared.receipt ?? SendReceipt(state: .refused(.closed)) }
    if let stored = store.writeAlone(row) {
      note(stored, row)
      return SendReceipt(id: row.id, state: state(of: row, stored))
    }
    let outcome = store.write([row], within: budget) { self.noteLate($0, [row]) }
    note(outcome, [row])
    return receipt(for: row, outcome, outcome.stored?.first)
  }

  /// Tells the dispatcher of hits that are on disk.
  private func note(_ outcome: WriteOutcome<StoredHit>, _ rows: [HitRow]) {
    for (stored, row) in zip(outcome.stored ?? [], rows) { note(stored, row) }
    if case .waiting(_?) = outcome { onDelay() }
  }

  /// Tells of hits that were left waiting.
  private func noteLate(_ outcome: WriteOutcome<StoredHit>, _ rows: [HitRow]) {
    note(outcome, rows)
    onDelay()
  }

  private func note(_ stored: StoredHit, _ row: HitRow) {
    // Another process has opted out: this one is to know it too.
    if stored.refusal == .optedOut { store.refreshPermissions(onPermissions) }
    if stored.sequence != nil, row.state == .ready { onCommit(stored, row.lane) }
  }

  private func receipt(for row: HitRow?, _ outcome: WriteOutcome<StoredHit>, _ stored: StoredHit?) -> SendReceipt {
    let id = row?.id
    return switch outcome {
    case .stored: SendReceipt(id: id, state: state(of: row, stored))
    case .waiting(let error): SendReceipt(id: id, state: .pending(error?.pendingCause ?? .slow))
    case .failed: SendReceipt(id: id, state: .refused(.storeFull))
    }
  }

  private func state(of row: HitRow?, _ stored: StoredHit?) -> SendReceipt.State {
    guard stored?.sequence != nil else { return .refused(stored?.refusal ?? .storeFull) }
    return row?.state == .held ? .held : .durable
  }

  /// Stores the held hits that the person now allows, and drops those that are now denied (HQ-223).
  func releaseHeld(_ permissions: Permissions) {
    let (granted, denied) = state.withLock { $0.held.release(permissions.consent) }
    drop(denied, .consentDenied)
    var rows: [HitRow] = []
    for var hit in granted {
      if let refusal = complete(&hit) { _ = refuse(refusal, hit.row) } else { rows.append(hit.row) }
    }
    guard !rows.isEmpty else { return }
    let outcome = store.write(rows, within: budget) { [rows] in self.noteLate($0, rows) }
    note(outcome, rows)
  }

  /// Drops everything that is held.
  func dropHeld(_ reason: DropReason) { drop(state.withLock { $0.held.removeAll() }, reason) }

  /// Hits that were taken in and are gone: both is counted.
  func drop(_ hits: [UnsentHit], _ reason: DropReason) {
    if !hits.isEmpty { store.count([(.accepted, hits.count), (.dropped(reason), hits.count)]) }
  }

  /// Reports a crash of an earlier run; tells whether that is done for good (HQ-272).
  func send(_ report: CrashReport, lane: LaneKey, speaking language: any HitProtocol) -> Bool {
    let permissions = store.permissions
    let builder = HitBuilder.exception(description: report.description, isFatal: true)
    guard refusal(of: builder, permissions) == nil, language.carries(.exception) else { return true }
    var fields = [CleanField](cleaning: defaults.values.merging(builder.fields) { $1 })
    let library = LibraryFields(permissions, allowsAdvertisingID: false, identifiers: nil)
    _ = library.apply(to: &fields)
    let hygiene = FieldHygiene(fields, kind: .exception)
    var row = row(of: builder, lane: lane, hygiene, permissions)
    row.id = report.id
    row.created = report.created
    let content = UnsentHit.Content.told(property: lane.property, fields: hygiene.kept, parameters: [:])
    let prepared = admit(UnsentHit(row: row, content: content, language: language), permissions, tracker: nil)
    guard let row = prepared.row else { return true }
    let outcome = store.write([row], within: .seconds(5)) { self.noteLate($0, [row]) }
    note(outcome, [row])
    return outcome.stored != nil
  }

  func refuse(_ refusal: Refusal, _ hygiene: FieldHygiene) -> SendReceipt {
    store.count([(.valuesRefused, hygiene.refused), (.valuesTruncated, hygiene.truncated)])
    return refuse(refusal)
  }

  func refuse(_ refusal: Refusal, _ row: HitRow) -> SendReceipt {
    store.count([(.valuesRefused, row.refusedValues), (.valuesTruncated, row.truncatedValues)])
    return refuse(refusal)
  }
}

/// A hit that is ready to be committed, or the receipt of one that will not be.
struct PreparedHit: Sendable {
  var row: HitRow?
  var receipt: SendReceipt?

  init(_ row: HitRow) { self.row = row }
  init(_ receipt: SendReceipt) { self.receipt = receipt }
}

extension Refusal {
  /// The name without figures, as counters are called.
  var name: String { String(description.prefix { $0 != "(" }) }
}

extension StoreError {
  /// What a hit in memory waits for (HQ-340, HQ-354).
  var pendingCause: PendingCause {
    switch code {
    case .full: .diskFull
    case .cannotOpen where isLockout: .locked
    case .busy: .slow
    default: .ioError
    }
  }
}

extension WriteOutcome {
  var stored: [Stored]? {
    if case .stored(let stored) = self { stored } else { nil }
  }
}
