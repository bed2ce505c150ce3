import Hits

/// How much of a client's address is kept (HQ-713).
public enum AddressPolicy: String, Sendable, Hashable, CaseIterable {
  /// All of it.
  case full
  /// Its network: /24 of IPv4, /48 of IPv6.
  case masked
  /// Nothing.
  case none
}

/// What is known of a request beside its hits.
package struct IntakeArrival: Sendable, Hashable {
  package let received: Int64
  package let source: IntakeHit.Source
  package let client: ClientAddress
  /// The network of the client as a text, made once for all hits of a request.
  let network: String?
  package let userAgent: String?

  package init(received: Int64, source: IntakeHit.Source, client: ClientAddress = .none, userAgent: String? = nil) {
    self.received = received
    self.source = source
    self.client = client
    network = client.masked.text
    self.userAgent = userAgent
  }
}

/// What holds for every hit, in whichever language it comes (HQ-666, HQ-711 to HQ-714).
package struct IntakeRules: Sendable {
  /// What is wrong with a hit.
  struct Fault: Error {
    var code: RejectedHit.Code
    var field: String?
  }

  let registry: PropertyRegistry
  private let addressPolicy: AddressPolicy
  private let longestAge: Int64

  /// - Parameter longestAgeDays: the window in which ids are known; an older hit could come twice.
  package init(registry: PropertyRegistry, addressPolicy: AddressPolicy = .masked, longestAgeDays: Int = 45) {
    self.registry = registry
    self.addressPolicy = addressPolicy
    longestAge = Int64(longestAgeDays) * 86_400_000
  }

  func check(property: String, field: String) throws(Fault) {
    guard Property.isID(property) else { throw Fault(code: .badValue, field: field) }
    guard registry.accepts(property) else { throw Fault(code: .unknownProperty, field: field) }
  }

  func check(age: Int64, field: String) throws(Fault) {
    guard age >= 0 else { throw Fault(code: .badValue, field: field) }
    guard age <= longestAge else { throw Fault(code: .tooOld, field: field) }
  }

  /// The fields that the kind requires, and the event's value, which counts when it is there (HQ-110).
  func check(_ clean: FieldHygiene) throws(Fault) {
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

  /// Whether an address in full may stand among a hit's fields.
  func keepsAddressField(isAnonymous: Bool) -> Bool { addressPolicy == .full && !isAnonymous }

  /// The address that is kept: what the hit says goes before where it came from.
  func address(said: String?, isAnonymous: Bool, of arrival: IntakeArrival) -> String? {
    guard addressPolicy != .none, !isAnonymous else { return nil }
    let isFull = addressPolicy == .full
    guard let said = said.flatMap({ ClientAddress($0) }) else { return isFull ? arrival.client.text : arrival.network }
    return (isFull ? said : said.masked).text
  }

  func userAgent(said: String?, _ arrival: IntakeArrival) -> String? {
    (said ?? arrival.userAgent).map { CleanText($0, limit: 512).text }
  }

  /// Times that no wire may carry are none (HQ-545).
  static func sane(_ milliseconds: Int64) -> Int64? {
    0...253_402_300_799_999 ~= milliseconds ? milliseconds : nil
  }
}
