import Hits

extension ConsentSnapshot {
  /// Whether a purpose was granted when a hit was made and is granted now: the stricter counts (HQ-224).
  func grants(_ purpose: ConsentPurpose, and now: ConsentSnapshot) -> Bool {
    self[purpose] == .granted && now[purpose] == .granted
  }
}
