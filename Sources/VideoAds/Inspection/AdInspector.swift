import Hits

/// Follows everything that a source leads to, and plays nothing (VA-1500).
@MainActor
package struct AdInspector {
  private let request: AdsRequest
  private let context: RequestContext
  private let capabilities: AdPlayerCapabilities
  private let expands: Bool

  /// Makes an inspector; it may print trackers as they would be sent, their macros expanded.
  package init(
    _ request: AdsRequest, settings: AdsSettings, environment: AdsEnvironment,
    capabilities: AdPlayerCapabilities = SimulatedPlayer.everything, expands: Bool = false
  ) {
    self.request = request
    self.capabilities = capabilities
    self.expands = expands
    context = RequestContext(settings: settings, environment: environment, request: request)
    context.mimeTypes = capabilities.mimeTypes
  }

  package func inspect() async -> AdInspection {
    var inspection = blank
    await inspectFirst(&inspection)
    inspection.fetches = context.documents.records
    inspection.diagnostics += context.documents.diagnostics
    return inspection
  }

  /// The inspection of a source that could not be had at all.
  package func failed(_ error: AdError) -> AdInspection {
    var inspection = blank
    inspection.error = error
    return inspection
  }

  private var blank: AdInspection {
    AdInspection(.error, facts: context.facts(), random: context.environment.random, expands: expands)
  }

  private func inspectFirst(_ inspection: inout AdInspection) async {
    switch request.source {
    case .schedule(let schedule): await inspect(schedule, baseURL: nil, &inspection)
    case .response(let text, let baseURL): await inspect(AdFetcher.document(text: text, url: baseURL), &inspection)
    case .document(let body, let baseURL): await inspect(AdFetcher.document(body, url: baseURL), &inspection)
    case .adTag(let url): await inspect(await context.fetch(AdFetch(url: url, base: nil, role: .first)), &inspection)
    }
  }

  private func inspect(_ outcome: FetchOutcome, _ inspection: inout AdInspection) async {
    switch outcome {
    case .document(let result, let url): await inspect(result, url: url, &inspection)
    case .empty:
      inspection.kind = .empty
      inspection.error = AdError(.loading, VASTErrorCode.noAds.errorCode, "There is no ad.", vastCode: .noAds)
    case .failed(let failure): inspection.error = failure.firstError(url: request.adTag)
    }
  }

  private func inspect(_ result: VASTReadResult, url: String?, _ inspection: inout AdInspection) async {
    inspection.diagnostics = result.diagnostics
    switch result.content {
    case .vmap(let playlist):
      inspection.kind = .vmap
      inspection.version = playlist.version
      await inspect(AdSchedule(playlist), baseURL: url, &inspection)
    case .playlistFailure(let failure):
      inspection.error = AdError(
        .loading, .playlistMalformed, "The playlist cannot be read.", vmapCode: failure.code)
    case .failure(let failure):
      inspection.error = AdError(
        .loading, failure.code.errorCode, "The document cannot be used.", vastCode: failure.code)
      owe(failure.errors.map { ErrorBeacon(code: failure.code, url: $0) }, &inspection)
    case .vast(let document):
      inspection.kind = document.ads.isEmpty ? .empty : .vast
      inspection.version = document.version
      let run = ChainRun(clock: context.environment.clock) { await context.fetch($0) }
      let policy = ResolutionPolicy(settings: context.settings, request: context.request)
      let response = await run.resolve(policy) { $0.start(document, url: url, adTag: request.adTag) }
      guard let response else { return }
      inspection.diagnostics += response.diagnostics
      owe(response.errors, &inspection)
      var item = AdInspection.Break(index: 0, time: 0, state: .available, spares: response.spares)
      item.ads = inspected(response.ads, &inspection)
      if !item.canPlay { item.state = .failed }
      inspection.breaks = [item]
      guard let code = response.failure ?? (item.canPlay ? nil : item.ads.first?.failure) else { return }
      inspection.error = AdError(.loading, code.errorCode, "There is no ad to play.", vastCode: code)
    }
  }

  private func owe(_ errors: [ErrorBeacon], _ inspection: inout AdInspection) {
    for error in errors { owe(error.url, .error(error.code.rawValue), adID: error.adID, &inspection) }
  }

  /// Owes a code to a URL, or says that the URL is refused (VA-807).
  private func owe(
    _ url: String, _ scope: MacroScope, adID: String? = nil, breakID: String? = nil, _ inspection: inout AdInspection
  ) {
    let beacon = Beacon(url: url, event: "error", scope: scope)
    switch inspection.outcome(of: beacon) {
    case .hit(let hit):
      inspection.beacons.append(
        AdInspection.OwedBeacon(
          event: beacon.event, code: beacon.code ?? 0, url: expands ? hit.get("url") ?? url : url))
    case .refused(let refusal):
      let diagnostic = AdDiagnostic.refused(beacon.event, refusal, adID: adID, breakID: breakID)
      // The resolution may have told it already, with the ad's place.
      let isTold = inspection.diagnostics.contains { $0.adID == adID && $0.message == diagnostic.message }
      if !isTold { inspection.diagnostics.append(diagnostic) }
    }
  }

  private func inspected(_ ads: [ResolvedAd], _ inspection: inout AdInspection) -> [AdInspection.InspectedAd] {
    let selection = MediaSelection(capabilities: capabilities, adType: context.request.adType)
    return ads.enumerated().map { index, ad in
      inspection.diagnostics += overlong(of: ad, inspection)
      let choices = ad.linear.map { selection.choices(of: $0) } ?? []
      let failure = failure(of: ad, selection)
      if let failure {
        inspection.diagnostics.append(.failed(failure, ad.ad))
        owe(ad.errors.map { ErrorBeacon(code: failure, url: $0, adID: ad.ad.id) }, &inspection)
      }
      let media = choices.enumerated().map { place, choice in
        let isSelected = place == 0 && choice.objection == nil
        return AdInspection.Media(
          file: choice.file, bitrate: MediaSelection.bitrate(of: choice.file, duration: ad.linear?.duration),
          isSelected: isSelected, reason: isSelected ? nil : choice.objection ?? "another fits better")
      }
      return AdInspection.InspectedAd(resolved: ad, position: index + 1, media: media, failure: failure)
    }
  }

  /// The trackers that their macros make too long; the others that are refused the resolution has told of.
  private func overlong(of ad: ResolvedAd, _ inspection: AdInspection) -> [AdDiagnostic] {
    ad.refusals { tracker in
      let beacon = Beacon(url: tracker.url, event: tracker.event, scope: tracker.scope)
      guard AdURL.refusal(of: tracker.url) == nil, case .refused(let refusal) = inspection.outcome(of: beacon, for: ad)
      else { return nil }
      return refusal
    }
  }

  /// Why nothing of an ad can be shown (VA-600, VA-870).
  private func failure(of ad: ResolvedAd, _ selection: MediaSelection) -> VASTErrorCode? {
    if let linear = ad.linear {
      let candidates = selection.candidates(of: linear, isConditional: ad.ad.isConditional)
      return if case .failure(let code) = candidates { code } else { nil }
    }
    let choice = OverlayChoice(resources: RenderableResources(), container: nil)
    return if case .failure(let code) = choice.choose(among: ad.nonLinearAds?.nonLinears ?? []) { code } else { nil }
  }
}

/// Breaks, one after another, each with all its sources at once.
extension AdInspector {
  private func inspect(_ schedule: AdSchedule, baseURL: String?, _ inspection: inout AdInspection) async {
    inspection.kind = .vmap
    var schedule = schedule
    if let content = request.content {
      let opportunities = content.breakOpportunities.compactMap(RequestContext.milliseconds)
      _ = schedule.place(
        duration: content.duration.flatMap(RequestContext.milliseconds), opportunities: opportunities)
    }
    for rejection in schedule.rejections {
      for url in rejection.urls { owe(url, .playlistError(rejection.code), breakID: rejection.breakID, &inspection) }
    }
    for (index, item) in schedule.breaks.enumerated() where item.id.repetition == 0 {
      inspection.breaks.append(await inspect(item, index: index, baseURL: baseURL, &inspection))
    }
    if !inspection.hasAds {
      inspection.error = AdError(
        .loading, VASTErrorCode.noAds.errorCode, "No break has an ad.", vastCode: .noAds)
    }
  }

  private func inspect(
    _ item: AdSchedule.Break, index: Int, baseURL: String?, _ inspection: inout AdInspection
  ) async -> AdInspection.Break {
    let source = item.sources.first
    var result = AdInspection.Break(
      index: index, id: source?.adBreak.id, timeOffset: source?.adBreak.offset?.text, time: item.time?.seconds,
      state: item.state, repeatAfter: source?.adBreak.repeatAfter.map { Double($0) / 1_000 }, gam: source?.gam)
    if item.state == .dropped { return result }
    var resolution = BreakResolution(
      item, base: baseURL, settings: context.settings, request: context.request)
    await finish(&resolution)
    owe(resolution.errors, &inspection)
    inspection.diagnostics += resolution.diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.breakID = source?.adBreak.id
      return diagnostic
    }
    result.ads = inspected(resolution.ads(of: item).map(\.ad), &inspection)
    result.spares = resolution.spares.map(\.ad)
    if item.state != .unplaced { result.state = result.canPlay ? .available : .failed }
    for (place, source) in item.sources.enumerated() {
      let isLost = !result.canPlay && source.adBreak.source != nil
      guard let code = resolution.failure(of: place) ?? (isLost ? .adResponseFailed : nil) else { continue }
      result.failure = result.failure ?? code
      for tracking in source.adBreak.tracking where tracking.event == .error {
        owe(tracking.url, .playlistError(code), breakID: source.adBreak.id, &inspection)
      }
    }
    for source in item.sources { inspection.diagnostics += trackerDiagnostics(of: source.adBreak) }
    return result
  }

  /// The trackers of a playlist's break that are never sent, those of `error` excepted, which are told of where they are
  /// owed, and those that are sent in another form than they are written in.
  private func trackerDiagnostics(of item: VMAP.AdBreak) -> [AdDiagnostic] {
    item.tracking.compactMap { tracking in
      guard let refusal = AdURL.refusal(of: tracking.url) else {
        return AdURL.isMended(tracking.url) ? .repaired(tracking.event.rawValue, breakID: item.id) : nil
      }
      return tracking.event == .error ? nil : .refused(tracking.event.rawValue, refusal, breakID: item.id)
    }
  }

  private func finish(_ resolution: inout BreakResolution) async {
    while !resolution.isDone {
      let fetches = resolution.takeFetches()
      if fetches.isEmpty { return resolution.timeUp() }
      // Side by side, taken in their order: the result does not depend on it.
      let tasks = fetches.map { id, document in (id, Task { await context.fetch(document) }) }
      for (id, task) in tasks { resolution.fetched(id, await task.value) }
    }
  }
}

extension VMAP.Offset {
  /// The offset as playlists write it.
  package var text: String {
    switch self {
    case .start: "start"
    case .end: "end"
    case .time(let time): MacroFacts.playhead(time)
    case .fraction(let part): "\((part * 10_000).rounded() / 100)%"
    case .opportunity(let number): "#\(number)"
    }
  }
}
