import Hits

/// What the person at a store's device allows; kept in the identity file, the same in every process (HQ-220, HQ-230).
struct Permissions: Sendable, Hashable {
  /// Nothing is taken in and nothing leaves.
  var isOptedOut = false
  /// The state of each purpose.
  var consent = ConsentSnapshot.granted

  /// The bit that bars every hit.
  static let optOutBit: Int64 = 1 << 32

  /// A bit for each denied purpose, and one for the opt-out: what `meta.barred` holds, so that no process inserts a hit
  /// that another has just forbidden (HQ-231).
  var barred: Int64 { Int64(consent.purposes(in: .denied).rawValue) | (isOptedOut ? Self.optOutBit : 0) }
}

extension Identity {
  /// What has been said so far; `initial` holds for purposes that nobody has said anything about.
  func permissions(initially initial: ConsentSnapshot = .granted) -> Permissions {
    var consent = initial
    for purpose in ConsentPurpose.allCases {
      if let state = self.consent?[purpose.wireName].flatMap(ConsentState.init(wireName:)) { consent[purpose] = state }
    }
    return Permissions(isOptedOut: optOut ?? false, consent: consent)
  }

  mutating func set(_ purpose: ConsentPurpose, _ state: ConsentState) {
    consent = (consent ?? [:]).merging([purpose.wireName: state.wireName]) { $1 }
  }
}
