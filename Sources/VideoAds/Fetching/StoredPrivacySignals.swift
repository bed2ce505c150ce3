import Foundation

/// The choices that consent tools store under the standard keys of IAB's frameworks (VA-1200).
///
/// Ids, place and the platform's authorisation are the app's to add: nothing here reads them (VA-1204).
public struct StoredPrivacySignals: PrivacySignalsProvider {
  private let read: @Sendable (String) -> String?
  private let change: @Sendable (inout PrivacySignals) -> Void

  /// Reads the app's own defaults; `change` adds what the app knows.
  public init(adding change: @escaping @Sendable (inout PrivacySignals) -> Void = { _ in }) {
    self.init(reading: { UserDefaults.standard.string(forKey: $0) }, adding: change)
  }

  /// Reads a store of texts by key.
  public init(
    reading read: @escaping @Sendable (String) -> String?,
    adding change: @escaping @Sendable (inout PrivacySignals) -> Void = { _ in }
  ) {
    self.read = read
    self.change = change
  }

  /// The choices now.
  public var signals: PrivacySignals {
    var signals = PrivacySignals()
    if let applies = read("IABTCF_gdprApplies") {
      signals.tcf = PrivacySignals.TCF(
        gdprApplies: applies == "1" || applies == "true", tcString: read("IABTCF_TCString") ?? "",
        purposes: Self.numbers(read("IABTCF_PurposeConsents") ?? ""),
        // 755 is Google's id in the vendor list.
        googleVendor: Self.numbers(read("IABTCF_VendorConsents") ?? "").contains(755))
    }
    if let text = read("IABGPP_HDR_GppString") {
      let sections = (read("IABGPP_GppSID") ?? "").split { $0 == "_" || $0 == "," }.compactMap { Int($0) }
      signals.gpp = PrivacySignals.GPP(string: text, sectionIDs: sections)
    }
    signals.usPrivacy = read("IABUSPrivacy_String")
    change(&signals)
    return signals
  }

  /// The places of the ones in a text of zeros and ones, from 1.
  private static func numbers(_ bits: String) -> Set<Int> {
    Set(bits.utf8.enumerated().filter { $0.element == UInt8(ascii: "1") }.map { $0.offset + 1 })
  }
}
