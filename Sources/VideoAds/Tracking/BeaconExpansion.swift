import Hits

/// Makes the request that a beacon owes: its macros expanded, its URL legal (VA-800, VA-807, VA-808).
struct BeaconExpansion: Sendable {
  /// What becomes of a beacon.
  enum Outcome: Sendable, Hashable {
    case hit(HitBuilder)
    /// It is never sent; the diagnostic is `tracking.refused`.
    case refused(AdURL.Refusal)
  }

  /// What macros tell now; the content's position in it is frozen while ads play (VA-814).
  var facts: MacroFacts
  /// The ad that the beacon is about; nil for a break's or a document's.
  var ad: ResolvedAd?
  /// The media file that plays, as in the document.
  var mediaURL: String?

  /// Expands a beacon; its purposes are empty, for an ad's beacons go out in every consent state.
  func expand(_ beacon: Beacon, random: some RandomSource) -> Outcome {
    do { return .hit(Self.hit(try Self.url(of: beacon, random: random) { self })) } catch { return .refused(error) }
  }

  /// The URL that a beacon owes; what macros tell is asked for only where there may be one.
  static func url(
    of beacon: Beacon, random: some RandomSource, _ expansion: () -> BeaconExpansion
  ) throws(AdURL.Refusal) -> AdURL {
    // A tracker stands in no document of its own: what is relative in it has no meaning.
    try AdURL(beacon.url, base: nil) { template in
      guard MacroExpansion.mayChange(template) else { return template }
      return MacroExpansion(expansion().facts(at: beacon), scope: beacon.scope, random: random).expand(template)
    }
  }

  static func hit(_ url: AdURL) -> HitBuilder { HitBuilder.beacon(url.text).requiring([]) }

  private func facts(at beacon: Beacon) -> MacroFacts {
    var facts = facts
    facts.ad = ad.map { adFacts(of: $0, at: beacon) }
    return facts
  }

  private func adFacts(of ad: ResolvedAd, at beacon: Beacon) -> MacroFacts.Ad {
    var own = facts.ad ?? MacroFacts.Ad()
    own.kind = ad.ad.kind ?? .video
    own.universalIDs = ad.creative.universalAdIDs
    own.servingID = ad.inLine.servingID
    own.podSequence = ad.sequence
    own.assetURL = mediaURL
    own.position = beacon.adPosition
    own.isSkippable = ad.linear?.skipOffset != nil
    return own
  }
}
