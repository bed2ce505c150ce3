/// What a lifecycle callback is about; the raw values are the original SDK's (TM-310).
public enum RefreshType: Int, Sendable, Hashable {
  /// Loading from disk.
  case saved = 0
  /// Loading over the network.
  case network = 1
}

/// Why loading from disk or over the network brought nothing (TM-313, TM-314).
public struct RefreshFailure: Error, Hashable, Sendable {
  /// The kind of failure, which is all that the original SDK told.
  public var reason: Reason
  /// What exactly.
  public var detail: Detail
  /// A sentence for developers that names the remedy where there is one.
  public var message: String

  /// Makes a failure.
  public init(_ reason: Reason, _ detail: Detail, _ message: String) {
    self.reason = reason
    self.detail = detail
    self.message = message
  }

  /// The kind of a failure; the raw values are the original SDK's.
  public enum Reason: Int, Sendable, Hashable {
    /// Nothing usable is saved.
    case noSavedContainer = 0
    /// What is saved cannot be read.
    case ioError = 1
    /// The device has no network.
    case noNetwork = 2
    /// No answer came.
    case networkError = 3
    /// The server's answer is of no use.
    case serverError = 4
    /// Anything else.
    case unknownError = 5
  }

  /// What exactly failed; the set may grow.
  public struct Detail: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name, with its argument in brackets.
    public let rawValue: String

    /// Makes a detail of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name, with its argument in brackets.
    public var description: String { rawValue }

    /// There is no saved file.
    public static let absent = Detail(rawValue: "absent")
    /// The saved file has a format of another version.
    public static let formatUnknown = Detail(rawValue: "formatUnknown")
    /// The app ships with a newer container than the saved one (TM-216).
    public static let olderThanDefault = Detail(rawValue: "olderThanDefault")
    /// The saved file is damaged.
    public static let corrupt = Detail(rawValue: "corrupt")
    /// The system does not let us read.
    public static let denied = Detail(rawValue: "denied")
    /// The saved file's signature is not valid (TM-442).
    public static let signatureInvalid = Detail(rawValue: "signatureInvalid")
    /// The device is offline.
    public static let offline = Detail(rawValue: "offline")
    /// The server's name does not resolve.
    public static let dns = Detail(rawValue: "dns")
    /// No agreement on encryption.
    public static let tls = Detail(rawValue: "tls")
    /// The server was too slow.
    public static let timeout = Detail(rawValue: "timeout")
    /// The connection broke, or was never made.
    public static let connection = Detail(rawValue: "connection")
    /// Too many redirects, or one to a place that is not allowed.
    public static let redirect = Detail(rawValue: "redirect")
    /// The server knows no such container.
    public static let notFound = Detail(rawValue: "notFound")
    /// The server refuses the container to this app.
    public static let forbidden = Detail(rawValue: "forbidden")
    /// The container is gone for good.
    public static let gone = Detail(rawValue: "gone")
    /// Too many requests.
    public static let throttled = Detail(rawValue: "throttled")
    /// The server fails.
    public static let unavailable = Detail(rawValue: "unavailable")
    /// The answer contradicts the request.
    public static let invalid = Detail(rawValue: "invalid")
    /// The answer is larger than a container may be.
    public static let tooLarge = Detail(rawValue: "tooLarge")
    /// The rules for signatures are not met (TM-441).
    public static let signature = Detail(rawValue: "signature")
    /// No server is configured.
    public static let noServerConfigured = Detail(rawValue: "noServerConfigured")
    /// The configured server's address may not be used.
    public static let insecureServer = Detail(rawValue: "insecureServer")
    /// The work was cancelled.
    public static let cancelled = Detail(rawValue: "cancelled")
    /// Nothing that should happen.
    public static let `internal` = Detail(rawValue: "internal")

    /// A status that says nothing more.
    public static func status(_ status: Int) -> Detail { Detail(rawValue: "status(\(status))") }
    /// Content that does not decode, with the diagnostic's code.
    public static func invalid(_ code: Diagnostic.Code) -> Detail { Detail(rawValue: "invalid(\(code))") }
  }
}

extension RefreshFailure: CustomStringConvertible {
  /// Reason and detail, such as `serverError(notFound)`, and the sentence.
  public var description: String { "\(reason)(\(detail)): \(message)" }
}

/// What became of a refresh (TM-403).
public enum RefreshOutcome: Sendable, Hashable {
  /// New content is in force, of this version.
  case updated(version: String)
  /// The content in force is the newest.
  case notChanged
  /// Nothing came; the content in force stays.
  case failed(RefreshFailure)
  /// Too many refreshes; none was made (TM-402).
  case rateLimited(retryAfter: Duration)
  /// The container was opened in default-container mode (TM-335).
  case defaultMode
  /// The container is closed.
  case closed
}
