import Hits

/// The fields that the sample and the advertising id's conditions decide about, whoever set them (HQ-215, HQ-221, HQ-250).
struct LibraryFields: Sendable {
  /// The advertising id, when the tracker may use it, the person allows it, and there is one.
  private let advertising: (id: String, isTargeted: Bool)?

  init(_ permissions: Permissions, allowsAdvertisingID: Bool, identifiers: (any IdentifierProvider)?) {
    guard allowsAdvertisingID, permissions.consent[.adStorage] == .granted, let identifiers else {
      advertising = nil
      return
    }
    advertising = identifiers.nonZeroAdvertisingID.map { ($0, identifiers.isTrackingAllowed) }
  }

  /// Puts the fields right; gives the percentage of clients whose hits are sent when it is not all.
  func apply(to fields: inout [CleanField]) -> Double? {
    let (sample, identifier, targeting) = (FieldKey("sf"), FieldKey("idfa"), FieldKey("ate"))
    guard
      advertising != nil || fields.contains(where: { $0.key == sample || $0.key == identifier || $0.key == targeting })
    else { return nil }
    let rate = fields.value(named: "sf").flatMap(Double.init).flatMap { $0 < 100 ? $0 : nil }
    fields.removeAll { $0.key == identifier || $0.key == targeting || ($0.key == sample && rate == nil) }
    if let (id, isTargeted) = advertising {
      fields = fields.merged(with: [CleanField("ate", isTargeted ? "1" : "0"), CleanField("idfa", id)])
    }
    return rate.map { max($0, 0) }
  }
}
