/// Why a page host did not do what it was asked (WT-703).
public struct PageHostError: Error, Sendable, Hashable, Codable {
  /// What went wrong: an open set.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The engine cannot run here; the message names what is missing.
    public static let unavailable = Code(rawValue: "unavailable")
    /// The engine runs, but did not do what it can do; the message has its words.
    public static let engineFailed = Code(rawValue: "engineFailed")
    /// The host was not opened.
    public static let notOpen = Code(rawValue: "notOpen")
    /// The host was closed.
    public static let closed = Code(rawValue: "closed")
    /// Another load, or a stop, took the place of this one.
    public static let superseded = Code(rawValue: "superseded")
    /// The document could not be loaded; `number` is the engine's code.
    public static let loadFailed = Code(rawValue: "loadFailed")
    /// The document was answered with a bad status, `number`.
    public static let httpStatus = Code(rawValue: "httpStatus")
    /// The server's certificate is not trusted.
    public static let tls = Code(rawValue: "tls")
    /// The policy forbids the URL.
    public static let blocked = Code(rawValue: "blocked")
    /// No answer in time.
    public static let timeout = Code(rawValue: "timeout")
    /// The path of a call is none.
    public static let badPath = Code(rawValue: "badPath")
    /// There is no such function in the page.
    public static let notAFunction = Code(rawValue: "notAFunction")
    /// The function threw, or its promise was rejected; `script` tells where.
    public static let script = Code(rawValue: "script")
    /// The content process ended; `termination` tells why.
    public static let processTerminated = Code(rawValue: "processTerminated")
    /// The argument is longer than 8 MiB.
    public static let argumentTooLarge = Code(rawValue: "argumentTooLarge")
  }

  /// A place in a script.
  public struct ScriptPlace: Sendable, Hashable, Codable {
    /// The script's URL.
    public var source: String?
    /// The line, from 1.
    public var line: Int?
    /// The column, from 1.
    public var column: Int?

    /// Makes a place.
    public init(source: String? = nil, line: Int? = nil, column: Int? = nil) {
      self.source = source
      self.line = line
      self.column = column
    }
  }

  /// What went wrong.
  public var code: Code
  /// A sentence for a log: the engine's or the script's words, or a missing package.
  public var message: String
  /// The HTTP status or the engine's own code.
  public var number: Int?
  /// With `script`: where.
  public var script: ScriptPlace?
  /// With `processTerminated`: why.
  public var termination: TerminationReason?

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, number: Int? = nil, script: ScriptPlace? = nil,
    termination: TerminationReason? = nil
  ) {
    self.code = code
    self.message = message
    self.number = number
    self.script = script
    self.termination = termination
  }
}

extension PageHostError {
  /// The error of a call whose process ended.
  public static func processTerminated(_ reason: TerminationReason) -> PageHostError {
    PageHostError(.processTerminated, "the page's process ended: \(reason.rawValue)", termination: reason)
  }

  /// The error of a call or load of a closed host.
  public static let closed = PageHostError(.closed, "the page is closed")
  /// The error of a load whose place another took.
  public static let superseded = PageHostError(.superseded, "another load took its place")
  /// The error of a host that was not opened.
  public static let notOpen = PageHostError(.notOpen, "the page is not open")
}
