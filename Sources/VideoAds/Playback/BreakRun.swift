/// The break that plays: its ads, where it stands, and what was sent for them.
struct BreakRun: Sendable {
  let item: AdSchedule.Break
  private(set) var ads: [BreakResolution.Found]
  /// The ads that stand by and were not tried.
  var spares: ArraySlice<(source: Int, ad: SpareAd)>
  /// The ad that plays or is to play next.
  private(set) var index = 0
  /// How many ads count, and how many of them come before that one; bumpers do not (VA-508).
  private(set) var counted: Int
  private(set) var countedBefore = 0
  /// Whether an ad of the break was seen.
  var hasShown = false
  /// Whether content was asked to stop for it.
  var hasBegun = false
  /// The source of the ad that was begun last.
  var entered: Int?
  /// The sources whose start was tracked, and whose end.
  var begun: Set<Int> = []
  var ended: Set<Int> = []
  /// Resolves the ad that stands by for the current place.
  var spareResolver: (resolver: ChainResolver, source: Int)?
  var current = AdRun()
  var prepared: PreparedAd?

  init(_ item: AdSchedule.Break, ads: [BreakResolution.Found], spares: [(source: Int, ad: SpareAd)]) {
    self.item = item
    self.ads = ads
    self.spares = spares[...]
    counted = ads.count { !$0.isBumper }
  }

  /// Goes on to an ad behind the current one.
  mutating func move(to index: Int) {
    countedBefore += ads[self.index..<index].count { !$0.isBumper }
    self.index = index
    current = AdRun()
  }

  /// Puts another ad in the current one's place.
  mutating func replace(by ad: BreakResolution.Found) {
    if ads[index].isBumper { counted += 1 }
    ads[index] = ad
    current = AdRun()
  }

  var id: BreakSource.ID { item.id }
  var found: BreakResolution.Found? { ads.indices.contains(index) ? ads[index] : nil }
  var ad: ResolvedAd? { found?.ad }
  var source: Int? { found?.source }
  /// The ad's trackers that wait for an event and not for a time, by their places; made once an ad.
  mutating func untimedTrackings() -> [Int] {
    if let known = current.untimed { return known }
    let trackings = trackings
    let untimed = trackings.indices.filter { trackings[$0].offset == nil }
    current.untimed = untimed
    return untimed
  }

  /// The trackers of the ad's media, or of its overlays.
  var trackings: [VAST.Tracking] { found?.ad.linear?.tracking ?? found?.ad.nonLinearAds?.tracking ?? [] }
}

/// The ad that plays.
struct AdRun: Sendable {
  /// What was sent and is never sent again.
  struct Sent: Sendable, Hashable {
    var event: String
    var url: String

    // URLs differ nearly always.
    func hash(into hasher: inout Hasher) { hasher.combine(url) }
  }

  var token: AdPlayerToken?
  /// Its place among the ads of its break; nil before it is announced.
  var pod: AdPodInfo?
  var progress: AdProgress?
  /// The files still to be tried, best first.
  var files: [VAST.MediaFile] = []
  var attempts = 0
  /// The code of the first file that failed (VA-603).
  var firstCode: VASTErrorCode?
  var isAudio = false
  var hasFrame = false
  /// Whether sound came without a picture (VA-777).
  var heardSound = false
  var isBuffering = false
  /// When it last went on, or was last given time to (VA-761).
  var movedAt: Int64 = 0
  var isLoadedEmitted = false
  var isDurationChecked = false
  var isWaitingForContainer = false
  var isLeft = false
  var sent: Set<Sent> = []
  var untimed: [Int]?
  var viewability = Viewability()
  var companions = CompanionFit.Result()
  /// The icons that can be shown, and those that were.
  var icons: [VAST.Icon] = []
  var seenIcons: Set<Int> = []
  /// The icon whose fallback image is shown.
  var fallbackIcon: Int?
  /// The overlay ad that is shown, and whether it may be closed.
  var nonLinear: VAST.NonLinear?
  var canCloseOverlay = false
  var lastClick: Int64?
  /// The verifications of the scripts that run; nil without a page.
  var scriptOwners: [Int]?
  /// What the scripts were last told of the ad's visibility.
  var geometry: AdGeometry?
}

/// An ad whose media is made ready before it is to play (VA-610).
struct PreparedAd: Sendable {
  let index: Int
  let token: AdPlayerToken
  let file: VAST.MediaFile
  let files: [VAST.MediaFile]
  /// When it began.
  let since: Int64
  var isReady = false
  var duration: Int64?
  /// Kept until the ad would start (VA-611).
  var failure: PlayerFailure?

  /// The longest time that prepared media waits (VA-612).
  static let lifetime: Int64 = 300_000
}
