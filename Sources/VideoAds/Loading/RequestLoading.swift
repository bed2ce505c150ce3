import Hits

/// Loads one request: its first document, and for a single document the chain behind it (VA-101, VA-115).
@MainActor
struct RequestLoading {
  let settings: AdsSettings
  let environment: AdsEnvironment
  let request: AdsRequest
  let cookies: Locked<AdCookieJar>
  /// Hears what is done before there is a manager, and what the manager does.
  var trace: (@MainActor (PlayRecord) -> Void)?

  func load() async throws(AdError) -> AdsManager {
    if let container = request.displayContainer, container.driver != nil {
      throw AdError(.loading, .apiMisuse, "Another manager shows ads in this container.")
    }
    let context = RequestContext(
      settings: settings, environment: environment, request: request, cookies: cookies)
    context.trace = trace
    let source: EngineDriver.Source
    let diagnostics: [AdDiagnostic]
    do {
      (source, diagnostics) = try await self.source(context)
    } catch {
      var error = error
      error.diagnostics += context.documents.diagnostics
      throw error
    }
    if Task.isCancelled { throw Self.cancelled }
    if let container = request.displayContainer, container.driver != nil {
      throw AdError(.loading, .apiMisuse, "Another manager shows ads in this container.")
    }
    return AdsManager(
      EngineDriver(
        source: source, context: context, loadVideoTimeout: request.loadVideoTimeout,
        prefetchSpread: request.liveStreamPrefetchSeconds),
      diagnostics: diagnostics + context.documents.diagnostics)
  }

  private static let cancelled = AdError(.loading, .cancelled, "The request was cancelled.")

  private func source(_ context: RequestContext) async throws(AdError) -> (EngineDriver.Source, [AdDiagnostic]) {
    switch request.source {
    case .schedule(let schedule):
      guard !schedule.breaks.isEmpty else {
        throw AdError(.loading, .invalidArguments, "The schedule has no break.")
      }
      return (.schedule(schedule, baseURL: nil), settingsDiagnostics)
    case .response(let text, _) where text.utf8.allSatisfy(ASCII.isBlank):
      throw AdError(.loading, .invalidArguments, "The request has no ads response.")
    case .response(let text, let baseURL):
      return try await source(of: AdFetcher.document(text: text, url: baseURL), context)
    case .document(let body, let baseURL):
      return try await source(of: AdFetcher.document(body, url: baseURL), context)
    case .adTag(let url):
      let outcome = await context.fetch(AdFetch(url: url, base: nil, role: .first))
      if Task.isCancelled { throw Self.cancelled }
      return try await source(of: outcome, context)
    }
  }

  private func source(
    of outcome: FetchOutcome, _ context: RequestContext
  ) async throws(AdError) -> (EngineDriver.Source, [AdDiagnostic]) {
    switch outcome {
    case .failed(let failure): throw failure.firstError(url: request.adTag)
    case .empty: throw noAds(.noAds, [])
    case .document(let result, let url): return try await source(of: result, url: url, context)
    }
  }

  private func source(
    of result: VASTReadResult, url: String?, _ context: RequestContext
  ) async throws(AdError) -> (EngineDriver.Source, [AdDiagnostic]) {
    let diagnostics = settingsDiagnostics + result.diagnostics
    switch result.content {
    case .vmap(let playlist):
      let schedule = AdSchedule(playlist)
      guard !schedule.breaks.isEmpty || !schedule.rejections.isEmpty else { throw noAds(.noAds, diagnostics) }
      return (.schedule(schedule, baseURL: url), diagnostics)
    case .playlistFailure(let failure):
      throw AdError(
        .loading, .playlistMalformed, "The playlist cannot be read.", vmapCode: failure.code, diagnostics: diagnostics)
    case .failure(let failure):
      context.send(failure.errors.map { ErrorBeacon(code: failure.code, url: $0) })
      throw noAds(failure.code, diagnostics)
    case .vast(let document):
      let run = ChainRun(clock: environment.clock) { await context.fetch($0) }
      let policy = ResolutionPolicy(settings: settings, request: context.request)
      let response = await run.resolve(policy) {
        $0.start(document, url: url, adTag: request.adTag, diagnostics: diagnostics)
      }
      guard let response, !Task.isCancelled else { throw Self.cancelled }
      context.send(response.errors)
      guard !response.ads.isEmpty else { throw noAds(response.failure ?? .noAds, response.diagnostics) }
      return (.single(response, adTag: request.adTag), response.diagnostics)
    }
  }

  private func noAds(_ code: VASTErrorCode, _ diagnostics: [AdDiagnostic]) -> AdError {
    AdError(.loading, code.errorCode, "There is no ad to play.", vastCode: code, diagnostics: diagnostics)
  }

  /// What is wrong with the settings (VA-105, VA-106).
  private var settingsDiagnostics: [AdDiagnostic] {
    var found: [AdDiagnostic] = []
    if settings.ppid != nil, settings.usablePPID == nil {
      found.append(AdDiagnostic("settings.ppid", .warning, "The ppid does not have the form of one and is not sent."))
    }
    let unknown = Set(settings.features.keys).subtracting(AdsSettings.knownFeatures)
    if !unknown.isEmpty {
      found.append(AdDiagnostic("settings.feature", .note, "Features that are not known: \(unknown.count)."))
    }
    return found
  }
}

extension AdsSettings {
  /// The features that mean something (VA-106).
  static let knownFeatures: Set<String> = [
    "nonLinear", "companions", "icons", "verification", "captions", "preloadNextAd",
  ]
}
