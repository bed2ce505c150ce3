/// Where a page is in its life (section 300 of the specification).
public enum PageState: Sendable, Hashable {
  /// There is no page, and none is loading.
  case idle(IdleReason)
  /// The document is fetched and read.
  case loading
  /// The document is there; the universal tag is not ready.
  case loaded
  /// The universal tag takes events.
  case ready
  /// The page is to be loaded again before the next event.
  case stale(StaleReason)
  /// The load failed; another follows.
  case failed(PageFailure, attempt: Int)
  /// The page gives no sign of life and is being ended.
  case unresponsive
  /// The page's process ended; another load follows.
  case crashed(attempt: Int)
  /// For good.
  case closed

  /// The state without its details, as it is printed.
  public var name: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .loaded: "loaded"
    case .ready: "ready"
    case .stale: "stale"
    case .failed: "failed"
    case .unresponsive: "unresponsive"
    case .crashed: "crashed"
    case .closed: "closed"
    }
  }
}

/// Why there is no page.
public enum IdleReason: String, Sendable, Hashable {
  case notStarted
  case manual
  case disabled
  case offline
  case wifiOnly
  case battery
  case consent
  case suspended
  case noEngine
}

/// Why a page is to be loaded again.
public enum StaleReason: String, Sendable, Hashable {
  case newSession
  case pageChanged
  case age
  case requested
}

/// Why a load failed.
public struct PageFailure: Sendable, Hashable {
  /// What went wrong: an open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The universal tag was not ready in time; the message names scripts that failed to load.
    public static let notReady = Code(rawValue: "notReady")
    /// The document could not be loaded.
    public static let loadFailed = Code(rawValue: "loadFailed")
    /// The server gave a status that is no success.
    public static let httpStatus = Code(rawValue: "httpStatus")
    /// The server's certificate is not trusted.
    public static let tls = Code(rawValue: "tls")
    /// The policy forbids the page or a redirect of it.
    public static let blocked = Code(rawValue: "blocked")
    /// No end in time.
    public static let timeout = Code(rawValue: "timeout")
    /// Another document came than the one asked for.
    public static let unexpectedDocument = Code(rawValue: "unexpectedDocument")
    /// The answer is no HTML, or too long.
    public static let badDocument = Code(rawValue: "badDocument")
    /// The content does not have the hash that is pinned.
    public static let integrity = Code(rawValue: "integrity")
    /// The page's process ended too often.
    public static let crashLoop = Code(rawValue: "crashLoop")
    /// The engine cannot be started.
    public static let engineUnavailable = Code(rawValue: "engineUnavailable")
  }

  /// What went wrong.
  public var code: Code
  /// A sentence for a log.
  public var message: String

  /// Makes a failure.
  public init(_ code: Code, _ message: String = "") {
    self.code = code
    self.message = message
  }

  init(_ error: PageHostError) {
    let code: Code =
      switch error.code {
      case .httpStatus: .httpStatus
      case .tls: .tls
      case .blocked: .blocked
      case .timeout: .timeout
      case .unavailable: .engineUnavailable
      default: .loadFailed
      }
    self.init(code, error.message)
  }
}
