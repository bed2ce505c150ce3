import Foundation
import Hits

/// The consent of one instance.
///
/// Safe from any thread. A change counts at once for the events that are tracked after it.
public final class ConsentManager: Sendable {
  /// What a person chose.
  public enum Status: String, Sendable, Hashable, Codable {
    /// Nothing yet: events wait.
    case unknown
    /// Events leave.
    case consented
    /// Events end.
    case notConsented
    /// Consent does not count.
    case disabled
  }

  /// All categories in their order.
  public static let allCategories = ConsentCategory.allCases

  private struct State {
    var consent: ConsentChoice
    var isLoggingEnabled: Bool
    weak var delegate: (any ConsentDelegate)?
  }

  /// What a change asks of the instance.
  struct Change: Sendable {
    var before: ConsentChoice
    var after: ConsentChoice
    var announcements: [ConsentChoice.Announcement]
    var hasExpired = false
  }

  private let state: Locked<State>
  private let sendsCookie: Bool
  private let clock: any HitClock
  private let onChange: @Sendable (Change) -> Void

  init(
    _ consent: ConsentChoice, _ configuration: ConsentConfiguration, clock: any HitClock,
    onChange: @escaping @Sendable (Change) -> Void
  ) {
    state = Locked(State(consent: consent, isLoggingEnabled: configuration.logging))
    sendsCookie = configuration.cookie
    self.clock = clock
    self.onChange = onChange
  }

  /// What the person chose.
  public var status: Status { state.withLock { $0.consent.publicStatus } }

  /// The categories of the consent, in their order.
  public var categories: [ConsentCategory] { state.withLock { $0.consent.categories } }

  /// Whether a choice is tracked as an event (WT-465).
  public var isLoggingEnabled: Bool {
    get { state.withLock { $0.isLoggingEnabled } }
    set { state.withLock { $0.isLoggingEnabled = newValue } }
  }

  /// Told of what happens to the consent.
  public var delegate: (any ConsentDelegate)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  /// Makes consent count.
  public func enable() { change { $0.isEnabled = true } }

  /// Makes consent count no more.
  public func disable() { change { $0.isEnabled = false } }

  /// Records a choice: consent to all, or to none.
  public func set(status: Status) { choose(status, nil) }

  /// Records a consent to some categories; an empty list is none.
  public func set(categories: [ConsentCategory]) { choose(.consented, categories) }

  /// Records a choice with its categories.
  public func set(status: Status, categories: [ConsentCategory]) { choose(status, categories) }

  /// Records a consent to categories by their names.
  ///
  /// - Returns: the names that are none; they are left out (WT-461).
  @discardableResult
  public func set(categoryNames names: [String]) -> [String] {
    let (categories, unknown) = ConsentCategory.read(names)
    choose(.consented, categories)
    return unknown
  }

  /// Forgets the choice; nothing is sent.
  public func reset() { change { $0.reset() } }

  /// Forgets the categories, and with them the choice.
  public func resetCategories() { reset() }

  var current: ConsentChoice { state.withLock { $0.consent } }

  /// Looks whether the choice is too old.
  func expire() {
    change(isExpiry: true) { [clock] in _ = $0.expire(clock.wallMilliseconds) }
  }

  private func choose(_ status: Status, _ categories: [ConsentCategory]?) {
    let now = clock.wallMilliseconds
    change(isChoice: true) { $0.choose(status, categories, now) }
  }

  private func change(isChoice: Bool = false, isExpiry: Bool = false, _ body: (inout ConsentChoice) -> Void) {
    // The instance is told inside the lock, for changes must reach it in their order; it only queues them.
    state.withLock { state in
      let before = state.consent
      body(&state.consent)
      guard state.consent != before else { return }
      let announcements =
        isChoice ? state.consent.announcements(logging: state.isLoggingEnabled, cookie: sendsCookie) : []
      onChange(Change(before: before, after: state.consent, announcements: announcements, hasExpired: isExpiry))
    }
  }
}

/// Told of what happens to the consent of an instance; every method has a default that does nothing.
public protocol ConsentDelegate: AnyObject, Sendable {
  /// The choice is too old, and forgotten (WT-462).
  func consentDidExpire(_ consent: ConsentManager) async
  /// The choice changed.
  func consent(_ consent: ConsentManager, didChange status: ConsentManager.Status, categories: [ConsentCategory]) async
}

extension ConsentDelegate {
  /// Does nothing.
  public func consentDidExpire(_ consent: ConsentManager) async {}
  /// Does nothing.
  public func consent(
    _ consent: ConsentManager, didChange status: ConsentManager.Status, categories: [ConsentCategory]
  ) async {}
}
