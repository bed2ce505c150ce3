/// An ad with all that the wrappers above it add: what plays, and what is owed for it (VA-430).
public struct ResolvedAd: Sendable, Hashable {
  /// The ad itself, as its document states it.
  public var ad: VAST.Ad
  /// What only the ad itself states.
  public var inLine: VAST.InLine
  /// The wrappers above it, outermost first.
  public var wrappers: [VAST.Ad]
  /// Its number in the documents' pod; nil for a stand-alone ad (VA-432).
  public var sequence: Int?

  /// What to request when it is shown.
  public var impressions: [VAST.Link]
  /// What to request when it fails.
  public var errors: [String]
  /// What to request once it is known whether it was seen.
  public var viewableImpressions: [VAST.ViewableImpression]
  /// Who measures it.
  public var verifications: [VAST.Verification]
  /// What servers add.
  public var extensions: [VAST.Extension]
  /// What it costs.
  public var pricing: VAST.Pricing?

  /// The creative with the media; nil for an overlay ad.
  public var linear: VAST.Linear?
  /// The overlays.
  public var nonLinearAds: VAST.NonLinearAds?
  /// The companions by level: the ad's own, then those of the nearest wrapper.
  public var companionAds: [VAST.CompanionAds]
  /// The creative that plays, without its parts above.
  public var creative: VAST.Creative
  /// What servers add to creatives.
  public var creativeExtensions: [VAST.Extension]

  /// The first event that has the same URL twice; nil when none has (VA-806).
  var repeatedEvent: String? {
    var impressionURLs: Set<String> = []
    if impressions.contains(where: { !impressionURLs.insert($0.url).inserted }) { return "impression" }
    var seen: Set<VAST.Tracking> = []
    return (linear?.tracking ?? nonLinearAds?.tracking ?? []).first { tracking in
      var plain = tracking
      plain.id = nil
      return !seen.insert(plain).inserted
    }?.event.rawValue
  }

  /// Whether media takes the place of content.
  public var isLinear: Bool { linear != nil }
  /// The ids of the wrappers, outermost first.
  public var wrapperAdIDs: [String] { wrappers.compactMap(\.id) }
  /// The names of the wrappers' systems, outermost first.
  public var wrapperSystems: [String] { wrappers.compactMap(\.system?.name) }
  /// The ids of the wrappers' creatives, outermost first.
  public var wrapperCreativeIDs: [String] { wrappers.flatMap { $0.creatives.compactMap(\.id) } }
}

/// A code to be sent to a URL, in the order of the list it is in (VA-416).
public struct ErrorBeacon: Sendable, Hashable {
  /// The code.
  public var code: VASTErrorCode
  /// The URL as written.
  public var url: String
  /// The ad that failed.
  public var adID: String?
}

/// An ad that stands by, not resolved yet (VA-423).
public struct SpareAd: Sendable, Hashable {
  let ad: VAST.Ad
  let wrappers: [VAST.Ad]
  let documentURL: String?
  /// The URL of the first document as it was written.
  var adTag: String?

  /// Whether no wrapper forbids that it takes the place of an ad that failed: the one that led from its document to the
  /// ad decides (VA-426).
  func mayReplace(_ failed: ResolvedAd) -> Bool {
    let shared = zip(wrappers, failed.wrappers).prefix { $0 == $1 }.count
    guard failed.wrappers.indices.contains(shared), case .wrapper(let wrapper) = failed.wrappers[shared].content
    else { return true }
    return wrapper.fallsBackOnNoAd
  }
}

/// What a document and the documents behind it come to.
public struct ResolvedResponse: Sendable, Hashable {
  /// The ads in play order.
  public var ads: [ResolvedAd] = []
  /// The ads that stand by, in order.
  public var spares: [SpareAd] = []
  /// What is owed for ads that cannot play.
  public var errors: [ErrorBeacon] = []
  /// Why there is no ad: the code of the first failure; nil when there are ads.
  public var failure: VASTErrorCode?
  /// What was found out about all documents.
  public var diagnostics: [AdDiagnostic] = []
}
