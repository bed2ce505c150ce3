/// A call that cannot be served (TM-1204).
///
/// Faults of an input are diagnostics, faults while an event is evaluated are outcomes; neither is an error.
public struct TagManagerError: Error, Sendable {
  /// What is wrong.
  public var code: Code
  /// A sentence for developers, without user data.
  public var message: String
  /// The error beneath, if there is one.
  public var cause: (any Error)?

  /// Makes an error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// What is wrong; the set may grow.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name, such as `alreadyOpen`.
    public let rawValue: String

    /// Makes a code of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// The text is no container id (TM-100).
    public static let invalidContainerID = Code(rawValue: "invalidContainerID")
    /// The container is open already (TM-331).
    public static let alreadyOpen = Code(rawValue: "alreadyOpen")
    /// The container is closed.
    public static let closed = Code(rawValue: "closed")
    /// A value has a type that the data layer cannot hold (TM-501).
    public static let unsupportedType = Code(rawValue: "unsupportedType")
    /// The configuration contradicts itself or lacks something.
    public static let configuration = Code(rawValue: "configuration")
  }
}

extension TagManagerError: CustomStringConvertible {
  /// Code and message.
  public var description: String { "\(code): \(message)" }
}
