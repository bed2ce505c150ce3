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
  func apply(to fields: inout [String: String]) -> Double? {
    fields["idfa"] = advertising?.id
    fields["ate"] = advertising.map { $0.isTargeted ? "1" : "0" }
    guard let rate = fields["sf"].flatMap(Double.init), rate < 100 else {
      fields["sf"] = nil
      return nil
    }
    return max(rate, 0)
  }
}
