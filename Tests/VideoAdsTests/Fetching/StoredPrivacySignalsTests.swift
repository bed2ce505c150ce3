import Testing

@testable import VideoAds

@Suite struct StoredPrivacySignalsTests {
  private static func signals(_ stored: [String: String]) -> PrivacySignals {
    StoredPrivacySignals(reading: { stored[$0] }).signals
  }

  @Test("VA-1200: the standard keys of TCF, GPP and US privacy are read; without them nothing is known")
  func keys() {
    #expect(Self.signals([:]) == PrivacySignals())
    let signals = Self.signals([
      "IABTCF_gdprApplies": "1", "IABTCF_TCString": "CO", "IABTCF_PurposeConsents": "1001001",
      "IABTCF_VendorConsents": String(repeating: "0", count: 754) + "1", "IABGPP_HDR_GppString": "DB",
      "IABGPP_GppSID": "2_6",
      "IABUSPrivacy_String": "1YNN",
    ])
    #expect(
      signals.tcf == PrivacySignals.TCF(gdprApplies: true, tcString: "CO", purposes: [1, 4, 7], googleVendor: true))
    #expect(signals.gpp == PrivacySignals.GPP(string: "DB", sectionIDs: [2, 6]) && signals.usPrivacy == "1YNN")
  }

  @Test("VA-1202, VA-1204: without purpose 1 no cookie and no id; the app adds what only it knows")
  func purposes() {
    let stored = ["IABTCF_gdprApplies": "1", "IABTCF_PurposeConsents": "01"]
    let signals = StoredPrivacySignals(reading: { stored[$0] }) { $0.isTrackingAuthorized = true }.signals
    #expect(!signals.permitsStorage && !signals.permitsIdentifiers && signals.isTrackingAuthorized)
  }
}
