/// The macros of vast-macros.tsv, by the names they have in URLs.
enum MacroName: String, CaseIterable, Sendable {
  case timestamp = "TIMESTAMP"
  case cacheBusting = "CACHEBUSTING"
  case contentPlayhead = "CONTENTPLAYHEAD"
  case mediaPlayhead = "MEDIAPLAYHEAD"
  case breakPosition = "BREAKPOSITION"
  case blockedAdCategories = "BLOCKEDADCATEGORIES"
  case adCategories = "ADCATEGORIES"
  case adCount = "ADCOUNT"
  case transactionID = "TRANSACTIONID"
  case placementType = "PLACEMENTTYPE"
  case adType = "ADTYPE"
  case universalAdID = "UNIVERSALADID"
  case breakMaxDuration = "BREAKMAXDURATION"
  case breakMaxAds = "BREAKMAXADS"
  case breakMinAdLength = "BREAKMINADLENGTH"
  case breakMaxAdLength = "BREAKMAXADLENGTH"
  case ifa = "IFA"
  case ifaType = "IFATYPE"
  case clientUA = "CLIENTUA"
  case serverUA = "SERVERUA"
  case deviceUA = "DEVICEUA"
  case serverSide = "SERVERSIDE"
  case deviceIP = "DEVICEIP"
  case latLong = "LATLONG"
  case domain = "DOMAIN"
  case pageURL = "PAGEURL"
  case appBundle = "APPBUNDLE"
  case vastVersions = "VASTVERSIONS"
  case apiFrameworks = "APIFRAMEWORKS"
  case extensions = "EXTENSIONS"
  case verificationVendors = "VERIFICATIONVENDORS"
  case omidPartner = "OMIDPARTNER"
  case mediaMIME = "MEDIAMIME"
  case playerCapabilities = "PLAYERCAPABILITIES"
  case clickType = "CLICKTYPE"
  case playerState = "PLAYERSTATE"
  case inventoryState = "INVENTORYSTATE"
  case playerSize = "PLAYERSIZE"
  case adPlayhead = "ADPLAYHEAD"
  case assetURI = "ASSETURI"
  case contentID = "CONTENTID"
  case contentURI = "CONTENTURI"
  case podSequence = "PODSEQUENCE"
  case adServingID = "ADSERVINGID"
  case clickPosition = "CLICKPOS"
  case errorCode = "ERRORCODE"
  case reason = "REASON"
  case limitAdTracking = "LIMITADTRACKING"
  case regulations = "REGULATIONS"
  case gdprConsent = "GDPRCONSENT"
  case storeID = "STOREID"
  case storeURL = "STOREURL"
  case playbackMethods = "PLAYBACKMETHODS"
  case contentCategories = "CONTENTCAT"
  case gppString = "GPPSTRING"
  case gppSectionID = "GPPSECTIONID"
  case dsaRequired = "DSAREQUIRED"
  case dsaParameters = "DSAPARAMS"
  case dsaPublisherRenders = "DSAPUBRENDER"
  case cacheBuster = "CACHEBUSTER"
  case randomUpperCase = "RANDOM"
  case random
  case milliseconds = "timestamp"
  case playlistErrorCode = "ERROR_CODE"
  case playlistErrorMessage = "ERROR_MSG"

  /// Whether the macro has a value in requests only.
  var isRequestOnly: Bool {
    switch self {
    case .blockedAdCategories, .adCategories, .vastVersions, .apiFrameworks, .extensions, .verificationVendors,
      .mediaMIME, .contentCategories, .dsaRequired, .dsaParameters, .dsaPublisherRenders:
      true
    default: false
    }
  }

  /// Whether the macro has a value with a playing ad only.
  var isTrackingOnly: Bool {
    switch self {
    case .universalAdID, .playerState, .adPlayhead, .assetURI, .podSequence, .adServingID, .clickPosition: true
    default: false
    }
  }
}
