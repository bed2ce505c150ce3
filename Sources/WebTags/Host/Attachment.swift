/// Which view carries the page, where the platform has views (WT-760).
public enum Attachment: Sendable, Hashable {
  /// The one that the app shows when the page is made.
  case automatic
  /// A view of the app's.
  case view(PlatformReference)
  /// None.
  case none
}

/// A weak reference to an object of the platform, such as a view, that this module does not look into.
///
/// References are equal when they were made of the same object.
public final class PlatformReference: Sendable {
  /// The object, while it lives.
  @MainActor public private(set) weak var object: AnyObject?
  private let identity: ObjectIdentifier

  /// Refers to an object.
  @MainActor
  public init(_ object: AnyObject) {
    self.object = object
    identity = ObjectIdentifier(object)
  }
}

extension PlatformReference: Hashable {
  /// Whether both were made of the same object.
  public static func == (left: PlatformReference, right: PlatformReference) -> Bool { left.identity == right.identity }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
