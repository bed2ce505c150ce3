package import Hits

/// One hit as a line of our own protocol says it (HQ-651).
///
///     line = JSON object: id [seq] kind property [tracker] client|user [time] age [fields] [name] [params] [consent] [lib]
///
/// A line is a value without I/O; `HitLineFault` says what is wrong with one.
package struct HitLine: Sendable, Hashable {
  /// What holds for every request and line (HQ-652).
  package enum Limits {
    package static let hits = 1000
    package static let body = 1 << 20
    package static let unpacked = 4 << 20
    package static let hit = 32 << 10
    package static let depth = 8
    package static let dedupeDays = 45
  }

  package var id: HitID
  package var sequence: Int64?
  package var kind: HitKind
  package var property: String
  package var tracker: String?
  package var client: String?
  package var user: String?
  /// The client's wall time at its making, in milliseconds.
  package var time: Int64?
  /// Its age in milliseconds when it was encoded.
  package var age: Int64
  package var fields: [String: String]
  /// The free parameters of a custom hit.
  package var parameters: [String: Value]
  /// What the person had said, by purpose; empty when it is not told.
  package var consent: [String: String]
  package var library: String?

  /// Reads what a stored hit says at a moment; nil for a beacon and for bytes that are no hit.
  package init?(_ hit: QueuedHit, tracker: String?, at now: HitTime) {
    guard let content = HitContent(hit) else { return nil }
    id = hit.id
    sequence = hit.sequence > 0 && hit.sequence < .max ? hit.sequence : nil
    kind = content.kind
    property = content.property
    self.tracker = tracker.flatMap { $0.isEmpty ? nil : $0 }
    client = content.clientID
    user = content.userID
    time = hit.wallTime(at: now)
    age = hit.age(at: now)
    fields = content.fields
    parameters = content.parameters
    consent = hit.consent.words
    library = "tw" + HitQueueInfo.version
  }

  /// Reads a line of Measurement Protocol v1; nil without a type or a property.
  package init?(measurement bytes: [UInt8], at now: HitTime) {
    let form = FormFields(bytes)
    guard let content = HitContent(form: form) else { return nil }
    if case .own(let id) = MeasurementLine.identity(of: form) { self.id = id } else { id = HitID() }
    sequence = form["_s"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    kind = content.kind
    property = content.property
    client = content.clientID
    user = content.userID
    age = max(0, form["qt"].flatMap { Int64($0) } ?? 0)
    time = form["ht"].flatMap { Int64($0) }
    fields = content.fields.filter { !MeasurementLine.written.contains($0.key) }
    parameters = [:]
    consent = [:]
    library = form["_v"]
  }

  /// The hit as a store would hold it, made at a wall time of no known clock.
  package func queued(created wallMilliseconds: Int64) -> QueuedHit {
    QueuedHit(
      id: id, sequence: sequence ?? 0,
      created: HitTime(wallMilliseconds: wallMilliseconds, ageClock: 0, boot: BootID("imported")),
      body: HitBody.body(
        of: kind, property: property, clientID: client ?? user ?? "", userID: user,
        fields: FieldHygiene(fields, kind: kind).kept, parameters: parameters))
  }

  /// The name of the kind on the line.
  package var kindName: String { kind.wireName ?? "custom" }
}

extension ConsentSnapshot {
  /// The states by purpose; empty when all is granted, as it is where nobody was asked.
  var words: [String: String] {
    guard self != .granted else { return [:] }
    let states = ConsentPurpose.allCases.map { ($0.wireName, self[$0].wireName) }
    return Dictionary(states, uniquingKeysWith: { first, _ in first })
  }
}
