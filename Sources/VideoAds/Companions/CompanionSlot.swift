/// A place beside the player that an app gives for companions (VA-860).
@MainActor
public final class CompanionSlot {
  /// The id that companions name as `adSlotId`.
  public nonisolated let id: String?
  /// Its size in points; nil for a fluid slot, which takes any.
  public nonisolated let size: AdSize?
  /// What draws a companion in it; without one the delegate does.
  public var renderer: (any CompanionRenderer)?
  /// Hears what becomes of it.
  public weak var delegate: (any CompanionSlotDelegate)?
  /// What it shows now.
  public internal(set) var companion: VAST.Companion?
  var clicked: (() -> Void)?

  /// Makes a slot; without a size it is fluid.
  public init(id: String? = nil, size: AdSize? = nil, renderer: (any CompanionRenderer)? = nil) {
    self.id = id
    self.size = size
    self.renderer = renderer
  }

  /// Tells that the companion was tapped: it is tracked and its page opened (VA-862).
  public func click() { clicked?() }

  /// Hears taps where the manager that fills the slot is in another process.
  package func clicks(_ body: @escaping @MainActor () -> Void) { clicked = body }
}

/// Draws companions: images by decoding alone, pages in isolation (VA-1404).
@MainActor
public protocol CompanionRenderer: AnyObject {
  /// Shows a companion, nil for nothing, and tells whether its resource came.
  func show(_ companion: VAST.Companion?, in slot: CompanionSlot, shown: @escaping @MainActor (Bool) -> Void)
}

/// Hears what becomes of a companion slot.
@MainActor
public protocol CompanionSlotDelegate: AnyObject {
  /// Tells whether an ad filled the slot (VA-861).
  func companionSlot(_ slot: CompanionSlot, filled: Bool)
  /// Tells that its companion was clicked.
  func companionSlotWasClicked(_ slot: CompanionSlot)
}

extension CompanionSlotDelegate {
  /// Does nothing.
  public func companionSlotWasClicked(_ slot: CompanionSlot) {}
}
