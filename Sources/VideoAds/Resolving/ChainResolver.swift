/// Follows the wrappers of one document until every ad that plays is known (VA-400).
///
///                  ┌─ no wrapper ────────────→ resolved | failed
///     candidate ───┤
///                  └─ wrapper → waiting ─ fetched → expanded: the candidates of the answer
///                                  └─ failure, time up → failed
///
/// A failed place in the play order is taken by the next spare of its document, once every place before it is settled:
/// so the result does not depend on the order in which answers arrive. The resolver does no I/O; its driver performs the
/// fetches and hands the outcomes in.
struct ChainResolver: Sendable {
  typealias FetchID = Int

  enum Action: Sendable, Hashable {
    case fetch(FetchID, AdFetch)
    /// Everything is settled; nothing follows.
    case finish(ResolvedResponse)
  }

  /// An ad under the wrappers above it.
  struct Candidate: Sendable {
    let ad: VAST.Ad
    let sequence: Int?
    /// Outermost first.
    let wrappers: [VAST.Ad]
    /// The URL of the document it stands in.
    let documentURL: String?
    var state: State = .waiting
    var errors: [ErrorBeacon] = []
    var diagnostics: [AdDiagnostic] = []
  }

  enum State: Sendable {
    /// Its next document has not come.
    case waiting
    case resolved(ResolvedAd)
    case expanded(Int)
    case failed(VASTErrorCode)
  }

  /// The places of one document's play order, each with the candidates tried for it so far.
  struct Places: Sendable {
    var tried: [[Int]]
    var spares: [SpareAd]
  }

  /// The most ads looked at, wrappers included: documents full of wrappers would lead to ever more documents.
  static let candidateLimit = 1_000

  let policy: ResolutionPolicy
  var candidates: [Candidate] = []
  var places: [Places] = []
  /// Fetches not started yet, in order; the id of a fetch is its candidate's index.
  var queue: [FetchID] = []
  var running: Set<FetchID> = []
  var isTimeUp = false
  var isFinished = false
  /// What the first document owes and says.
  var head = ResolvedResponse()
  /// The URL of the first document as it was written, for finding loops; nil when nobody asked for it by a URL.
  private var adTag: String?

  init(policy: ResolutionPolicy) { self.policy = policy }

  /// Starts with the first document, at the URL that answered with it; the ad tag is that URL as it was written.
  mutating func start(
    _ document: VAST.Document, url: String?, adTag: String? = nil, diagnostics: [AdDiagnostic] = []
  ) -> [Action] {
    head.diagnostics = diagnostics
    self.adTag = adTag.map(AdURL.cleaned)
    let selection = AdSelection(document.ads, limit: policy.allowsMultipleAds ? nil : policy.wrapperPods)
    if selection.isPodLimited { head.diagnostics.append(podLimited(adID: nil)) }
    if selection.choices.isEmpty {
      head.failure = .noAds
      head.errors = beacons(.noAds, document.errors)
    }
    _ = expand(selection, under: [], url: url)
    return advance()
  }

  /// Starts with an ad that stood by (VA-423).
  mutating func start(_ spare: SpareAd) -> [Action] {
    adTag = spare.adTag
    places.append(
      Places(tried: [[add(spare.ad, sequence: nil, under: spare.wrappers, url: spare.documentURL)]], spares: []))
    return advance()
  }

  /// Takes the outcome of a fetch; one that was not asked for changes nothing.
  mutating func fetched(_ id: FetchID, _ outcome: FetchOutcome) -> [Action] {
    guard running.remove(id) != nil, case .waiting = candidates[id].state else { return [] }
    switch outcome {
    case .document(let result, let url):
      candidates[id].diagnostics += result.diagnostics
      switch result.content {
      case .vast(let document): answer(id, document, url)
      case .failure(let failure): fail(id, failure.code, also: failure.errors)
      case .vmap, .playlistFailure: fail(id, .invalidStructure)
      }
    case .empty: fail(id, .noAds)
    case .failed(let failure): fail(id, failure.wrapperCode)
    }
    return advance()
  }

  /// Gives up what has not come: those ads get 304 and the others play (VA-214).
  mutating func timeUp() -> [Action] {
    isTimeUp = true
    queue = []
    running = []
    for id in candidates.indices {
      if case .waiting = candidates[id].state { fail(id, .displayTimeout) }
    }
    return advance()
  }

  private mutating func advance() -> [Action] {
    if isFinished { return [] }
    let isSettled = places.isEmpty || settle(0)
    var actions: [Action] = []
    while running.count < policy.maxConcurrentFetches, !queue.isEmpty {
      let id = queue.removeFirst()
      running.insert(id)
      if let fetch = fetch(for: id) { actions.append(.fetch(id, fetch)) }
    }
    if isSettled {
      isFinished = true
      actions.append(.finish(response()))
    }
    return actions
  }

  private func fetch(for id: FetchID) -> AdFetch? {
    let candidate = candidates[id]
    guard case .wrapper(let wrapper) = candidate.ad.content else { return nil }
    let blocked = (candidate.wrappers + [candidate.ad]).flatMap(\.blockedCategories).map(\.code)
    return AdFetch(
      url: wrapper.adTagURL, base: candidate.documentURL, role: .further, hop: candidate.wrappers.count + 1,
      blockedCategories: blocked)
  }
}

/// Candidates and what becomes of them.
extension ChainResolver {
  /// Takes the ads of an answer in the wrapper's place (VA-424, VA-425).
  private mutating func answer(_ id: FetchID, _ document: VAST.Document, _ url: String?) {
    guard case .wrapper(let wrapper) = candidates[id].ad.content else { return }
    let selection = AdSelection(document.ads, limit: wrapper.allowsMultipleAds ? nil : policy.wrapperPods)
    if selection.isPodLimited { candidates[id].diagnostics.append(podLimited(adID: candidates[id].ad.id)) }
    guard !selection.choices.isEmpty else { return fail(id, .noAds, also: document.errors) }
    let inner = expand(selection, under: candidates[id].wrappers + [candidates[id].ad], url: url)
    candidates[id].state = .expanded(inner)
  }

  private mutating func expand(_ selection: AdSelection, under wrappers: [VAST.Ad], url: String?) -> Int {
    let index = places.count
    places.append(Places(tried: [], spares: []))
    let room = max(0, Self.candidateLimit - candidates.count)
    if selection.choices.count > room {
      head.diagnostics.append(
        AdDiagnostic("vast.cap", .warning, "Ads beyond the first \(Self.candidateLimit) of a resolution are ignored."))
    }
    let tried = selection.choices.prefix(room).map {
      [add($0.ad, sequence: $0.sequence, under: wrappers, url: url)]
    }
    let spares = selection.spares.map { SpareAd(ad: $0, wrappers: wrappers, documentURL: url, adTag: adTag) }
    places[index] = Places(tried: tried, spares: spares)
    return index
  }

  /// Adds a candidate and decides what can be decided without its next document.
  mutating func add(_ ad: VAST.Ad, sequence: Int?, under wrappers: [VAST.Ad], url: String?) -> Int {
    let id = candidates.count
    candidates.append(Candidate(ad: ad, sequence: sequence, wrappers: wrappers, documentURL: url))
    switch ad.content {
    case .unusable(let code): fail(id, code)
    case .inLine(let inLine):
      if let code = AdFitness(policy: policy).objection(to: ad, inLine, under: wrappers) {
        fail(id, code)
      } else {
        var resolved = AdMerge(ad: ad, inLine: inLine, wrappers: wrappers).resolved()
        resolved.sequence = sequence
        candidates[id].state = .resolved(resolved)
        if let event = resolved.repeatedEvent {
          let owner = AdDiagnostic.owner(adID: ad.id)
          candidates[id].diagnostics.append(
            AdDiagnostic(
              "tracking.duplicate", .note, "A URL of \(event.prefix(40))\(owner) is tracked twice; once counts.",
              of: ad))
        }
        candidates[id].diagnostics += resolved.refusedTrackers + resolved.repairedURLs
        if ad.creatives.count(where: { $0.linear != nil }) > 1 {
          candidates[id].diagnostics.append(
            AdDiagnostic("ad.extraLinear", .warning, "An ad has several linear creatives; one plays.", of: ad))
        }
      }
    case .wrapper(let wrapper):
      if let code = objection(to: wrapper, under: wrappers) {
        fail(id, code)
      } else if isTimeUp {
        fail(id, .displayTimeout)
      } else {
        queue.append(id)
      }
    }
    return id
  }

  /// Why a wrapper is not followed (VA-411, VA-413, VA-414, VA-506).
  private func objection(to wrapper: VAST.Wrapper, under wrappers: [VAST.Ad]) -> VASTErrorCode? {
    var isFollowed = policy.followsRedirects
    if let adTag, AdURL.cleaned(wrapper.adTagURL) == adTag { return .tooManyWrappers }
    for case .wrapper(let outer) in wrappers.map(\.content) {
      if outer.adTagURL == wrapper.adTagURL { return .tooManyWrappers }
      isFollowed = outer.followsWrappers
    }
    if !isFollowed { return .noAds }
    return wrappers.count >= policy.redirectLimit ? .tooManyWrappers : nil
  }

  /// Owes a code to the wrappers above, outermost first, to the ad itself and to the answering document (VA-416).
  mutating func fail(_ id: FetchID, _ code: VASTErrorCode, also urls: [String] = []) {
    let candidate = candidates[id]
    candidates[id].state = .failed(code)
    candidates[id].errors = beacons(
      code, (candidate.wrappers + [candidate.ad]).flatMap(\.errors) + urls, adID: candidate.ad.id)
    candidates[id].diagnostics.append(.failed(code, candidate.ad))
  }

  private func beacons(_ code: VASTErrorCode, _ urls: [String], adID: String? = nil) -> [ErrorBeacon] {
    var seen: Set<String> = []
    return urls.filter { seen.insert($0).inserted }.map { ErrorBeacon(code: code, url: $0, adID: adID) }
  }

  private func podLimited(adID: String?) -> AdDiagnostic {
    AdDiagnostic(
      "wrapper.podLimited", .warning, "Of a pod behind a wrapper that allows one ad: \(policy.wrapperPods.rawValue).",
      adID: adID)
  }
}
