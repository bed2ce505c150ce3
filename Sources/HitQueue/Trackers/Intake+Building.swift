import DurableStore
import Hits

/// How a builder becomes a row, or the receipt of a hit that is not taken in.
extension Intake {
  func prepare(_ hit: HitBuilder, through tracker: Tracker) -> PreparedHit {
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
    let parameters = ParameterHygiene(hit.parameters)
    report(parameters.warnings)
    var row = row(of: hit, lane: tracker.lane, hygiene, permissions)
    row.refusedValues += parameters.refused
    let session = session(at: row.created, startsAnew: hygiene["sc"] == "start")
    let content = UnsentHit.Content.told(
      property: tracker.property,
      fields: tracker.destination.language.traits.tellsSession
        ? hygiene.kept.merged(with: [CleanField(HitContent.sessionField, String(session))]) : hygiene.kept,
      parameters: parameters.parameters)
    return admit(
      UnsentHit(row: row, content: content, sampleRate: sampleRate, language: tracker.destination.language),
      permissions, tracker: tracker)
  }

  func prepareBeacon(_ hit: HitBuilder) -> PreparedHit {
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
    if isNew { Task { await keep(session) } }
    if session.count == HitSession.longest + 1 {
      warnings.warn("session \(session.id) has more than \(HitSession.longest) hits, which some servers do not count")
    }
    return session.id
  }

  /// What the person does not allow; nil when the hit may be built.
  func refusal(of hit: HitBuilder, _ permissions: Permissions) -> Refusal? {
    if permissions.isOptedOut {
      // Another process may have opted in again.
      store.refreshPermissions(onPermissions)
      return .optedOut
    }
    return permissions.consent.state(of: hit.purposes) == .denied ? .consentDenied : nil
  }

  /// The hit's row, with the moment it is made at; its body comes with its client.
  func row(
    of hit: HitBuilder, lane: LaneKey, _ hygiene: FieldHygiene, _ permissions: Permissions
  ) -> HitRow {
    let created = clock.now()
    let drawn = random.next()
    let id = HitIDGenerator.process.withLock { $0.next(wallMilliseconds: created.wallMilliseconds, random: drawn) }
    return HitRow(
      lane: lane, id: id, kind: hit.kind, priority: hit.kind.priority(hygiene), purposes: hit.purposes,
      consent: permissions.consent, created: created, maxAge: hit.maxAge.map { max(0, $0.components.seconds) },
      body: [], truncatedValues: hygiene.truncated, refusedValues: hygiene.refused)
  }

  /// Takes a checked hit in: to be committed, or held until the person has decided.
  func admit(_ hit: UnsentHit, _ permissions: Permissions, tracker: Tracker?) -> PreparedHit {
    var hit = hit
    let isLocked = store.isLocked
    let isPending = permissions.consent.state(of: hit.row.purposes) == .pending
    if isLocked || (isPending && !holdsOnDisk) {
      // Every client id has as many bytes as this.
      if let refusal = check(&hit, body: hit.body(client: hit.ownClient ?? Self.nobody)) {
        return PreparedHit(refuse(refusal, hit.row))
      }
      if isDryRun { return PreparedHit(SendReceipt(id: hit.row.id, state: .dryRun)) }
      if let refusal = takeToken(for: &hit.row, of: tracker) { return PreparedHit(refuse(refusal, hit.row)) }
      if let dropped = state.withLock({ $0.held.add(hit) }) { drop([dropped], .pendingFull) }
      guard isLocked else { return PreparedHit(SendReceipt(id: hit.row.id, state: .held)) }
      store.unlockLater()
      return PreparedHit(SendReceipt(id: hit.row.id, state: .pending(.locked)))
    }
    if isPending { hit.row.state = .held }
    if let refusal = complete(&hit) { return PreparedHit(refuse(refusal, hit.row)) }
    if isDryRun { return PreparedHit(SendReceipt(id: hit.row.id, state: .dryRun)) }
    if let refusal = takeToken(for: &hit.row, of: tracker) { return PreparedHit(refuse(refusal, hit.row)) }
    return PreparedHit(hit.row)
  }

  private static let nobody = "00000000-0000-4000-8000-000000000000"

  /// Gives the hit its client and its body; tells why it is not to be sent.
  func complete(_ hit: inout UnsentHit) -> Refusal? {
    let client: String
    do throws(StoreError) {
      if let own = hit.ownClient { client = own } else { client = try store.clientID() }
    } catch {
      warnings.fail("no client id: \(error.message)")
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

  private func report(_ findings: [FieldWarning]) {
    for finding in findings { warnings.warn("field \(finding.field): \(finding.reason.rawValue)") }
  }

  private func report(_ hygiene: FieldHygiene, _ hit: HitBuilder) {
    report(hygiene.warnings)
    for input in hit.ignored { warnings.warn("field \(input.name) is left out: \(input.reason.rawValue)") }
  }
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
