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
  private let store: HitStore
  private let clock: any HitClock
  private let random: any RandomSource
  private let budget: Duration
  private let defaults: StickyFields
  private let identifiers: (any IdentifierProvider)?
  private let holdsOnDisk: Bool
  /// Milliseconds.
  private let sessionTimeout: Int64
  private let onCommit: @Sendable (StoredHit, LaneKey) -> Void
  private let onPermissions: @Sendable (Permissions) -> Void
  private let state: Locked<State>

  private struct State: Sendable {
    var fields: CommonFields
    var isDryRun = false
    var isClosed = false
    var held = HeldHits()
    var session: HitSession?
  }

  /// - Parameters:
  ///   - onCommit: called after each commit, on any thread.
  ///   - onPermissions: called with what another process has written down, on any thread.
  init(
    store: HitStore, clock: any HitClock, random: any RandomSource, configuration: HitStoreConfiguration,
    device: (any Device)?, identifiers: (any IdentifierProvider)?, warnings: OnceWarnings,
    onPermissions: @escaping @Sendable (Permissions) -> Void,
    onCommit: @escaping @Sendable (StoredHit, LaneKey) -> Void
  ) {
    self.store = store
    self.clock = clock
    self.random = random
    budget = configuration.sendBudget
    holdsOnDisk = configuration.pendingStorage == .disk
    sessionTimeout =
      Int64(clamping: configuration.sessionTimeout.components.seconds).multipliedReportingOverflow(
        by: 1_000
      ).partialValue
    self.identifiers = identifiers
    self.warnings = warnings
    self.onPermissions = onPermissions
    self.onCommit = onCommit
    defaults = StickyFields.defaults(of: device)
    state = Locked(State(fields: CommonFields(defaults: defaults), session: store.session))
  }

  var isDryRun: Bool {
    get { state.withLock { $0.isDryRun } }
    set { state.withLock { $0.isDryRun = newValue } }
  }

  /// Takes no hits any more.
  func close() {
    let session = state.withLock { state in
      state.isClosed = true
      return state.session
    }
    // When the last hit was made, the next run must know.
    if let session { keep(session) }
  }

  /// Keeps the session, of a person who allows that anything is kept.
  private func keep(_ session: HitSession) {
    let permissions = store.permissions
    guard !permissions.isOptedOut, permissions.consent.state(of: .analyticsStorage) == .granted else { return }
    store.keep(session)
  }

  func set(_ value: String?, for name: String) -> Bool { state.withLock { $0.fields.set(value, for: name) } }

  func value(of name: String) -> String? { state.withLock { $0.fields.own.values[name] } ?? defaults.values[name] }

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
      prepared.receipt ?? receipt(for: prepared.row, outcome, stored.popLast())
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
    return receipt(for: row, outcome, outcome.stored?.first)
  }

  /// Tells the dispatcher of hits that are on disk.
  private func note(_ outcome: WriteOutcome<StoredHit>, _ rows: [HitRow]) {
    let stored = outcome.stored ?? []
    // Another process has opted out: this one is to know it too.
    if stored.contains(where: { $0.refusal == .optedOut }) { store.refreshPermissions(onPermissions) }
    for (stored, row) in zip(stored, rows) where stored.sequence != nil && row.state == .ready {
      onCommit(stored, row.lane)
    }
  }

  private func receipt(for row: HitRow?, _ outcome: WriteOutcome<StoredHit>, _ stored: StoredHit?) -> SendReceipt {
    let id = row?.id
    return switch outcome {
    case .stored where stored?.sequence == nil: SendReceipt(id: id, state: .refused(stored?.refusal ?? .storeFull))
    case .stored: SendReceipt(id: id, state: row?.state == .held ? .held : .durable)
    case .waiting(let error): SendReceipt(id: id, state: .pending(error?.pendingCause ?? .slow))
    case .failed: SendReceipt(id: id, state: .refused(.storeFull))
    }
  }

  private func prepare(_ hit: HitBuilder, through tracker: Tracker) -> PreparedHit {
    let (common, isClosed) = state.withLock { ($0.fields, $0.isClosed) }
    if isClosed { return PreparedHit(refuse(.closed)) }
    let permissions = store.permissions
    if let refusal = refusal(of: hit, permissions) { return PreparedHit(refuse(refusal)) }
    guard tracker.destination.language.carries(hit.kind) else {
      return PreparedHit(refuse(.unsupportedKind))
    }
    var fields = merge(hit, tracker.fieldsForOneHit(over: common), property: tracker.property)
    let library = LibraryFields(
      permissions, allowsAdvertisingID: tracker.allowAdvertisingID, identifiers: identifiers)
    let sampleRate = library.apply(to: &fields)
    let hygiene = FieldHygiene(fields, kind: hit.kind)
    report(hygiene, hit)
    if let refusal = hygiene.refusal { return PreparedHit(refuse(refusal, hygiene)) }
    let row = row(of: hit, lane: tracker.lane, hygiene, permissions)
    let session = session(at: row.created, startsAnew: hygiene["sc"] == "start")
    let content = UnsentHit.Content.told(
      property: tracker.property,
      fields: tracker.destination.language.traits.tellsSession
        ? hygiene.kept.merged(with: [CleanField(HitContent.sessionField, String(session))]) : hygiene.kept,
      parameters: hit.parameters.isEmpty ? [:] : ParameterHygiene(hit.parameters).parameters)
    return admit(
      UnsentHit(row: row, content: content, sampleRate: sampleRate, language: tracker.destination.language),
      permissions, tracker: tracker)
  }

  private func prepareBeacon(_ hit: HitBuilder) -> PreparedHit {
    if state.withLock({ $0.isClosed }) { return PreparedHit(refuse(.closed)) }
    let permissions = store.permissions
    if let refusal = refusal(of: hit, permissions) { return PreparedHit(refuse(refusal)) }
    let hygiene = FieldHygiene(hit.fields, kind: .beacon)
    if let refusal = hygiene.refusal { return PreparedHit(refuse(refusal, hygiene)) }
    guard let url = hygiene["url"], let lane = BeaconProtocol.lane(of: url),
      let body = BeaconProtocol.body(url: url)
    else { return PreparedHit(refuse(.invalidValue("url"))) }
    return admit(
      UnsentHit(
        row: row(of: hit, lane: lane, hygiene, permissions), content: .document(body), language: BeaconProtocol()),
      permissions, tracker: nil)
  }

  /// The session of a hit (HQ-213).
  private func session(at now: HitTime, startsAnew: Bool) -> Int64 {
    let (session, isNew) = state.withLock { state in
      let session = HitSession.following(state.session, at: now, timeout: sessionTimeout, startsAnew: startsAnew)
      defer { state.session = session }
      return (session, session.count == 1)
    }
    if isNew { keep(session) }
    if session.count == HitSession.longest + 1 {
      warnings.warn("session \(session.id) has more than \(HitSession.longest) hits, which some servers do not count")
    }
    return session.id
  }

  /// What the person does not allow; nil when the hit may be built.
  private func refusal(of hit: HitBuilder, _ permissions: Permissions) -> Refusal? {
    if permissions.isOptedOut {
      // Another process may have opted in again.
      store.refreshPermissions(onPermissions)
      return .optedOut
    }
    return permissions.consent.state(of: hit.purposes) == .denied ? .consentDenied : nil
  }

  /// The hit's row, with the moment it is made at; its body comes with its client.
  private func row(
    of hit: HitBuilder, lane: LaneKey, _ hygiene: FieldHygiene, _ permissions: Permissions
  ) -> HitRow {
    let created = clock.now()
    let id = HitIDGenerator.process.withLock {
      $0.next(wallMilliseconds: created.wallMilliseconds, random: random.next())
    }
    return HitRow(
      lane: lane, id: id, kind: hit.kind, priority: hit.kind.priority(hygiene), purposes: hit.purposes,
      consent: permissions.consent, created: created, maxAge: hit.maxAge.map { max(0, $0.components.seconds) },
      body: [], truncatedValues: hygiene.truncated, refusedValues: hygiene.refused)
  }

  /// Takes a checked hit in: to be committed, or held until the person has decided.
  private func admit(_ hit: UnsentHit, _ permissions: Permissions, tracker: Tracker?) -> PreparedHit {
    var hit = hit
    let isPending = permissions.consent.state(of: hit.row.purposes) == .pending
    if isPending, !holdsOnDisk {
      // Every client id has as many bytes as this.
      if let refusal = check(&hit, body: hit.body(client: hit.ownClient ?? Self.nobody)) {
        return PreparedHit(refuse(refusal, hit.row))
      }
      if isDryRun { return PreparedHit(SendReceipt(id: hit.row.id, state: .dryRun)) }
      if let refusal = takeToken(for: &hit.row, of: tracker) { return PreparedHit(refuse(refusal, hit.row)) }
      if let dropped = state.withLock({ $0.held.add(hit) }) { drop([dropped], .pendingFull) }
      return PreparedHit(SendReceipt(id: hit.row.id, state: .held))
    }
    if isPending { hit.row.state = .held }
    if let refusal = complete(&hit) { return PreparedHit(refuse(refusal, hit.row)) }
    if isDryRun { return PreparedHit(SendReceipt(id: hit.row.id, state: .dryRun)) }
    if let refusal = takeToken(for: &hit.row, of: tracker) { return PreparedHit(refuse(refusal, hit.row)) }
    return PreparedHit(hit.row)
  }

  private static let nobody = "00000000-0000-4000-8000-000000000000"

  /// Gives the hit its client and its body; tells why it is not to be sent.
  private func complete(_ hit: inout UnsentHit) -> Refusal? {
    let client: String
    do throws(StoreError) {
      if let own = hit.ownClient { client = own } else { client = try store.clientID() }
    } catch {
      warnings.warn("no client id: \(error.message)")
      // Without an identity no line of this protocol is one, and a made-up client would be a person who is not there.
      return .missingField("cid")
    }
    if let rate = hit.sampleRate, !Sampling.takes(clientID: client, rate: rate) { return .sampledOut }
    hit.row.body = hit.body(client: client)
    return check(&hit, body: hit.row.body)
  }

  /// Asks the language about the hit, once; tells why it cannot be told.
  private func check(_ hit: inout UnsentHit, body: [UInt8]) -> Refusal? {
    guard !hit.isChecked else { return nil }
    hit.isChecked = true
    let queued = QueuedHit(
      id: hit.row.id, sequence: .max, created: hit.row.created, consent: hit.row.consent, body: body)
    let size = hit.language.size(of: queued, at: nil)
    let limit = hit.language.limits.hitBytes
    guard size <= limit else { return .tooLarge(bytes: size, limit: limit) }
    let check = hit.language.check(queued)
    hit.row.truncatedValues += check.truncatedValues
    hit.row.refusedValues += check.refusedValues
    return check.refusal
  }

  /// Takes a token for a hit of normal priority (HQ-261).
  private func takeToken(for row: inout HitRow, of tracker: Tracker?) -> Refusal? {
    guard let tracker, row.priority == .normal else { return nil }
    switch tracker.takeToken(at: row.created.ageClock) {
    case .pass: return nil
    case .wait(let nanoseconds):
      row.notBefore = row.created.wallMilliseconds.addingReportingOverflow(Int64(nanoseconds / 1_000_000)).partialValue
      store.count([(.delayed, 1)])
      return nil
    case .refuse: return .rateLimited
    }
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
    let outcome = store.write(rows, within: budget) { [rows] in self.note($0, rows) }
    note(outcome, rows)
  }

  /// Drops everything that is held.
  func dropHeld(_ reason: DropReason) { drop(state.withLock { $0.held.removeAll() }, reason) }

  /// Hits that were taken in and are gone: both is counted.
  private func drop(_ hits: [UnsentHit], _ reason: DropReason) {
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
    let outcome = store.write([row], within: .seconds(5)) { self.note($0, [row]) }
    note(outcome, [row])
    return outcome.stored != nil
  }

  /// Device, queue, tracker, hit: the later wins, and what the hit has set to nil is left out (HQ-204).
  private func merge(_ hit: HitBuilder, _ sticky: [CleanField], property: String) -> [CleanField] {
    var fields = hit.fields
    if let other = hit.fields["tid"] {
      fields["tid"] = nil
      if other != property {
        warnings.warn("tid \(other) of a hit is ignored: its tracker's property is \(property)")
      }
    }
    return sticky.merged(with: [CleanField](cleaning: fields), without: hit.suppressed)
  }

  private func refuse(_ refusal: Refusal, _ hygiene: FieldHygiene) -> SendReceipt {
    store.count([(.valuesRefused, hygiene.refused), (.valuesTruncated, hygiene.truncated)])
    return refuse(refusal)
  }

  private func refuse(_ refusal: Refusal, _ row: HitRow) -> SendReceipt {
    store.count([(.valuesRefused, row.refusedValues), (.valuesTruncated, row.truncatedValues)])
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

  init(_ row: HitRow) { self.row = row }
  init(_ receipt: SendReceipt) { self.receipt = receipt }
}

extension HitKind {
  /// What a full store keeps longest (HQ-103).
  func priority(_ fields: FieldHygiene) -> HitPriority {
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
