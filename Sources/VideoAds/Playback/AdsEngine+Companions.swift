/// A companion that a slot shows, and whose it is.
struct FilledSlot: Sendable {
  let companion: VAST.Companion
  let breakID: BreakSource.ID
  let adIndex: Int
  var isSeen = false
}

/// Companions in the slots of the app (VA-860 to VA-864).
extension AdsEngine {
  private static let companionTimeout: Int64 = 8_000

  mutating func fitCompanions(of ad: ResolvedAd) {
    guard EngineRendering.has("companions", settings) else { return }
    let fit = CompanionFit(slots: rendering.companionSlots, renderable: rendering.resources)
    run?.current.companions = fit.fit(ad.companionAds)
  }

  /// Fills the slots at the ad's impression; an ad without companions leaves them as they are.
  mutating func showCompanions() {
    guard let current = run?.current, run?.ad?.companionAds.isEmpty == false else { return }
    if let code = current.companions.code { sendErrors(code) }
    for slot in rendering.companionSlots {
      let companion = current.companions.companions[slot.index]
      if companion?.renderingMode == .endCard { continue }
      fill(slot.index, companion)
    }
  }

  mutating func showEndCards() {
    guard let companions = run?.current.companions.companions, !companions.isEmpty else { return }
    for slot in rendering.companionSlots {
      if let companion = companions[slot.index], companion.renderingMode == .endCard { fill(slot.index, companion) }
    }
  }

  mutating func emptyCompanionSlots() {
    filledSlots = [:]
    for slot in rendering.companionSlots { act(.companion(slot.index, nil)) }
  }

  private mutating func fill(_ slot: Int, _ companion: VAST.Companion?) {
    filledSlots[slot] = companion.flatMap { companion in
      run.map { FilledSlot(companion: companion, breakID: $0.id, adIndex: $0.index) }
    }
    act(.companion(slot, companion))
    if companion != nil { act(.setTimer(.companion(slot), Self.companionTimeout)) }
  }

  mutating func companion(_ slot: Int, _ report: CompanionReport) {
    guard let filled = filledSlots[slot] else { return }
    let companion = filled.companion
    switch report {
    case .shown:
      act(.clearTimer(.companion(slot)))
      guard !filled.isSeen else { return }
      filledSlots[slot]?.isSeen = true
      send(companion.tracking.filter { $0.event == .creativeView }.map(\.url), "companionView \(slot)", of: filled)
    case .failed:
      act(.clearTimer(.companion(slot)))
      filledSlots[slot] = nil
      act(.companion(slot, nil))
      if run?.id == filled.breakID, run?.index == filled.adIndex { sendErrors(.companionUnavailable) }
    case .clicked:
      send(companion.clickTrackings.map(\.url), "companionClick", scope: .clickTracking, of: filled)
      guard let through = companion.clickThrough?.url else { return }
      if ClickTarget(settings).allows(through), rendering.hasBrowser {
        act(.openLink(through))
      } else if state != .done {
        emit(.log, message: "A companion's click leads nowhere: its URL is not opened.")
      }
    }
  }

  /// Sends each URL once, whether or not the ad of the slot is still the current one.
  private mutating func send(
    _ urls: [String], _ event: String, scope: MacroScope = .tracking, of filled: FilledSlot
  ) {
    var seen: Set<String> = []
    for url in urls where seen.insert(url).inserted {
      act(.beacon(Beacon(url: url, event: event, scope: scope, breakID: filled.breakID, adIndex: filled.adIndex)))
    }
  }
}
