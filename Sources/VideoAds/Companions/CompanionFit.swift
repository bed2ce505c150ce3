/// Which companion goes into which slot, and what is owed for those that do not (VA-860, VA-863, VA-864).
struct CompanionFit: Sendable {
  /// A slot that the app registered: its place in the list, its id, and its size; without one it is fluid.
  struct Slot: Sendable, Hashable {
    var index: Int
    var id: String?
    var size: AdSize?
  }

  let slots: [Slot]
  let renderable: RenderableResources

  /// What was found for one ad.
  struct Result: Sendable, Hashable {
    /// The companion of each slot, by the slot's place.
    var companions: [Int: VAST.Companion] = [:]
    /// A code owed to the ad's `Error` URLs; 602 keeps it from playing.
    var code: VASTErrorCode?
  }

  /// Fills the slots, in the order they were registered, each companion used once; levels are the nearest first.
  func fit(_ levels: [VAST.CompanionAds]) -> Result {
    var result = Result()
    for level in levels {
      var used: Set<Int> = []
      for slot in slots where result.companions[slot.index] == nil {
        guard let index = best(for: slot, among: level.companions, used: used) else { continue }
        used.insert(index)
        result.companions[slot.index] = level.companions[index]
      }
      let isMet =
        switch level.required {
        case .none: true
        case .any: !used.isEmpty
        case .all: used.count == level.companions.count
        }
      if !isMet { return Result(code: .companionRequired) }
    }
    let all = levels.flatMap(\.companions)
    if !slots.isEmpty, !all.isEmpty, result.companions.isEmpty {
      let isRenderable = all.contains { renderable.best(of: $0.resources) != nil }
      result.code = isRenderable ? .companionDoesNotFit : .companionUnsupported
    }
    return result
  }

  private func best(for slot: Slot, among companions: [VAST.Companion], used: Set<Int>) -> Int? {
    let free = companions.indices.filter { !used.contains($0) && renderable.best(of: companions[$0].resources) != nil }
    if let id = slot.id, let index = free.first(where: { companions[$0].adSlotID == id }) { return index }
    // A companion meant for another slot is not taken for its size.
    let open = free.filter { index in
      guard let wanted = companions[index].adSlotID else { return true }
      return !slots.contains { $0.id == wanted }
    }
    guard let size = slot.size else { return open.max { area(companions[$0]) < area(companions[$1]) } }
    return open.first { index in
      Double(companions[index].width ?? 0) == size.width && Double(companions[index].height ?? 0) == size.height
    }
  }

  private func area(_ companion: VAST.Companion) -> Double {
    Double(companion.width ?? 0) * Double(companion.height ?? 0)
  }
}
