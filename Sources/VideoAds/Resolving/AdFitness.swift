/// Whether an ad may play for a request at all, before its media is looked at (VA-325, VA-434, VA-442).
struct AdFitness {
  let policy: ResolutionPolicy

  /// The code that keeps an ad from playing; nil when it may.
  func objection(to ad: VAST.Ad, _ inLine: VAST.InLine, under wrappers: [VAST.Ad]) -> VASTErrorCode? {
    let hasLinear = ad.creatives.contains { $0.linear != nil }
    let hasOverlay = ad.creatives.contains { $0.nonLinearAds?.nonLinears.isEmpty == false }
    if !hasLinear, !hasOverlay {
      return ad.creatives.contains { $0.companionAds?.companions.isEmpty == false } ? .unexpectedAdType : .noAds
    }
    if !hasLinear, !policy.allowNonLinear { return .unexpectedLinearity }
    if ad.kind == .audio, policy.adType == .video { return .unexpectedAdType }
    return objection(to: inLine.categories, under: wrappers)
  }

  private func objection(to categories: [VAST.Category], under wrappers: [VAST.Ad]) -> VASTErrorCode? {
    let blocked = wrappers.flatMap(\.blockedCategories)
    if categories.isEmpty { return !blocked.isEmpty && policy.requireCategories ? .categoryMissing : nil }
    let isBlocked = categories.contains { category in
      policy.blockedCategories.contains(category.code) || blocked.contains { $0.isSame(as: category) }
    }
    return isBlocked ? .categoryBlocked : nil
  }
}

extension VAST.Ad {
  /// The categories that the ads behind a wrapper must not have.
  var blockedCategories: [VAST.Category] {
    if case .wrapper(let wrapper) = content { wrapper.blockedCategories } else { [] }
  }
}

extension VAST.Category {
  /// Whether both mean one category: the same code, of the same authority where both name one.
  fileprivate func isSame(as other: VAST.Category) -> Bool {
    code == other.code && (authority == nil || other.authority == nil || authority == other.authority)
  }
}
