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

  private mutating func fill(_ slot: Int, _ companion: VAST.Companion?) {
    act(.companion(slot, companion))
    if companion != nil { act(.setTimer(.companion(slot), Self.companionTimeout)) }
  }

  mutating func companion(_ slot: Int, _ report: CompanionReport) {
    guard let companion = run?.current.companions.companions[slot] else { return }
    switch report {
    case .shown:
      act(.clearTimer(.companion(slot)))
      for tracking in companion.tracking where tracking.event == .creativeView {
        sendOnce(tracking.url, event: "companionView \(slot)")
      }
    case .failed:
      act(.clearTimer(.companion(slot)))
      act(.companion(slot, nil))
      sendErrors(.companionUnavailable)
    case .clicked:
      var seen: Set<String> = []
      for link in companion.clickTrackings where seen.insert(link.url).inserted {
        send(link.url, event: "companionClick", scope: .clickTracking)
      }
      guard let through = companion.clickThrough?.url else { return }
      if ClickTarget(settings).allows(through), rendering.hasBrowser {
        act(.openLink(through))
      } else {
        emit(.log, message: "A companion's click leads nowhere: its URL is not opened.")
      }
    }
  }
}
