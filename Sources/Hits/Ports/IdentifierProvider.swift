/// The optional port that gives advertising and device ids.
///
/// Without one, no engine ever reads such an id (TM-662, HQ-250).
public protocol IdentifierProvider: Sendable {
  /// The advertising id; nil or all zeros when there is none or the person declined.
  var advertisingID: String? { get }
  /// Whether the person allows tracking.
  var isTrackingAllowed: Bool { get }
  /// An id of the device for this vendor's apps.
  var deviceID: String? { get }
}

extension IdentifierProvider {
  /// The advertising id, unless the system has none or gives zeros only.
  package var nonZeroAdvertisingID: String? {
    guard let id = advertisingID, id.utf8.contains(where: { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: "-") }) else {
      return nil
    }
    return id
  }
}
