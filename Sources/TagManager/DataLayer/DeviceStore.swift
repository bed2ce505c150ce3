import Hits

/// The port that keeps small texts for the life of the install, by key (TM-1203).
///
/// What is kept: click strings (TM-546), the ids of image tags that fire once per install (TM-840). It is no place for
/// anything large or often written. Calls may come from any thread and must be quick.
public protocol DeviceStore: Sendable {
  /// The text of a key; nil when there is none.
  func text(for key: String) throws -> String?

  /// Sets the text of a key; nil deletes it.
  func set(_ text: String?, for key: String) throws
}

/// A store that lives as long as the process, for tests.
public final class InMemoryDeviceStore: DeviceStore {
  private let texts = Locked<[String: String]>([:])

  /// Makes an empty store.
  public init() {}

  /// The text of a key; nil when there is none.
  public func text(for key: String) -> String? { texts.withLock { $0[key] } }

  /// Sets the text of a key; nil deletes it.
  public func set(_ text: String?, for key: String) { texts.withLock { $0[key] = text } }
}
