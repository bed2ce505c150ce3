/// What a resolution may do, from the settings, the request and the break it is for.
struct ResolutionPolicy: Sendable, Hashable {
  /// How many wrappers may stand above an ad (VA-411).
  var redirectLimit = 5
  var wrapperPods = AdsSettings.WrapperPods.firstAd
  var maxConcurrentFetches = 4
  var allowNonLinear = true
  var adType = VAST.Ad.Kind.video
  var requireCategories = false
  var blockedCategories: [String] = []
  /// Whether several ads of the first document may play (VA-506).
  var allowsMultipleAds = true
  /// Whether wrappers of the first document are followed (VA-506).
  var followsRedirects = true

  init() {}

  init(settings: AdsSettings, request: RequestFacts, source: VMAP.AdSource? = nil) {
    redirectLimit = settings.redirectLimit
    wrapperPods = settings.wrapperPods
    maxConcurrentFetches = max(1, settings.maxConcurrentFetches)
    allowNonLinear = request.allowNonLinear && settings.features["nonLinear"] ?? true
    adType = request.adType
    requireCategories = request.requireCategories
    blockedCategories = request.blockedCategories
    allowsMultipleAds = source?.allowsMultipleAds ?? true
    followsRedirects = source?.followsRedirects ?? true
  }
}
