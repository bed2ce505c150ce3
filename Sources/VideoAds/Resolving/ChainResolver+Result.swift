/// What is settled, and what it comes to. The depth of these calls is that of the wrappers, at most 20.
extension ChainResolver {
  /// Fills places that failed with spares, and tells whether nothing is waited for.
  mutating func settle(_ index: Int) -> Bool {
    var isSettled = true
    var place = 0
    while place < places[index].tried.count {
      guard let id = places[index].tried[place].last else { return false }
      switch candidates[id].state {
      case .waiting: isSettled = false
      case .resolved: break
      case .failed:
        if isSettled, replace(id, at: place, of: index) { continue }
      case .expanded(let inner):
        if !settle(inner) {
          isSettled = false
        } else if isSettled, isEmpty(inner), replace(id, at: place, of: index) {
          continue
        }
      }
      place += 1
    }
    return isSettled
  }

  /// Puts the next spare in a place; false when there is none, or the wrapper there forbids it (VA-422, VA-426).
  private mutating func replace(_ id: FetchID, at place: Int, of index: Int) -> Bool {
    if case .wrapper(let wrapper) = candidates[id].ad.content, !wrapper.fallsBackOnNoAd { return false }
    guard !isTimeUp, !places[index].spares.isEmpty else { return false }
    let spare = places[index].spares.removeFirst()
    let next = add(spare.ad, sequence: nil, under: spare.wrappers, url: spare.documentURL)
    places[index].tried[place].append(next)
    return true
  }

  private func isEmpty(_ index: Int) -> Bool {
    places[index].tried.allSatisfy { tried in
      guard let id = tried.last else { return true }
      switch candidates[id].state {
      case .resolved: return false
      case .expanded(let inner): return isEmpty(inner)
      case .waiting, .failed: return true
      }
    }
  }

  func response() -> ResolvedResponse {
    var response = head
    if !places.isEmpty { collect(0, into: &response) }
    response.failure = response.ads.isEmpty ? response.failure ?? .noAds : nil
    // Where nothing plays, no ad stands by for one that might fail: what may take its place was tried (VA-426).
    if response.ads.isEmpty { response.spares = [] }
    return response
  }

  /// Adds the ads of a document in play order, with what is owed on the way, in the order of the documents.
  private func collect(_ index: Int, into response: inout ResolvedResponse) {
    for tried in places[index].tried {
      for id in tried {
        let candidate = candidates[id]
        response.errors += candidate.errors
        response.diagnostics += candidate.diagnostics
        switch candidate.state {
        case .resolved(let ad): response.ads.append(ad)
        case .expanded(let inner):
          let start = response.ads.count
          collect(inner, into: &response)
          // VA-432: a wrapper's number counts for the one ad behind it.
          if response.ads.count == start + 1 { response.ads[start].sequence = candidate.sequence }
        case .failed(let code): response.failure = response.failure ?? code
        case .waiting: continue
        }
      }
    }
    response.spares += places[index].spares
  }
}
