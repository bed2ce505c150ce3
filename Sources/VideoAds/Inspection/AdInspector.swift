import Hits

/// Follows everything that a source leads to, and plays nothing (VA-1500).
@MainActor
package struct AdInspector {
  private let request: AdsRequest
  private let context: RequestContext
  private let capabilities: AdPlayerCapabilities
  private let isOffline: Bool
  private let expands: Bool

  /// Makes an inspector; offline, no document but the first is fetched.
  package init(
    _ request: AdsRequest, settings: AdsSettings, environment: AdsEnvironment,
    capabilities: AdPlayerCapabilities = SimulatedPlayer.everything, isOffline: Bool = false, expands: Bool = false
  ) {
    self.request = request
    self.capabilities = capabilities
    self.isOffline = isOffline
    self.expands = expands
    context = RequestContext(settings: settings, environment: environment, request: request)
    context.mimeTypes = capabilities.mimeTypes
  }

  package func inspect() async -> AdInspection {
    var inspection = AdInspection(
      .error, transactionID: context.request.transactionID, random: context.environment.random)
    if expands { inspection.expand(with: context.facts()) }
    await inspectFirst(&inspection)
    inspection.fetches = context.documents.records
    inspection.diagnostics += context.documents.diagnostics
    return inspection
  }

  private func inspectFirst(_ inspection: inout AdInspection) async {
    switch request.source {
    case .schedule(let schedule): await inspect(schedule, baseURL: nil, &inspection)
    case .response(let text, let baseURL):
      await inspect(VASTReader.read(text: text), url: baseURL, &inspection)
    case .adTag(let url):
      switch await context.fetch(AdFetch(url: url, base: nil, role: .first)) {
      case .document(let result, let url): await inspect(result, url: url, &inspection)
      case .empty:
        inspection.kind = .empty
        inspection.error = AdError(.loading, VASTErrorCode.noAds.errorCode, "There is no ad.", vastCode: .noAds)
      case .failed(let failure):
        inspection.error = failure.firstError(url: url)
        if case .refused = failure { return }
        inspection.isUnreachable = true
      }
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
      let run = ChainRun(clock: context.environment.clock) { await fetch($0) }
      let policy = ResolutionPolicy(settings: context.settings, request: context.request)
      guard let response = await run.resolve(policy, start: { $0.start(document, url: url) }) else { return }
      inspection.diagnostics += response.diagnostics
      owe(response.errors, &inspection)
      if let code = response.failure {
        inspection.error = AdError(.loading, code.errorCode, "There is no ad to play.", vastCode: code)
      }
      var item = AdInspection.Break(
        index: 0, time: 0, state: response.ads.isEmpty ? .failed : .available, spares: response.spares)
      item.ads = inspected(response.ads)
      inspection.breaks = [item]
    }
  }

  private func fetch(_ fetch: AdFetch) async -> FetchOutcome {
    isOffline ? .failed(.unreachable) : await context.fetch(fetch)
  }

  private func owe(_ errors: [ErrorBeacon], _ inspection: inout AdInspection) {
    inspection.beacons += errors.map { error in
      AdInspection.OwedBeacon(
        event: "error", code: error.code.rawValue,
        url: inspection.text(of: error.url, scope: .error(error.code.rawValue)))
    }
  }

  private func inspected(_ ads: [ResolvedAd]) -> [AdInspection.InspectedAd] {
    let selection = MediaSelection(capabilities: capabilities, adType: context.request.adType)
    return ads.enumerated().map { index, ad in
      let choices = ad.linear.map { selection.choices(of: $0) } ?? []
      let media = choices.enumerated().map { place, choice in
        let isSelected = place == 0 && choice.objection == nil
        return AdInspection.Media(
          file: choice.file, bitrate: MediaSelection.bitrate(of: choice.file, duration: ad.linear?.duration),
          isSelected: isSelected, reason: isSelected ? nil : choice.objection ?? "another fits better")
      }
      return AdInspection.InspectedAd(resolved: ad, position: index + 1, media: media)
    }
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
      inspection.beacons += rejection.urls.map {
        AdInspection.OwedBeacon(event: "error", code: rejection.code.rawValue, url: $0)
      }
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
    for (place, source) in item.sources.enumerated() {
      guard let code = resolution.failure(of: place) else { continue }
      for tracking in source.adBreak.tracking where tracking.event == .error {
        inspection.beacons.append(
          AdInspection.OwedBeacon(event: "error", code: code.rawValue, url: tracking.url))
      }
    }
    inspection.diagnostics += resolution.diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.breakID = source?.adBreak.id
      return diagnostic
    }
    result.ads = inspected(resolution.ads(of: item).map(\.ad))
    result.spares = resolution.spares.map(\.ad)
    if item.state != .unplaced { result.state = result.ads.isEmpty ? .failed : .available }
    return result
  }

  private func finish(_ resolution: inout BreakResolution) async {
    while !resolution.isDone {
      let fetches = resolution.takeFetches()
      if fetches.isEmpty { return resolution.timeUp() }
      // Side by side, taken in their order: the result does not depend on it.
      let tasks = fetches.map { id, document in (id, Task { await fetch(document) }) }
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
