/// One waiting opener call, within its container.
struct OpeningID: Hashable, Sendable {
  var number: Int
}

/// The openings that wait, and what has happened that ends them (TM-320, TM-330).
struct PendingOpenings: Sendable {
  private var waiting: [(id: OpeningID, preference: OpenPreference)] = []
  private var ends: [OpenPreference: OpenEnd] = [:]

  /// Adds an opening; gives its end when that has come already.
  mutating func add(_ id: OpeningID, _ preference: OpenPreference) -> OpenEnd? {
    if let end = ends[preference] { return end }
    waiting.append((id, preference))
    return nil
  }

  /// Something has come that ends openings of some preferences; gives those it ends, in the order of their calls.
  mutating func reach(_ end: OpenEnd, for preferences: [OpenPreference] = [.nonDefault, .fresh]) -> [OpeningID] {
    for preference in preferences {
      // A later failure takes nothing back from who has content.
      if case .failure = end, ends[preference] != nil { continue }
      ends[preference] = end
    }
    let ended = waiting.filter { ends[$0.preference] != nil }
    waiting.removeAll { ends[$0.preference] != nil }
    return ended.map(\.id)
  }

  /// Ends one opening alone; tells whether it waited.
  mutating func remove(_ id: OpeningID) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
    waiting.remove(at: index)
    return true
  }

  /// What ended openings so far ends none that comes from now on.
  mutating func startAnew() { ends = [:] }
}
