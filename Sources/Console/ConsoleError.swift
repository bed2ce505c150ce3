/// Why the server could not start, or something could not be published.
public struct ConsoleError: Error, Sendable, CustomStringConvertible {
  /// What went wrong: an open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A setting has no usable value.
    public static let invalidSetting = Code(rawValue: "invalidSetting")
    /// The address is taken, not this machine's, or not allowed.
    public static let cannotListen = Code(rawValue: "cannotListen")
    /// The HTTP library did not start.
    public static let cannotServe = Code(rawValue: "cannotServe")
    /// A container cannot be given to apps.
    public static let notDeliverable = Code(rawValue: "notDeliverable")
    /// A signing key cannot be used.
    public static let signingKey = Code(rawValue: "signingKey")
    /// A directory of published containers cannot be written.
    public static let siteFailed = Code(rawValue: "siteFailed")
    /// The data directory or its database cannot be used.
    public static let storeUnavailable = Code(rawValue: "storeUnavailable")
  }

  /// What went wrong.
  public var code: Code
  /// A sentence for a person at the terminal.
  public var message: String
  /// The error beneath; nil when there is none.
  public var cause: (any Error)?

  /// Makes an error.
  public init(code: Code, message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The sentence.
  public var description: String { message }
}
