import Hits

/// The app's life, as events (WT-480).
///
/// `launch` comes by itself at the start of an instance, unless the configuration says otherwise. Calls that repeat what
/// is known do nothing.
public final class Lifecycle: Sendable {
  /// Whether the app's life is tracked by itself.
  public let automatic: Bool
  private let onEvent: @Sendable (LifecycleState.Event) -> Void

  init(automatic: Bool, onEvent: @escaping @Sendable (LifecycleState.Event) -> Void) {
    self.automatic = automatic
    self.onEvent = onEvent
  }

  /// The app started.
  public func launch() { onEvent(.launch) }

  /// The app came to the front.
  public func wake() { onEvent(.wake) }

  /// The app went to the back: what waits leaves, within 1.5 seconds.
  public func sleep() { onEvent(.sleep) }
}
