/// How an engine's ads are played: what the app sets, and what player, container and other ports can do.
///
/// Times are milliseconds.
struct EngineRendering: Sendable {
  var loadTimeout: Int64 = 8_000
  var stallTimeout: Int64 = 10_000
  var prefetchLead: Int64 = 8_000
  /// Each break's documents are asked for by up to that much earlier, so that not all viewers of a live stream ask at
  /// once (VA-103).
  var prefetchSpread: Int64 = 0
  /// Decides the part of the spread.
  var seed: UInt64 = 0
  var lateStart: Int64 = 5_000
  var playAdsAfter: Int64?
  var seekPolicy = SeekPolicy.lastBreak
  var preloads = true
  /// How many media the player holds.
  var slots = 1
  var clickArea = ClickArea.full
  var uiElements: Set<AdUIElement>?
  var texts = OverlayTexts(language: "en")
  var companionSlots: [CompanionFit.Slot] = []
  var resources = RenderableResources()
  /// Whether the container has a control for skipping.
  var canSkip = true
  /// Whether a page can be opened.
  var hasBrowser = true
  var hasVerificationHost = false
  /// Whether the person's choices allow verification (VA-1205).
  var allowsVerification = true
  var selection: MediaSelection

  /// Whether a feature is on (VA-106).
  static func has(_ feature: String, _ settings: AdsSettings) -> Bool { settings.features[feature] ?? true }

  /// The longest time before its own at which the documents of a break are asked for.
  var longestLead: Int64 { prefetchLead + max(0, prefetchSpread) }

  /// When the documents of a break are asked for, before its time.
  func lead(of id: BreakSource.ID) -> Int64 {
    guard prefetchSpread > 0 else { return prefetchLead }
    var bits = seed &+ UInt64(truncatingIfNeeded: id.index &* 1_000 &+ id.repetition) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return prefetchLead + Int64(bits >> 33) % (prefetchSpread + 1)
  }
}
