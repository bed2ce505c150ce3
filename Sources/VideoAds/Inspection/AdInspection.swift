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
  }

  package struct InspectedAd: Sendable {
    package var resolved: ResolvedAd
    /// From 1.
    package var position: Int
    package var media: [Media]
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
  /// Whether the first document could not be had for want of a network.
  package var isUnreachable = false
  fileprivate var expansion: BeaconExpansion?
  fileprivate var random: any RandomSource

  init(_ kind: Kind, transactionID: String, random: any RandomSource) {
    self.kind = kind
    self.transactionID = transactionID
    self.random = random
  }

  /// Whether an ad could play.
  package var hasAds: Bool { breaks.contains { !$0.ads.isEmpty } }

  /// A tracker's URL as it would be sent, or as it is written when expanding was not asked for.
  package func text(of url: String, scope: InspectionScope = .tracking, for ad: ResolvedAd? = nil) -> String {
    guard var expansion else { return url }
    expansion.ad = ad
    let scope: MacroScope =
      switch scope {
      case .tracking: .tracking
      case .click: .clickTracking
      case .error(let code): .error(code)
      }
    guard case .hit(let hit) = expansion.expand(Beacon(url: url, event: "", scope: scope), random: random) else {
      return url
    }
    return hit.get("url") ?? url
  }

  mutating func expand(with facts: MacroFacts) { expansion = BeaconExpansion(facts: facts) }
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
