/// An ad as an app sees it (VA-1300).
public struct Ad: Sendable, Hashable {
  /// The ad's id.
  public let id: String?
  /// The title.
  public let title: String?
  /// A description.
  public let description: String?
  /// The system that served it.
  public let system: String?
  /// The MIME type of the media that plays.
  public let contentType: String?
  /// Seconds; −1 when it is not stated.
  public let duration: Double
  /// The width of an overlay.
  public let width: Int?
  /// The height of an overlay.
  public let height: Int?
  /// The width of the media.
  public let mediaWidth: Int?
  /// The height of the media.
  public let mediaHeight: Int?
  /// kbit/s of the media.
  public let mediaBitrate: Int?
  /// Whether content stops for it.
  public let isLinear: Bool
  /// Whether it can be skipped.
  public let isSkippable: Bool
  /// Seconds from which it can be skipped; −1 for never.
  public let skipOffset: Double
  /// Its place in its break.
  public let podInfo: AdPodInfo
  /// Parameters for the media.
  public let adParameters: String?
  /// The creative's id.
  public let creativeID: String?
  /// The ad server's id of the creative.
  public let creativeAdID: String?
  /// The creative's ids in registries.
  public let universalAdIDs: [VAST.UniversalAdID]
  /// Who pays for it.
  public let advertiserName: String?
  /// A survey about it.
  public let surveyURL: String?
  /// The id of the deal by which it was sold, as GAM's extension tells it.
  public let dealID: String?
  /// What it costs.
  public let pricing: VAST.Pricing?
  /// What it is about.
  public let categories: [VAST.Category]
  /// The ids of its wrappers, outermost first.
  public let wrapperAdIDs: [String]
  /// The ids of its wrappers' creatives, outermost first.
  public let wrapperCreativeIDs: [String]
  /// The systems of its wrappers, outermost first.
  public let wrapperSystems: [String]
  /// What it shows beside the player.
  public let companions: [VAST.Companion]
  /// What servers add.
  public let extensions: [VAST.Extension]

  init(_ current: CurrentAd, media: VAST.MediaFile?) {
    let ad = current.ad
    id = ad.ad.id
    title = ad.inLine.title
    description = ad.inLine.description
    system = ad.ad.system?.name
    contentType = media?.type
    duration = ad.linear?.duration.map { Double($0) / 1_000 } ?? -1
    width = ad.nonLinearAds?.nonLinears.first?.width
    height = ad.nonLinearAds?.nonLinears.first?.height
    mediaWidth = media?.width
    mediaHeight = media?.height
    mediaBitrate = media?.bitrate
    isLinear = ad.isLinear
    let skipTime = ad.linear.flatMap(AdProgress.skipTime)
    isSkippable = skipTime != nil
    skipOffset = skipTime.map { Double($0) / 1_000 } ?? -1
    podInfo = current.pod
    adParameters = ad.linear?.adParameters
    creativeID = ad.creative.id
    creativeAdID = ad.creative.adID
    universalAdIDs = ad.creative.universalAdIDs
    advertiserName = ad.inLine.advertiser?.name
    surveyURL = ad.inLine.survey?.url
    dealID = Self.dealID(in: ad.extensions)
    pricing = ad.pricing
    categories = ad.inLine.categories
    wrapperAdIDs = ad.wrapperAdIDs
    wrapperCreativeIDs = ad.wrapperCreativeIDs
    wrapperSystems = ad.wrapperSystems
    companions = ad.companionAds.flatMap(\.companions)
    extensions = ad.extensions
  }

  private static func dealID(in extensions: [VAST.Extension]) -> String? {
    for item in extensions {
      for element in [item.element] + item.element.children where element.name.lowercased() == "dealid" {
        if !element.text.isEmpty { return element.text }
      }
    }
    return nil
  }
}
