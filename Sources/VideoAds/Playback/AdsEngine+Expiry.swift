/// Ads that waited longer than they may: they are asked for again, once (VA-217).
extension AdsEngine {
  func foundAds(of id: BreakSource.ID) -> [BreakResolution.Found] {
    guard let item = item(id), let resolution = resolutions[id] else { return [] }
    return resolution.ads(of: item)
  }

  /// Whether an ad of a break has waited too long.
  func isExpired(_ ads: [BreakResolution.Found], of id: BreakSource.ID) -> Bool {
    guard let since = availableSince[id], !refreshed.contains(id) else { return false }
    return ads.contains { found in
      guard let seconds = found.ad.inLine.expires else { return false }
      let (lifetime, isEndless) = Int64(seconds).multipliedReportingOverflow(by: 1_000)
      return !isEndless && now - since > lifetime
    }
  }

  /// Asks for the ads of a due break again.
  mutating func refresh(_ id: BreakSource.ID) {
    refreshed.insert(id)
    resolutions[id] = nil
    due.append(Due(id: id, since: playhead.position ?? 0))
    request(id)
  }

  /// Asks for the ads of the break that is ready again, to be started when they are there; false when they are fresh.
  mutating func refreshReady() -> Bool {
    guard let run, isExpired(run.ads, of: run.id), run.item.sources.contains(where: \.isFetched) else { return false }
    if let prepared = run.prepared { act(.stop(prepared.token)) }
    act(.clearTimer(.prepared))
    self.run = nil
    startsWhenReady = run.id
    enter(.loading)
    refresh(run.id)
    pump()
    return true
  }
}
