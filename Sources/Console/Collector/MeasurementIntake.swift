import Digests
import HitQueue
import Hits

/// Judges Measurement Protocol v1 hits: stored as what, or refused for what (HQ-701, HQ-710, HQ-712, HQ-713).
package struct MeasurementIntake: Sendable {
  private typealias Fault = IntakeRules.Fault

  private let rules: IntakeRules

  package init(_ rules: IntakeRules) { self.rules = rules }

  /// Judges one hit.
  package func judge(_ line: some Collection<UInt8>, _ arrival: IntakeArrival) throws(RejectedHit) -> IntakeHit {
    let fields = FormFields(line)
    do throws(Fault) {
      return try judge(fields, line, arrival)
    } catch {
      let id: HitID? = if case .own(let id) = MeasurementLine.identity(of: fields) { id } else { nil }
      throw RejectedHit(
        code: error.code, field: error.field, id: id, property: fields["tid"].map { CleanText($0, limit: 64).text },
        received: arrival.received, raw: kept(fields, line))
    }
  }

  private func judge(
    _ fields: FormFields, _ line: some Collection<UInt8>, _ arrival: IntakeArrival
  ) throws(Fault) -> IntakeHit {
    guard try required("v", fields) == "1" else { throw Fault(code: .badValue, field: "v") }
    let property = try required("tid", fields)
    try rules.check(property: property, field: "tid")
    guard let kind = HitKind(wireName: try required("t", fields)), let kindName = kind.wireName else {
      throw Fault(code: .unknownKind, field: "t")
    }
    let clean = FieldHygiene(fields.dictionary, kind: kind)
    guard clean["cid"] != nil || clean["uid"] != nil else {
      throw Fault(code: .missingField, field: "cid")
    }
    try rules.check(clean)
    let age = try age(fields)
    return IntakeHit(
      id: id(of: fields), property: property, kind: kindName, client: clean["cid"], user: clean["uid"],
      occurred: arrival.received - age, clientTime: fields["ht"].flatMap { Int64($0) }.flatMap(IntakeRules.sane),
      received: arrival.received, sequence: fields["_s"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil },
      source: arrival.source,
      address: rules.address(said: fields["uip"], isAnonymous: fields["aip"] != nil, of: arrival),
      userAgent: rules.userAgent(said: fields["ua"], arrival),
      library: fields["_v"].map { CleanText($0, limit: 20).text }, body: kept(fields, line))
  }

  private func required(_ name: String, _ fields: FormFields) throws(Fault) -> String {
    guard let value = fields[name], !value.isEmpty else { throw Fault(code: .missingField, field: name) }
    return value
  }

  private func age(_ fields: FormFields) throws(Fault) -> Int64 {
    guard let text = fields["qt"], !text.isEmpty else { return 0 }
    guard let age = Int64(text) else { throw Fault(code: .badValue, field: "qt") }
    try rules.check(age: age, field: "qt")
    return age
  }

  private func id(of fields: FormFields) -> HitID {
    switch MeasurementLine.identity(of: fields) {
    case .own(let id): id
    // A SHA-256 has 32 bytes.
    case .digest(let bytes): HitID(bytes: Digest.sha256(bytes).prefix(16)) ?? HitID()
    case .none: HitID()
    }
  }

  /// The fields as they are kept: as they came, but without an address in full that may not be.
  private func kept(_ fields: FormFields, _ line: some Collection<UInt8>) -> [UInt8] {
    guard fields["uip"] != nil, !rules.keepsAddressField(isAnonymous: fields["aip"] != nil) else { return Array(line) }
    var bytes: [UInt8] = []
    for field in fields.fields where field.name != "uip" { FormEncoding.append(field.name, field.value, to: &bytes) }
    return bytes
  }
}
