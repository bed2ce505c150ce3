import Hits

/// Taps, and what they lead to (VA-850 to VA-862).
extension AdsEngine {
  private static let doubleClickTime: Int64 = 500

  mutating func tap(_ target: OverlayTarget, at point: AdPoint?) {
    guard let current = run?.current, current.hasFrame, overlay.targets.contains(target) else { return }
    switch target {
    case .ad: rendering.clickArea == .full && state != .overlay ? clickAd(at: point) : emit(.tapped)
    case .clickThrough: clickAd(at: point)
    case .skip: skip()
    case .icon(let index): tapIcon(index)
    case .closeFallback: closeFallback()
    case .overlay: clickOverlay(at: point)
    case .closeOverlay: if current.canCloseOverlay { endOverlayAd(isClosed: true) }
    }
  }

  private mutating func clickAd(at point: AdPoint?) {
    guard let linear = run?.ad?.linear, let through = linear.clickThrough else { return emit(.tapped) }
    guard isFreshClick() else { return }
    click(linear.clickTrackings, through: through.url, at: point)
  }

  private mutating func clickOverlay(at point: AdPoint?) {
    guard let nonLinear = run?.current.nonLinear, isFreshClick() else { return }
    click(nonLinear.clickTrackings, through: nonLinear.clickThrough?.url, at: point)
  }

  private mutating func click(_ trackings: [VAST.Link], through: String?, at point: AdPoint?) {
    sendClicks(trackings.map(\.url), event: "click", at: point)
    emit(.clicked)
    verify("adUserInteraction", ["interactionType": "click"])
    if let through { open(through) }
  }

  /// Whether a click is not the second half of a double one.
  private mutating func isFreshClick() -> Bool {
    if let last = run?.current.lastClick, now - last < Self.doubleClickTime { return false }
    run?.current.lastClick = now
    return true
  }

  private mutating func open(_ url: String) {
    guard ClickTarget(settings).allows(url), rendering.hasBrowser else {
      return emit(.log, message: "A click leads nowhere: its URL is not opened.")
    }
    act(.openLink(url))
  }

  private mutating func sendClicks(_ urls: [String], event: String, at point: AdPoint? = nil) {
    var seen: Set<String> = []
    for url in urls where seen.insert(url).inserted { send(url, event: event, scope: .clickTracking, at: point) }
  }

  mutating func customClick(_ id: String?) {
    guard run?.current.hasFrame == true, let clicks = run?.ad?.linear?.customClicks else { return }
    sendClicks(clicks.filter { id == nil || $0.id == id }.map(\.url), event: "customClick")
  }
}

/// Icons over the media (VA-855, VA-856).
extension AdsEngine {
  mutating func collectIcons() {
    guard EngineRendering.has("icons", settings), let icons = run?.ad?.linear?.icons else { return }
    run?.current.icons = icons.filter { rendering.resources.best(of: $0.resources) != nil }
    showDueIcons()
  }

  /// The icons at the ad's position, by their places.
  var dueIcons: [Int] {
    guard let current = run?.current, !current.icons.isEmpty else { return [] }
    let position = current.progress?.position ?? 0
    return current.icons.indices.filter { index in
      let start = current.icons[index].offset ?? 0
      guard start <= position else { return false }
      return current.icons[index].duration.map { position < start &+ $0 } ?? true
    }
  }

  mutating func showDueIcons() {
    for index in dueIcons where run?.current.seenIcons.insert(index).inserted == true {
      for url in run?.current.icons[index].viewTrackings ?? [] { sendOnce(url, event: "iconView \(index)") }
    }
  }

  private mutating func tapIcon(_ index: Int) {
    guard dueIcons.contains(index), let icon = run?.current.icons[index] else { return }
    sendClicks(icon.clickTrackings.map(\.url), event: "iconClick")
    emit(.iconTapped)
    if let through = icon.clickThrough, rendering.hasBrowser {
      open(through)
    } else if icon.fallback(in: container?.size) != nil {
      run?.current.fallbackIcon = index
      pause(for: .iconFallback)
    }
  }

  private mutating func closeFallback() {
    guard run?.current.fallbackIcon != nil else { return }
    run?.current.fallbackIcon = nil
    emit(.iconFallbackImageClosed)
    resume(from: .iconFallback)
  }
}

extension VAST.Icon {
  /// The largest fallback image that fits, else the smallest.
  func fallback(in container: AdSize?) -> VAST.FallbackImage? {
    let images = fallbackImages.filter { RenderableResources().best(of: $0.resource.map { [$0] } ?? []) != nil }
    let area = { (image: VAST.FallbackImage) in Double(image.width ?? 0) * Double(image.height ?? 0) }
    let fitting = images.filter { image in
      guard let container else { return true }
      return Double(image.width ?? 0) <= container.width && Double(image.height ?? 0) <= container.height
    }
    return fitting.max { area($0) < area($1) } ?? images.min { area($0) < area($1) }
  }
}
