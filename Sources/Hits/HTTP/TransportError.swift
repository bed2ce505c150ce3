/// Why there is no answer.
public struct TransportError: Error, Sendable, Hashable {
  /// Whether the server can have seen the request.
  public enum Phase: Sendable, Hashable {
    /// It cannot: sending again makes no double.
    case notSent
    /// It may have: the answer was lost.
    case uncertain
  }

  /// What went wrong: an open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No network.
    public static let offline = Code(rawValue: "offline")
    /// The name does not resolve.
    public static let dns = Code(rawValue: "dns")
    /// Nobody listens there.
    public static let refused = Code(rawValue: "refused")
    /// The connection broke.
    public static let connection = Code(rawValue: "connection")
    /// No agreement on encryption, or a bad certificate.
    public static let tls = Code(rawValue: "tls")
    /// The server has another public key than those pinned for its host.
    public static let keyNotPinned = Code(rawValue: "keyNotPinned")
    /// A time-out of the request passed.
    public static let timeout = Code(rawValue: "timeout")
    /// A redirect that the rule forbids, or too many.
    public static let redirectRefused = Code(rawValue: "redirectRefused")
    /// An address that the rule forbids.
    public static let addressRefused = Code(rawValue: "addressRefused")
    /// The answer is longer than the request allows.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The answer's content encoding is broken or unknown.
    public static let encoding = Code(rawValue: "encoding")
    /// The request was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The request itself cannot be sent, such as a URL that is none.
    public static let invalidRequest = Code(rawValue: "invalidRequest")

    /// Whether the server is not to be trusted: another try and another way do not help.
    public var isDistrust: Bool { self == .tls || self == .keyNotPinned }
  }

  /// Whether the server can have seen the request.
  public var phase: Phase
  /// What went wrong.
  public var code: Code
  /// A sentence, free of the URL's query and the body.
  public var message: String
  /// With `tooLarge`: the answer's status and headers, without the body.
  public var response: HTTPResponse?

  /// Makes an error.
  public init(phase: Phase, code: Code, message: String, response: HTTPResponse? = nil) {
    self.phase = phase
    self.code = code
    self.message = message
    self.response = response
  }
}
