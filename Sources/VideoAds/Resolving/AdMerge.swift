/// Puts an ad together with the wrappers above it, element by element (VA-430 to VA-433).
///
/// "Chain" is the outermost wrapper first and the ad last. What a wrapper tracks of a kind that the ad does not have is
/// left out: nothing is counted that was not seen.
struct AdMerge {
  let ad: VAST.Ad
  let inLine: VAST.InLine
  /// Outermost first.
  let wrappers: [VAST.Ad]

  private var chain: [VAST.Ad] { wrappers + [ad] }
  private var wrapperCreatives: [VAST.Creative] { wrappers.flatMap(\.creatives) }

  func resolved() -> ResolvedAd {
    let main = mainCreative
    var shell = main ?? VAST.Creative()
    (shell.linear, shell.nonLinearAds, shell.companionAds) = (nil, nil, nil)
    return ResolvedAd(
      ad: ad, inLine: inLine, wrappers: wrappers, sequence: ad.sequence,
      impressions: chain.flatMap(\.impressions), errors: chain.flatMap(\.errors),
      viewableImpressions: chain.flatMap(\.viewableImpressions), verifications: chain.flatMap(\.verifications),
      extensions: chain.flatMap(\.extensions),
      pricing: ad.pricing ?? wrappers.reversed().lazy.compactMap(\.pricing).first,
      linear: main?.linear.map(linear), nonLinearAds: nonLinearAds(), companionAds: companionAds(), creative: shell,
      creativeExtensions: chain.flatMap { $0.creatives.flatMap(\.extensions) })
  }

  /// The linear creative with the lowest sequence, the first in the document among equals (VA-443); else an overlay's.
  private var mainCreative: VAST.Creative? {
    let linears = ad.creatives.filter { $0.linear != nil }
    return linears.min { ($0.sequence ?? .max) < ($1.sequence ?? .max) }
      ?? ad.creatives.first { $0.nonLinearAds?.nonLinears.isEmpty == false }
  }

  private func linear(_ own: VAST.Linear) -> VAST.Linear {
    let above = wrapperCreatives.compactMap(\.linear)
    var linear = own
    linear.tracking = above.flatMap(\.tracking) + own.tracking
    linear.clickTrackings = above.flatMap(\.clickTrackings) + own.clickTrackings
    linear.customClicks = above.flatMap(\.customClicks) + own.customClicks
    linear.clickThrough = own.clickThrough ?? above.reversed().lazy.compactMap(\.clickThrough).first
    linear.skipOffset = own.skipOffset ?? above.reversed().lazy.compactMap(\.skipOffset).first
    linear.icons = icons(above.map(\.icons) + [own.icons])
    return linear
  }

  /// All icons, of those of one program the nearest to the ad alone.
  private func icons(_ levels: [[VAST.Icon]]) -> [VAST.Icon] {
    var taken: Set<String> = []
    var kept: [[VAST.Icon]] = []
    for level in levels.reversed() {
      kept.append(level.filter { icon in Self.program(icon).map { !taken.contains($0) } ?? true })
      taken.formUnion(level.compactMap(Self.program))
    }
    return kept.reversed().flatMap { $0 }
  }

  private static func program(_ icon: VAST.Icon) -> String? {
    icon.program.flatMap { $0.isEmpty ? nil : $0.lowercased() }
  }

  private func nonLinearAds() -> VAST.NonLinearAds? {
    let own = ad.creatives.compactMap(\.nonLinearAds)
    guard !own.isEmpty else { return nil }
    let above = wrapperCreatives.compactMap(\.nonLinearAds)
    let clickTrackings = above.flatMap { $0.nonLinears.flatMap(\.clickTrackings) }
    var merged = VAST.NonLinearAds()
    merged.tracking = (above + own).flatMap(\.tracking)
    merged.nonLinears = own.flatMap(\.nonLinears).map { overlay in
      var overlay = overlay
      overlay.clickTrackings = clickTrackings + overlay.clickTrackings
      return overlay
    }
    return merged
  }

  /// The companions level by level, nearest first, with the trackers that wrapper companions without a picture lend.
  private func companionAds() -> [VAST.CompanionAds] {
    let lenders = wrapperCreatives.compactMap(\.companionAds).flatMap(\.companions).filter(\.resources.isEmpty)
    return chain.reversed().compactMap { level in
      let all = level.creatives.compactMap(\.companionAds)
      var merged = VAST.CompanionAds()
      merged.required = all.map(\.required).max() ?? .none
      merged.companions = all.flatMap(\.companions).filter { !$0.resources.isEmpty }.map { companion in
        var companion = companion
        companion.tracking = lenders.flatMap(\.tracking) + companion.tracking
        companion.clickTrackings = lenders.flatMap(\.clickTrackings) + companion.clickTrackings
        return companion
      }
      return merged.companions.isEmpty ? nil : merged
    }
  }
}
