import Hits

extension EngineRendering {
  /// Makes it of what the app sets and the ports can do.
  @MainActor
  init(
    _ settings: AdsRenderingSettings, context: RequestContext, capabilities: AdPlayerCapabilities,
    loadVideoTimeout: Double?, prefetchSpread: Double
  ) {
    let container = context.container
    self.init(
      selection: MediaSelection(
        capabilities: capabilities, allowedTypes: settings.mimeTypes, bitrate: settings.bitrate,
        container: container?.size, adType: context.request.adType))
    loadTimeout = AdsRenderingSettings.milliseconds(
      loadVideoTimeout ?? settings.loadVideoTimeout, default: 8, in: 0.5...60)
    stallTimeout = AdsRenderingSettings.milliseconds(settings.stallTimeout, default: 10, in: 1...60)
    prefetchLead =
      settings.prefetchLead == 0
      ? 0 : AdsRenderingSettings.milliseconds(settings.prefetchLead, default: 8, in: 0...60)
    lateStart = RequestContext.milliseconds(settings.lateStart) ?? 5_000
    playAdsAfter = settings.playAdsAfterTime.flatMap(RequestContext.milliseconds)
    seekPolicy = settings.seekPolicy
    preloads = settings.enablePreloading
    slots = capabilities.slots
    clickArea = settings.clickArea
    uiElements = settings.uiElements
    texts = settings.texts ?? OverlayTexts(language: context.settings.language)
    companionSlots = (container?.companionSlots ?? []).enumerated().map {
      CompanionFit.Slot(index: $0.offset, id: $0.element.id, size: $0.element.size)
    }
    let able = container?.capabilities ?? AdDisplayContainer.Capabilities()
    resources = able.resources
    canSkip = able.skip
    hasBrowser = able.browser
    hasVerificationHost = context.environment.verification != nil
    let tcf = context.environment.privacy.signals.tcf
    allowsVerification = tcf.map { !$0.gdprApplies || $0.purposes.contains(7) } ?? true
    self.prefetchSpread = RequestContext.milliseconds(prefetchSpread) ?? 0
    seed = context.environment.random.next()
  }
}
