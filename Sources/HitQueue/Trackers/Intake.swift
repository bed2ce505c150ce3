import DurableStore
import Hits

/// The way in: a builder becomes a row, and a row is committed.
///
///     builder + tracker values + queue values + device ─▶ clean fields ─▶ stored form ─▶ commit ─▶ receipt
///
/// Everything is decided on the caller's thread, with the values of that moment (HQ-205).
final class Intake: Sendable {
  let warnings: OnceWarnings
  private let store: HitStore
  private let clock: any HitClock
  private let random: any RandomSource
  private let budget: Duration
  private let defaults: StickyFields
  private let onCommit: @Sendable (StoredHit, LaneKey) -> Void
  private let state = Locked(State())

  private struct State: Sendable {
    var fields = StickyFields()
    var isDryRun = false
    var isClosed = false
  }

  /// - Parameter onCommit: called after each commit, on any thread.
  init(
    store: HitStore, clock: any HitClock, random: any RandomSource, budget: Duration, device: (any Device)?,
    warnings: OnceWarnings, onCommit: @escaping @Sendable (StoredHit, LaneKey) -> Void
  ) {
    self.store = store
    self.clock = clock
    self.random = random
    self.budget = budget
    self.warnings = warnings
    self.onCommit = onCommit
    defaults = StickyFields.defaults(of: device)
  }

  var isDryRun: Bool {
    get { state.withLock { $0.isDryRun } }
    set { state.withLock { $0.isDryRun = newValue } }
  }

  /// Takes no hits any more.
  func close() { state.withLock { $0.isClosed = true } }

  func set(_ value: String?, for name: String) -> Bool { state.withLock { $0.fields.set(value, for: name) } }

  func value(of name: String) -> String? { state.withLock { $0.fields.values[name] } ?? defaults.values[name] }

  /// The client id; empty while the store cannot be read.
  func clientID() -> String {
    do throws(StoreError) { return try store.clientID() } catch {
      warnings.warn("no client id: \(error.message)")
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
    let outcome = rows.isEmpty ? .stored([]) : await store.write(rows) { self.note($0, rows) }
    note(outcome, rows)
    var stored = Array((outcome.stored ?? []).reversed())
    return prepared.map { prepared in
      prepared.receipt ?? receipt(for: prepared.id, outcome, stored.popLast())
    }
  }

  func enqueue(_ hit: HitBuilder, through tracker: Tracker) {
    guard let row = prepare(hit, through: tracker).row else { return }
    store.submit([row]) { self.note($0, [row]) }
  }

  private func commit(_ prepared: PreparedHit) -> SendReceipt {
    guard let row = prepared.row else { return prepared.receipt ?? SendReceipt(state: .refused(.closed)) }
    let outcome = store.write([row], within: budget) { self.note($0, [row]) }
    note(outcome, [row])
    return receipt(for: row.id, outcome, outcome.stored?.first)
  }

  /// Tells the dispatcher of hits that are on disk.
  private func note(_ outcome: WriteOutcome<StoredHit>, _ rows: [HitRow]) {
    for (stored, row) in zip(outcome.stored ?? [], rows) where stored.sequence != nil { onCommit(stored, row.lane) }
  }

  private func receipt(for id: HitID?, _ outcome: WriteOutcome<StoredHit>, _ stored: StoredHit?) -> SendReceipt {
    switch outcome {
    case .stored: SendReceipt(id: id, state: stored?.sequence == nil ? .refused(.storeFull) : .durable)
    case .waiting(let error): SendReceipt(id: id, state: .pending(error?.pendingCause ?? .slow))
    case .failed: SendReceipt(id: id, state: .refused(.storeFull))
    }
  }

  private func prepare(_ hit: HitBuilder, through tracker: Tracker) -> PreparedHit {
    let (ownFields, isDryRun, isClosed) = state.withLock { ($0.fields.values, $0.isDryRun, $0.isClosed) }
    if isClosed { return PreparedHit(refuse(.closed)) }
    guard tracker.destination.language.carries(hit.kind) else {
      return PreparedHit(refuse(.unsupportedKind))
    }
    let fields = merge(hit, tracker.fieldsForOneHit(), ownFields, property: tracker.property)
    let hygiene = FieldHygiene(fields, kind: hit.kind)
    report(hygiene, hit)
    if let refusal = hygiene.refusal { return PreparedHit(refuse(refusal, hygiene)) }
    let client: String
    do throws(StoreError) {
      if let given = hygiene.fields["cid"] { client = given } else { client = try store.clientID() }
    } catch {
      warnings.warn("no client id: \(error.message)")
      // Without an identity no line of this protocol is one, and a made-up client would be a person who is not there.
      return PreparedHit(SendReceipt(state: .refused(.missingField("cid"))))
    }
    let body = HitBody.body(
      of: hit.kind, property: tracker.property, clientID: client, fields: hygiene.fields,
      parameters: ParameterHygiene(hit.parameters).parameters)
    return finish(hit, tracker.lane, tracker.destination.language, body, hygiene, isDryRun)
  }

  private func prepareBeacon(_ hit: HitBuilder) -> PreparedHit {
    let (isDryRun, isClosed) = state.withLock { ($0.isDryRun, $0.isClosed) }
    if isClosed { return PreparedHit(refuse(.closed)) }
    let hygiene = FieldHygiene(hit.fields, kind: .beacon)
    if let refusal = hygiene.refusal { return PreparedHit(refuse(refusal, hygiene)) }
    guard let url = hygiene.fields["url"], let lane = BeaconProtocol.lane(of: url),
      let body = BeaconProtocol.body(url: url)
    else { return PreparedHit(refuse(.invalidValue("url"))) }
    return finish(hit, lane, BeaconProtocol(), body, hygiene, isDryRun)
  }

  private func finish(
    _ hit: HitBuilder, _ lane: LaneKey, _ language: any HitProtocol, _ body: [UInt8], _ hygiene: FieldHygiene,
    _ isDryRun: Bool
  ) -> PreparedHit {
    let created = clock.now()
    let id = HitIDGenerator.process.withLock {
      $0.next(wallMilliseconds: created.wallMilliseconds, random: random.next())
    }
    let queued = QueuedHit(id: id, sequence: .max, created: created, body: body)
    let size = language.size(of: queued, at: nil)
    guard size <= language.limits.hitBytes else {
      return PreparedHit(refuse(.tooLarge(bytes: size, limit: language.limits.hitBytes), hygiene))
    }
    let check = language.check(queued)
    if let refusal = check.refusal { return PreparedHit(refuse(refusal, hygiene)) }
    if isDryRun { return PreparedHit(SendReceipt(id: id, state: .dryRun)) }
    return PreparedHit(
      HitRow(
        lane: lane, id: id, kind: hit.kind, priority: hit.kind.priority(fields: hygiene.fields), purposes: hit.purposes,
        consent: .granted, created: created, maxAge: hit.maxAge.map { max(0, $0.components.seconds) }, body: body,
        truncatedValues: hygiene.truncated + check.truncatedValues,
        refusedValues: hygiene.refused + check.refusedValues))
  }

  /// Device, queue, tracker, hit: the later wins, and what the hit has set to nil is left out (HQ-204).
  private func merge(
    _ hit: HitBuilder, _ trackerFields: [String: String], _ ownFields: [String: String], property: String
  ) -> [String: String] {
    var fields = defaults.values
    for (name, value) in ownFields { fields[name] = value }
    for (name, value) in trackerFields { fields[name] = value }
    for name in hit.suppressed { fields[name] = nil }
    for (name, value) in hit.fields { fields[name] = value }
    if let other = fields.removeValue(forKey: "tid"), other != property {
      warnings.warn("tid \(other) of a hit is ignored: its tracker's property is \(property)")
    }
    return fields
  }

  private func refuse(_ refusal: Refusal, _ hygiene: FieldHygiene) -> SendReceipt {
    store.count([(.valuesRefused, hygiene.refused), (.valuesTruncated, hygiene.truncated)])
    return refuse(refusal)
  }

  private func report(_ hygiene: FieldHygiene, _ hit: HitBuilder) {
    for warning in hygiene.warnings { warnings.warn("field \(warning.field): \(warning.reason.rawValue)") }
    for input in hit.ignored { warnings.warn("field \(input.name) is left out: \(input.reason.rawValue)") }
  }
}

/// A hit that is ready to be committed, or the receipt of one that will not be.
private struct PreparedHit: Sendable {
  var row: HitRow?
  var receipt: SendReceipt?
  var id: HitID? { row?.id }

  init(_ row: HitRow) { self.row = row }
  init(_ receipt: SendReceipt) { self.receipt = receipt }
}

extension HitKind {
  /// What a full store keeps longest (HQ-103).
  func priority(fields: [String: String]) -> HitPriority {
    switch self {
    case .transaction, .item: .high
    case .exception where fields["exf"] == "1": .high
    default: fields["pa"] == "purchase" || fields["pa"] == "refund" ? .high : .normal
    }
  }
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
    case .cannotOpen: .locked
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
