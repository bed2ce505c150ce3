extension ConsentSnapshot {
  /// Makes a snapshot of given states; all other purposes are granted.
  public init(_ states: [ConsentPurpose: ConsentState]) {
    self = .granted
    for (purpose, state) in states { self[purpose] = state }
  }

  /// The purposes in a state.
  package func purposes(in state: ConsentState) -> ConsentPurposes {
    ConsentPurpose.allCases.reduce(into: []) { if self[$1] == state { $0.insert(ConsentPurposes($1)) } }
  }

  /// What holds for several purposes together: granted when all are, denied when one is, else pending (HQ-222).
  package func state(of purposes: ConsentPurposes) -> ConsentState {
    // Every hit asks, and most apps have everything granted.
    if rawValue == 0 { return .granted }
    if !purposes.isDisjoint(with: self.purposes(in: .denied)) { return .denied }
    return purposes.isDisjoint(with: self.purposes(in: .pending)) ? .granted : .pending
  }
}

extension ConsentState {
  /// The state as protocols and files write it.
  package var wireName: String {
    switch self {
    case .granted: "granted"
    case .denied: "denied"
    case .pending: "pending"
    }
  }

  /// Reads `wireName`.
  package init?(wireName: String) {
    switch wireName {
    case "granted": self = .granted
    case "denied": self = .denied
    case "pending": self = .pending
    default: return nil
    }
  }
}
