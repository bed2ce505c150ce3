/// The companion slots of a container: what is shown in them, and what their renderers and the person tell (VA-861).
@MainActor
final class CompanionPlaces {
  private let slots: [CompanionSlot]
  private let heard: @MainActor (Int, CompanionReport) -> Void

  init(_ container: AdDisplayContainer?, _ heard: @escaping @MainActor (Int, CompanionReport) -> Void) {
    slots = container?.companionSlots ?? []
    self.heard = heard
  }

  /// Fills the slot at a place; nil empties it, and its delegate is told so unless the manager is at its end.
  func fill(_ index: Int, _ companion: VAST.Companion?, isOver: Bool) {
    guard slots.indices.contains(index) else { return }
    let slot = slots[index]
    let heard = heard
    slot.companion = companion
    slot.clicked = { [weak slot] in
      guard let slot, slot.companion != nil else { return }
      heard(index, .clicked)
      slot.delegate?.companionSlotWasClicked(slot)
    }
    let shown: @MainActor (Bool) -> Void = { [weak slot] isShown in
      guard let companion, let slot, slot.companion == companion else { return }
      heard(index, isShown ? .shown : .failed)
      if isShown { slot.delegate?.companionSlot(slot, filled: true) }
    }
    if let renderer = slot.renderer { renderer.show(companion, in: slot, shown: shown) } else { shown(true) }
    if companion == nil, !isOver { slot.delegate?.companionSlot(slot, filled: false) }
  }

  func leave() { for slot in slots { slot.clicked = nil } }
}
