/// The names of elements and attributes that mean something in VAST and VMAP, as they are spelled there (VA-308, VA-309).
enum DocumentName: String, CaseIterable, Sendable {
  // Roots and structure
  case vast = "VAST"
  case vmap = "VMAP"
  case videoAdServingTemplate = "VideoAdServingTemplate"
  case ad = "Ad"
  case inLine = "InLine"
  case wrapper = "Wrapper"
  case creatives = "Creatives"
  case creative = "Creative"
  case extensions = "Extensions"
  case `extension` = "Extension"
  case creativeExtensions = "CreativeExtensions"
  case creativeExtension = "CreativeExtension"

  // An ad
  case adSystem = "AdSystem"
  case adTitle = "AdTitle"
  case adServingID = "AdServingId"
  case description = "Description"
  case advertiser = "Advertiser"
  case category = "Category"
  case survey = "Survey"
  case pricing = "Pricing"
  case expires = "Expires"
  case impression = "Impression"
  case error = "Error"
  case viewableImpression = "ViewableImpression"
  case viewable = "Viewable"
  case notViewable = "NotViewable"
  case viewUndetermined = "ViewUndetermined"
  case adVerifications = "AdVerifications"
  case verification = "Verification"
  case javaScriptResource = "JavaScriptResource"
  case executableResource = "ExecutableResource"
  case verificationParameters = "VerificationParameters"
  case vastAdTagURI = "VASTAdTagURI"
  case vastAdTagURL = "VASTAdTagURL"
  case url = "URL"
  case blockedAdCategories = "BlockedAdCategories"

  // A creative
  case universalAdID = "UniversalAdId"
  case linear = "Linear"
  case nonLinearAds = "NonLinearAds"
  case nonLinear = "NonLinear"
  case companionAds = "CompanionAds"
  case companion = "Companion"
  case duration = "Duration"
  case mediaFiles = "MediaFiles"
  case mediaFile = "MediaFile"
  case mezzanine = "Mezzanine"
  case interactiveCreativeFile = "InteractiveCreativeFile"
  case closedCaptionFiles = "ClosedCaptionFiles"
  case closedCaptionFile = "ClosedCaptionFile"
  case adParameters = "AdParameters"
  case trackingEvents = "TrackingEvents"
  case tracking = "Tracking"
  case videoClicks = "VideoClicks"
  case clickThrough = "ClickThrough"
  case clickTracking = "ClickTracking"
  case customClick = "CustomClick"
  case icons = "Icons"
  case icon = "Icon"
  case iconViewTracking = "IconViewTracking"
  case iconClicks = "IconClicks"
  case iconClickThrough = "IconClickThrough"
  case iconClickTracking = "IconClickTracking"
  case iconClickFallbackImages = "IconClickFallbackImages"
  case iconClickFallbackImage = "IconClickFallbackImage"
  case altText = "AltText"
  case staticResource = "StaticResource"
  case iFrameResource = "IFrameResource"
  case htmlResource = "HTMLResource"
  case nonLinearClickThrough = "NonLinearClickThrough"
  case nonLinearClickTracking = "NonLinearClickTracking"
  case companionClickThrough = "CompanionClickThrough"
  case companionClickTracking = "CompanionClickTracking"

  // A playlist
  case adBreak = "AdBreak"
  case adSource = "AdSource"
  case vastAdData = "VASTAdData"
  case vastData = "VASTData"
  case adTagURI = "AdTagURI"
  case customAdData = "CustomAdData"

  // Attributes
  case adID = "adId"
  case adSlotID = "adSlotId"
  case adType
  case allowMultipleAds
  case apiFramework
  case assetHeight
  case assetWidth
  case authority
  case bitrate
  case breakID = "breakId"
  case breakType
  case browserOptional
  case codec
  case conditionalAd
  case creativeID = "creativeId"
  case creativeType
  case currency
  case delivery
  case event
  case expandedHeight
  case expandedWidth
  case fallbackOnNoAd
  case fileSize
  case followAdditionalWrappers
  case followRedirects
  case height
  case hoverText
  case id
  case idRegistry
  case idValue
  case language
  case maintainAspectRatio
  case maxBitrate
  case mediaFileID = "mediaFileId"
  case mediaType
  case minBitrate
  case minSuggestedDuration
  case model
  case name
  case offset
  case program
  case pxratio
  case regs
  case renderingMode
  case repeatAfter
  case required
  case scalable
  case sequence
  case skipOffset = "skipoffset"
  case suppressBumper = "suppress_bumper"
  case templateType
  case timeOffset
  case type
  case variableDuration
  case vendor
  case version
  case width
  case xPosition
  case xmlEncoded
  case yPosition

  private static let table = NameTable(allCases.map { ($0.rawValue, $0) })

  /// The name in a part of a document's bytes, compared without ASCII case.
  static func find(_ range: Range<Int>, in bytes: [UInt8]) -> DocumentName? { table.value(of: range, in: bytes) }
}

extension DocumentName {
  /// Whether a new element of this name ends an open one: the end tag between them is missing (VA-322).
  var isBoundary: Bool { self == .ad || self == .adBreak }

  /// Whether damage inside an element of this name costs that element alone (VA-322).
  var isOpaque: Bool { self == .extension || self == .creativeExtension || self == .htmlResource }

  /// Whether paths number the elements of this name.
  var isNumbered: Bool { isBoundary || self == .creative }
}
