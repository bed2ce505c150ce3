import Digests
import HitQueue
import Hits

/// Judges Measurement Protocol v1 hits: stored as what, or refused for what (HQ-701, HQ-710, HQ-712, HQ-713).
package struct MeasurementIntake: Sendable {
  /// How much of a client's address is kept (HQ-713).
  package enum AddressPolicy: String, Sendable, Hashable {
    case full
    case masked
    case none
  }

  /// What is known of a request beside its hits.
  package struct Arrival: Sendable, Hashable {
    package var received: Int64
    package var source: IntakeHit.Source
    package var client: ClientAddress
    package var userAgent: String?

    package init(received: Int64, source: IntakeHit.Source, client: ClientAddress = .none, userAgent: String? = nil) {
      self.received = received
      self.source = source
      self.client = client
      self.userAgent = userAgent
    }
  }

  private let registry: PropertyRegistry
  private let addressPolicy: AddressPolicy
  private let longestAge: Int64

  package init(registry: PropertyRegistry, addressPolicy: AddressPolicy = .masked, longestAgeDays: Int = 45) {
    self.registry = registry
    self.addressPolicy = addressPolicy
    longestAge = Int64(longestAgeDays) * 86_400_000
  }

  /// Judges one hit.
  package func judge(_ line: some Collection<UInt8>, _ arrival: Arrival) throws(RejectedHit) -> IntakeHit {
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

  private struct Fault: Error {
    var code: RejectedHit.Code
    var field: String
  }

  private func judge(
    _ fields: FormFields, _ line: some Collection<UInt8>, _ arrival: Arrival
  ) throws(Fault) -> IntakeHit {
    guard try required("v", fields) == "1" else { throw Fault(code: .badValue, field: "v") }
    let property = try required("tid", fields)
    guard Property.isID(property) else { throw Fault(code: .badValue, field: "tid") }
    guard registry.accepts(property) else { throw Fault(code: .unknownProperty, field: "tid") }
    guard let kind = HitKind(wireName: try required("t", fields)), let kindName = kind.wireName else {
      throw Fault(code: .unknownKind, field: "t")
    }
    let clean = FieldHygiene(fields.dictionary, kind: kind)
    guard clean["cid"] != nil || clean["uid"] != nil else {
      throw Fault(code: .missingField, field: "cid")
    }
    try check(clean)
    let age = try age(fields)
    return IntakeHit(
      id: id(of: fields), property: property, kind: kindName, client: clean["cid"], user: clean["uid"],
      occurred: arrival.received - age, clientTime: fields["ht"].flatMap { Int64($0) }.flatMap(Self.sane),
      received: arrival.received, sequence: fields["_s"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil },
      source: arrival.source, address: address(fields, arrival),
      userAgent: (fields["ua"] ?? arrival.userAgent).map { CleanText($0, limit: 512).text },
      library: fields["_v"].map { CleanText($0, limit: 20).text }, body: kept(fields, line))
  }

  private func required(_ name: String, _ fields: FormFields) throws(Fault) -> String {
    guard let value = fields[name], !value.isEmpty else { throw Fault(code: .missingField, field: name) }
    return value
  }

  /// The fields that the kind requires, and the event's value, which counts when it is there (HQ-110).
  private func check(_ clean: FieldHygiene) throws(Fault) {
    switch clean.refusal {
    case nil: break
    case .missingField(let field): throw Fault(code: .missingField, field: field)
    case .invalidValue(let field): throw Fault(code: .badValue, field: field)
    default: throw Fault(code: .badValue, field: "t")
    }
    if clean.warnings.contains(where: { $0.field == "ev" && $0.reason == .wrongType }) {
      throw Fault(code: .badValue, field: "ev")
    }
  }

  private func age(_ fields: FormFields) throws(Fault) -> Int64 {
    guard let text = fields["qt"], !text.isEmpty else { return 0 }
    guard let age = Int64(text), age >= 0 else { throw Fault(code: .badValue, field: "qt") }
    guard age <= longestAge else { throw Fault(code: .tooOld, field: "qt") }
    return age
  }

  /// Times that no wire may carry are none (HQ-545).
  private static func sane(_ milliseconds: Int64) -> Int64? {
    0...253_402_300_799_999 ~= milliseconds ? milliseconds : nil
  }

  private func id(of fields: FormFields) -> HitID {
    switch MeasurementLine.identity(of: fields) {
    case .own(let id): id
    // A SHA-256 has 32 bytes.
    case .digest(let bytes): HitID(bytes: Digest.sha256(bytes).prefix(16)) ?? HitID()
    case .none: HitID()
    }
  }

  private func address(_ fields: FormFields, _ arrival: Arrival) -> String? {
    guard keepsAddress(fields) else { return nil }
    let client = fields["uip"].flatMap { ClientAddress($0) } ?? arrival.client
    return (addressPolicy == .full ? client : client.masked).text
  }

  private func keepsAddress(_ fields: FormFields) -> Bool { addressPolicy != .none && fields["aip"] == nil }

  /// The fields as they are kept: as they came, but without an address in full that may not be.
  private func kept(_ fields: FormFields, _ line: some Collection<UInt8>) -> [UInt8] {
    guard fields["uip"] != nil, addressPolicy != .full || fields["aip"] != nil else { return Array(line) }
    var bytes: [UInt8] = []
    for field in fields.fields where field.name != "uip" { FormEncoding.append(field.name, field.value, to: &bytes) }
    return bytes
  }
}
