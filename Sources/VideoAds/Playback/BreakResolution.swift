/// Finds the ads of one break: fetches the documents of its sources and resolves their chains, side by side.
///
///     source: rejected ──→ failed
///             tag ──→ fetching ─→ resolving ─→ done
///             data ─────────────↗       └─→ failed
struct BreakResolution: Sendable {
  /// An ad of the break, and the source it comes from.
  ///
  /// A class, for an ad is large and handed from hand to hand.
  final class Found: Sendable, Hashable {
    let source: Int
    let ad: ResolvedAd
    let isBumper: Bool

    init(source: Int, ad: ResolvedAd, isBumper: Bool) {
      self.source = source
      self.ad = ad
      self.isBumper = isBumper
    }

    static func == (left: Found, right: Found) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// What became of a source.
  enum Source: Sendable {
    case fetching
    case resolving(ChainResolver)
    case done(ResolvedResponse)
    /// Without documents to look for.
    case empty
    case failed(VMAPErrorCode)
  }

  /// A fetch of one source; nil for the source's own document.
  struct FetchID: Sendable, Hashable {
    var source: Int
    var wrapper: ChainResolver.FetchID?
  }

  /// The most documents on their way at once, of all sources together.
  static let fetchLimit = 24

  let id: BreakSource.ID
  private var running = 0
  private(set) var sources: [Source] = []
  private(set) var fetches: [(FetchID, AdFetch)] = []
  private(set) var errors: [ErrorBeacon] = []
  /// What was found out about documents without an ad.
  private var lost: [AdDiagnostic] = []
  private let policies: [ResolutionPolicy]
  private let adTags: [String?]

  init(_ item: AdSchedule.Break, base: String?, settings: AdsSettings, request: RequestFacts) {
    id = item.id
    policies = item.sources.map { ResolutionPolicy(settings: settings, request: request, source: $0.adBreak.source) }
    adTags = item.sources.map(\.adTag)
    for (index, source) in item.sources.enumerated() {
      let policy = policies[index]
      if let code = source.rejection(allowNonLinear: policy.allowNonLinear) {
        sources.append(.failed(code))
        if case .unreadable(let failure) = source.adBreak.source?.content {
          errors += failure.errors.map { ErrorBeacon(code: failure.code, url: $0) }
        }
        continue
      }
      switch source.adBreak.source?.content {
      case .adTag(let url, _):
        sources.append(.fetching)
        fetches.append((FetchID(source: index), AdFetch(url: url, base: base, role: .further)))
      case .document(let document):
        sources.append(.empty)
        begin(document, url: base, of: index)
      default: sources.append(.empty)
      }
    }
  }

  /// What was found out about the documents of all sources.
  var diagnostics: [AdDiagnostic] {
    sources.flatMap { source in
      if case .done(let response) = source { response.diagnostics } else { [] as [AdDiagnostic] }
    } + lost
  }

  /// Whether nothing is waited for.
  var isDone: Bool {
    sources.allSatisfy { source in
      switch source {
      case .fetching, .resolving: false
      case .done, .empty, .failed: true
      }
    }
  }

  /// Takes the fetches that may begin now: as many as fit beside those under way.
  mutating func takeFetches() -> [(FetchID, AdFetch)] {
    let taken = Array(fetches.prefix(max(0, Self.fetchLimit - running)))
    fetches.removeFirst(taken.count)
    running += taken.count
    return taken
  }

  mutating func fetched(_ fetch: FetchID, _ outcome: FetchOutcome) {
    running = max(0, running - 1)
    guard sources.indices.contains(fetch.source) else { return }
    switch (sources[fetch.source], fetch.wrapper) {
    case (.resolving(var resolver), let wrapper?):
      apply(resolver.fetched(wrapper, outcome), resolver, to: fetch.source)
    case (.fetching, nil): answer(fetch.source, outcome)
    default: break
    }
  }

  /// Gives up what has not come (VA-214).
  mutating func timeUp() {
    for index in sources.indices {
      switch sources[index] {
      case .fetching: sources[index] = .failed(.timedOut)
      case .resolving(var resolver): apply(resolver.timeUp(), resolver, to: index)
      case .done, .empty, .failed: continue
      }
    }
  }

  private mutating func answer(_ index: Int, _ outcome: FetchOutcome) {
    switch outcome {
    case .document(let result, let url):
      switch result.content {
      case .vast(let document): begin(document, url: url, of: index, result.diagnostics)
      case .failure(let failure):
        lost += result.diagnostics
        errors += failure.errors.map { ErrorBeacon(code: failure.code, url: $0) }
        sources[index] = .failed(.adResponseFailed)
      case .vmap, .playlistFailure: sources[index] = .failed(.adResponseFailed)
      }
    case .empty: sources[index] = .failed(.adResponseFailed)
    case .failed(let failure): sources[index] = .failed(failure.breakCode)
    }
  }

  private mutating func begin(
    _ document: VAST.Document, url: String?, of index: Int, _ diagnostics: [AdDiagnostic] = []
  ) {
    var resolver = ChainResolver(policy: policies[index])
    apply(resolver.start(document, url: url, adTag: adTags[index], diagnostics: diagnostics), resolver, to: index)
  }

  private mutating func apply(_ actions: [ChainResolver.Action], _ resolver: ChainResolver, to index: Int) {
    sources[index] = .resolving(resolver)
    for action in actions {
      switch action {
      case .fetch(let id, let fetch): fetches.append((FetchID(source: index, wrapper: id), fetch))
      case .finish(let response):
        errors += response.errors
        if response.ads.isEmpty { lost += response.diagnostics }
        sources[index] = response.ads.isEmpty ? .failed(.adResponseFailed) : .done(response)
      }
    }
  }

  /// The ads in play order; bumpers only beside others where that is their way (VA-508).
  func ads(of item: AdSchedule.Break) -> [Found] {
    let all = sources.enumerated().flatMap { index, source -> [Found] in
      guard case .done(let response) = source else { return [] }
      return response.ads.map { Found(source: index, ad: $0, isBumper: item.sources[index].isBumper) }
    }
    guard !all.contains(where: { !$0.isBumper }) else { return all }
    return all.filter { !item.sources[$0.source].isSuppressedAlone }
  }

  /// The ads that stand by, each with its source.
  var spares: [(source: Int, ad: SpareAd)] {
    sources.enumerated().flatMap { index, source -> [(source: Int, ad: SpareAd)] in
      guard case .done(let response) = source else { return [] }
      return response.spares.map { (index, $0) }
    }
  }

  /// Why a source has no ad; nil when it has, or needs none.
  func failure(of index: Int) -> VMAPErrorCode? {
    guard sources.indices.contains(index), case .failed(let code) = sources[index] else { return nil }
    return code
  }
}
