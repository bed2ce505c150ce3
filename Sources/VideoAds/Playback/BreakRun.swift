/// The break that plays: its ads, where it stands, and what was sent for them.
struct BreakRun: Sendable {
  let item: AdSchedule.Break
  var ads: [BreakResolution.Found]
  var spares: [(source: Int, ad: SpareAd)]
  /// The ad that plays or is to play next.
  var index = 0
  /// Whether an ad of the break was seen.
  var hasShown = false
  /// Whether content was asked to stop for it.
  var hasBegun = false
  /// The sources whose start was tracked, and whose end.
  var begun: Set<Int> = []
  var ended: Set<Int> = []
  /// Resolves the ad that stands by for the current place.
  var spareResolver: (resolver: ChainResolver, source: Int)?
  var current = AdRun()

  init(_ item: AdSchedule.Break, ads: [BreakResolution.Found], spares: [(source: Int, ad: SpareAd)]) {
    self.item = item
    self.ads = ads
    self.spares = spares
  }

  var id: BreakSource.ID { item.id }
  var ad: ResolvedAd? { ads.indices.contains(index) ? ads[index].ad : nil }
  var source: Int? { ads.indices.contains(index) ? ads[index].source : nil }
}

/// The ad that plays.
struct AdRun: Sendable {
  var token: PlayerToken?
  var progress: AdProgress?
  /// The files still to be tried, best first.
  var files: [VAST.MediaFile] = []
  var attempts = 0
  /// The code of the first file that failed (VA-603).
  var firstCode: VASTErrorCode?
  var hasFrame = false
  var isBuffering = false
  var isLoadedEmitted = false
  var isDurationChecked = false
  /// What was sent and is never sent again, as event and URL.
  var sent: Set<[String]> = []
}
