/// When a hit comes too late for the reports of its server (HQ-510, HQ-511, HQ-530).
public enum LatenessRule: Sendable, Hashable {
  /// Never.
  case none
  /// More than four hours after it was made.
  case fourHours
  /// From 04:00 of the day after its own on, in the zone of the report.
  case nextDay4AM
  /// When it is older than this.
  case maxAge(Duration)
}

/// What becomes of late hits (HQ-530).
public enum LatePolicy: Sendable, Hashable {
  /// They are sent all the same, and counted as `sentLate`.
  case send
  /// They are dropped with reason `late`.
  case drop
}

/// What becomes of hits of which nobody knows whether they arrived, where the server cannot know them again (HQ-423).
public enum UncertainPolicy: Sendable, Hashable {
  /// They are sent again, and counted as `maybeDuplicate`.
  case resend
  /// They are dropped with reason `uncertain`.
  case drop
}

/// How the hits of a lane are delivered, beyond what its language says.
struct DeliveryTerms: Sendable, Hashable {
  var lateness: LatenessRule
  var latePolicy: LatePolicy
  /// The zone of the report; nil for that in which the hit was made (HQ-512).
  var reportZone: String?
  var onUncertain = UncertainPolicy.resend
}

extension DeliveryTerms {
  /// What holds for a lane that no tracker of this process has named.
  init(_ traits: DeliveryTraits) { self.init(lateness: traits.lateness, latePolicy: traits.latePolicy) }
}
