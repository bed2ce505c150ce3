import HitQueue
import Hits

/// Judges the lines of our own protocol: stored as what, or refused for what (HQ-651, HQ-666).
///
/// A hit is kept as its line came, but for an address that may not be kept.
package struct LineIntake: Sendable {
  private typealias Fault = IntakeRules.Fault

  private let rules: IntakeRules

  package init(_ rules: IntakeRules) { self.rules = rules }

  /// Judges one line.
  package func judge(_ bytes: ArraySlice<UInt8>, _ arrival: IntakeArrival) throws(RejectedHit) -> IntakeHit {
    let bytes = Array(bytes)
    let line: HitLine
    do throws(HitLineFault) {
      line = try HitLine(bytes)
    } catch {
      throw RejectedHit(
        code: RejectedHit.Code(rawValue: error.code), field: error.field, id: error.id, property: error.property,
        received: arrival.received, raw: Array(bytes.prefix(HitLine.Limits.hit)))
    }
    do throws(Fault) {
      return try judge(line, bytes, arrival)
    } catch {
      throw RejectedHit(
        code: error.code, field: error.field, id: line.id, property: CleanText(line.property, limit: 64).text,
        received: arrival.received, raw: kept(line, bytes))
    }
  }

  private func judge(_ line: HitLine, _ bytes: [UInt8], _ arrival: IntakeArrival) throws(Fault) -> IntakeHit {
    try rules.check(property: line.property, field: "property")
    try rules.check(age: line.age, field: "age")
    let clean = FieldHygiene(line.fields, kind: line.kind)
    try rules.check(clean)
    return IntakeHit(
      id: line.id, property: line.property, kind: line.kindName, client: Self.text(line.client),
      user: Self.text(line.user), occurred: arrival.received - line.age,
      clientTime: line.time.flatMap(IntakeRules.sane), received: arrival.received, sequence: line.sequence,
      tracker: Self.text(line.tracker), source: arrival.source,
      address: rules.address(said: line.fields["uip"], isAnonymous: line.fields["aip"] != nil, of: arrival),
      userAgent: rules.userAgent(said: line.fields["ua"], arrival),
      library: line.library.map { CleanText($0, limit: 20).text },
      consent: line.consent.isEmpty ? nil : Value.map(line.consent.mapValues { .string($0) }).jsonText,
      body: kept(line, bytes))
  }

  private static func text(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  private func kept(_ line: HitLine, _ bytes: [UInt8]) -> [UInt8] {
    guard line.fields["uip"] != nil, !rules.keepsAddressField(isAnonymous: line.fields["aip"] != nil) else {
      return bytes
    }
    // What was read as a line is an object with its fields.
    guard var members = (try? Value(json: bytes))?.map, var fields = members["fields"]?.map else { return [] }
    fields["uip"] = nil
    members["fields"] = .map(fields)
    return Value.map(members).jsonBytes
  }
}
