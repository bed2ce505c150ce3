/// What a token or a person may do; each one may do what those before it may (CO-900, CO-901).
package enum AccessScope: String, Sendable, Hashable, Comparable, CaseIterable {
  /// Looks at everything but secrets.
  case read
  /// Changes drafts, makes versions and preview links.
  case edit
  /// Makes versions live.
  case publish
  /// Makes containers, environments and tokens.
  case admin

  package static func < (left: AccessScope, right: AccessScope) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
