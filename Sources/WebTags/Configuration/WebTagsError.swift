/// Why web tags cannot do what the app asks.
public struct WebTagsError: Error, Sendable {
  /// What went wrong: an open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A field of the configuration, `subject`, has no meaning.
    public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
    /// Another instance lives under the key, `subject`.
    public static let keyInUse = Code(rawValue: "keyInUse")
    /// Another process, or another instance, holds the folder, `subject`.
    public static let storageInUse = Code(rawValue: "storageInUse")
    /// The folder, `subject`, cannot be made, read or written.
    public static let storageFailed = Code(rawValue: "storageFailed")
    /// The instance was destroyed.
    public static let instanceClosed = Code(rawValue: "instanceClosed")
    /// A remote command of the id, `subject`, is there already.
    public static let commandExists = Code(rawValue: "commandExists")
    /// The id, `subject`, cannot be that of a remote command.
    public static let invalidCommandID = Code(rawValue: "invalidCommandID")
    /// The trace token, `subject`, has other characters than it may have.
    public static let invalidTrace = Code(rawValue: "invalidTrace")
    /// No engine can do this here.
    public static let engineUnavailable = Code(rawValue: "engineUnavailable")
    /// The publish settings could not be fetched or read.
    public static let settingsUnavailable = Code(rawValue: "settingsUnavailable")
  }

  /// What went wrong.
  public var code: Code
  /// The field, key, id or path it is about.
  public var subject: String
  /// A sentence for a log.
  public var message: String
  /// What lies beneath.
  public var cause: (any Error)?

  /// Makes an error.
  public init(_ code: Code, _ subject: String = "", _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.subject = subject
    self.message = message
    self.cause = cause
  }

  static let closed = WebTagsError(.instanceClosed, "", "the instance was destroyed")
}
