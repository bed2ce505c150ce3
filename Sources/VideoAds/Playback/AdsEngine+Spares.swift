/// Ads that stand by (VA-422, VA-423).
extension AdsEngine {
  /// Whether an ad may take the place of the current one.
  var hasSpare: Bool {
    guard let ad = run?.ad, let spare = run?.spares.first else { return false }
    return spare.ad.mayReplace(ad)
  }

  /// Puts the next spare in the place of the ad that failed.
  mutating func playSpare() {
    guard let spare = run?.spares.popFirst() else { return }
    var resolver = ChainResolver(policy: ResolutionPolicy(settings: settings, request: request))
    act(.clearTimer(.load))
    enter(.starting)
    let first = resolver.start(spare.ad)
    proceed(resolver, first, source: spare.source)
  }

  mutating func spareFetched(_ fetch: BreakFetch, _ outcome: FetchOutcome) {
    guard fetch.breakID == run?.id, let wrapper = fetch.fetch.wrapper, var spare = run?.spareResolver else { return }
    let next = spare.resolver.fetched(wrapper, outcome)
    proceed(spare.resolver, next, source: spare.source)
  }

  private mutating func proceed(_ resolver: ChainResolver, _ next: [ChainResolver.Action], source: Int) {
    guard let id = run?.id else { return }
    run?.spareResolver = (resolver, source)
    for action in next {
      switch action {
      case .fetch(let fetch, let document):
        act(.fetch(BreakFetch(breakID: id, fetch: BreakResolution.FetchID(source: -1, wrapper: fetch)), document))
      case .finish(let response):
        run?.spareResolver = nil
        for error in response.errors { send(error, of: id) }
        use(response.ads.first, source: source)
      }
    }
  }

  private mutating func use(_ ad: ResolvedAd?, source: Int) {
    guard let index = run?.index else { return }
    if let ad {
      run?.replace(by: BreakResolution.Found(source: source, ad: ad, isBumper: false))
      goOn(.ad(index))
    } else if hasSpare {
      goOn(.spare)
    } else {
      setAd(.failed)
      playNext(after: .noAds)
    }
  }
}
