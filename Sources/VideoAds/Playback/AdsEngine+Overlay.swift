/// Overlay ads: shown over running content (VA-870, VA-871).
extension AdsEngine {
  private static let leastOverlayTime: Int64 = 10_000

  mutating func showOverlayAd() {
    let choice = OverlayChoice(resources: rendering.resources, container: container?.size)
    switch choice.choose(among: run?.ad?.nonLinearAds?.nonLinears ?? []) {
    case .failure(let code): adFailed(code)
    case .success(let nonLinear):
      run?.current.nonLinear = nonLinear
      run?.current.hasFrame = true
      run?.hasShown = true
      for timer in [EngineTimer.load, .frameless] { act(.clearTimer(timer)) }
      if let id = run?.id { set(.playing, of: id) }
      setAd(.playing)
      enter(.overlay)
      resumeContent()
      emit(.started)
      sendImpression()
      emit(.overlayShown)
      if let ad = run?.ad { fitCompanions(of: ad) }
      showCompanions()
      let least = nonLinear.minSuggestedDuration ?? 0
      act(.setTimer(.overlayAd, max(least, Self.leastOverlayTime)))
      if least > 0 { act(.setTimer(.overlayClose, least)) } else { run?.current.canCloseOverlay = true }
    }
  }

  /// Takes the overlay ad away, when its time is over, it is closed, or a linear break is due.
  mutating func endOverlayAd(isClosed: Bool) {
    act(.clearTimer(.overlayAd))
    act(.clearTimer(.overlayClose))
    if isClosed {
      track(.close)
      emit(.userClosed)
    }
    track(.overlayViewDuration)
    setAd(.played)
    emit(.overlayClosed)
    playNext()
  }
}

/// Chooses among the overlays of an ad: the first with a renderable resource that fits (VA-870).
struct OverlayChoice: Sendable {
  let resources: RenderableResources
  let container: AdSize?

  func choose(among all: [VAST.NonLinear]) -> Result<VAST.NonLinear, VASTErrorCode> {
    let renderable = all.filter { resources.best(of: $0.resources) != nil }
    guard !renderable.isEmpty else { return .failure(.nonLinearUnsupported) }
    return renderable.first(where: fits).map { .success($0) } ?? .failure(.nonLinearDoesNotFit)
  }

  private func fits(_ nonLinear: VAST.NonLinear) -> Bool {
    guard let container, nonLinear.isScalable != true else { return true }
    return Double(nonLinear.width ?? 0) <= container.width && Double(nonLinear.height ?? 0) <= container.height
  }

  /// The size it is shown at: its own, scaled down to the container where it may be.
  func size(of nonLinear: VAST.NonLinear) -> AdSize {
    let own = AdSize(width: Double(nonLinear.width ?? 0), height: Double(nonLinear.height ?? 0))
    guard let container, own.width > 0, own.height > 0 else { return own }
    let scale = min(1, container.width / own.width, container.height / own.height)
    return AdSize(width: own.width * scale, height: own.height * scale)
  }
}
