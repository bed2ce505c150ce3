import Hits

/// What a source comes to: its documents, breaks and ads, and what would be tracked (VA-1501).
package struct AdInspection: Sendable {
  package enum Kind: String, Sendable {
    case vast
    case vmap
    case empty
    case error
  }

  package struct Break: Sendable {
    package var index: Int
    package var id: String?
    package var timeOffset: String?
    /// Seconds, −1 for after content; nil while it is not known.
    package var time: Double?
    package var state: BreakState
    /// Seconds.
    package var repeatAfter: Double?
    package var gam: GAMBreakInfo?
    package var ads: [InspectedAd] = []
    package var spares: [SpareAd] = []

    /// Why its first source has no ad; nil when it has, or when the break is none of a playlist.
    package var failure: VMAPErrorCode?

    /// Whether there is something to play: an ad, or one that stands by.
    package var canPlay: Bool { !spares.isEmpty || ads.contains { $0.failure == nil } }
  }

  package struct InspectedAd: Sendable {
    package var resolved: ResolvedAd
    /// From 1.
    package var position: Int
    package var media: [Media]
    /// Why nothing of it can be shown; nil when something can.
    package var failure: VASTErrorCode?
  }

  package struct Media: Sendable {
    package var file: VAST.MediaFile
    /// kbit/s, where it is known or can be worked out.
    package var bitrate: Double?
    package var isSelected: Bool
    /// Why it is not selected.
    package var reason: String?
  }

  package struct OwedBeacon: Sendable {
    package var event: String
    package var code: Int
    package var url: String
  }

  package var kind: Kind
  package var version: String?
  package var transactionID: String
  package var fetches: [AdFetchRecord] = []
  package var breaks: [Break] = []
  package var beacons: [OwedBeacon] = []
  package var error: AdError?
  package var diagnostics: [AdDiagnostic] = []
  private let expansion: BeaconExpansion
  private let random: any RandomSource
  private let expands: Bool

  init(_ kind: Kind, facts: MacroFacts, random: any RandomSource, expands: Bool) {
    self.kind = kind
    transactionID = facts.request.transactionID
    expansion = BeaconExpansion(facts: facts)
    self.random = random
    self.expands = expands
  }

  /// Whether an ad could play.
  package var hasAds: Bool { breaks.contains(where: \.canPlay) }

  /// A tracker's URL as it would be sent, or as it is written when expanding was not asked for.
  package func text(of url: String, scope: InspectionScope = .tracking, for ad: ResolvedAd? = nil) -> String {
    guard expands else { return url }
    let scope: MacroScope =
      switch scope {
      case .tracking: .tracking
      case .click: .clickTracking
      case .error(let code): .error(code)
      }
    guard case .hit(let hit) = outcome(of: Beacon(url: url, event: "", scope: scope), for: ad) else { return url }
    return hit.get("url") ?? url
  }

  /// Why a tracker is never sent, as the end of a sentence about it; nil when it is (VA-807).
  package func refusal(of url: String, for ad: ResolvedAd? = nil) -> String? {
    let outcome = outcome(of: Beacon(url: url, event: "", scope: .tracking), for: ad)
    return if case .refused(let refusal) = outcome { refusal.reason } else { nil }
  }

  /// What would become of a beacon.
  func outcome(of beacon: Beacon, for ad: ResolvedAd? = nil) -> BeaconExpansion.Outcome {
    var expansion = expansion
    expansion.ad = ad
    return expansion.expand(beacon, random: random)
  }
}

/// What a URL is requested for.
package enum InspectionScope: Sendable {
  case tracking
  case click
  case error(Int)
}

extension SpareAd {
  /// The ad as its document states it.
  package var vastAd: VAST.Ad { ad }
}
