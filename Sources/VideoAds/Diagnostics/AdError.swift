/// Why ads could not be loaded or played (VA-1300, vast-errors.tsv).
///
/// Its text names no query, no user info and no macro value (VA-1403).
public struct AdError: Error, Sendable, Hashable {
  /// The part of the work that failed.
  public enum Kind: String, Sendable, Hashable {
    /// It is not known.
    case unknown
    /// Documents.
    case loading
    /// Media.
    case playing
  }

  /// What failed: an open set of names.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The part of the work that failed.
  public var kind: Kind
  /// What failed.
  public var code: Code
  /// The code sent to `Error` URLs.
  public var vastCode: VASTErrorCode?
  /// The code sent to a break's `error` trackers.
  public var vmapCode: VMAPErrorCode?
  /// A sentence.
  public var message: String
  /// The ad it is about.
  public var adID: String?
  /// The break it is about.
  public var breakID: String?
  /// The URL it is about, without user info and query.
  public var url: String?
  /// What a library below said.
  public var underlying: String?
  /// What was found out about the documents before.
  public var diagnostics: [AdDiagnostic]

  /// Makes an error.
  public init(
    _ kind: Kind, _ code: Code, _ message: String, vastCode: VASTErrorCode? = nil, vmapCode: VMAPErrorCode? = nil,
    adID: String? = nil, breakID: String? = nil, url: String? = nil, underlying: String? = nil,
    diagnostics: [AdDiagnostic] = []
  ) {
    self.kind = kind
    self.code = code
    self.message = message
    self.vastCode = vastCode
    self.vmapCode = vmapCode
    self.adID = adID
    self.breakID = breakID
    self.url = url.map(Self.redacted)
    self.underlying = underlying
    self.diagnostics = diagnostics
  }

  static func redacted(_ url: String) -> String {
    var reference = URLReference(url)
    reference.query = nil
    reference.fragment = nil
    reference.authority = reference.authority.map { $0.split(separator: "@").last.map(String.init) ?? $0 }
    return reference.text
  }
}

extension AdError.Code {
  /// The first request failed.
  public static let requestFailed = Self(rawValue: "requestFailed")
  /// The first request took too long.
  public static let requestTimedOut = Self(rawValue: "requestTimedOut")
  /// The ad tag is no URL that can be requested.
  public static let invalidAdTagURL = Self(rawValue: "invalidAdTagURL")
  /// The playlist could not be read.
  public static let playlistMalformed = Self(rawValue: "playlistMalformed")
  /// Breaks need content's time, and nobody tells it.
  public static let contentPlayheadMissing = Self(rawValue: "contentPlayheadMissing")
  /// The request has no source.
  public static let invalidArguments = Self(rawValue: "invalidArguments")
  /// A call came where it has no meaning.
  public static let apiMisuse = Self(rawValue: "apiMisuse")
  /// The request was cancelled.
  public static let cancelled = Self(rawValue: "cancelled")
  /// The container is not visible.
  public static let slotNotVisible = Self(rawValue: "slotNotVisible")
  /// There is no player.
  public static let playerUnavailable = Self(rawValue: "playerUnavailable")
  /// Anything else.
  public static let undefined = Self(rawValue: "undefined")
}

extension VASTErrorCode {
  /// The name of the code in `AdError` and in the JSON of the command line.
  public var errorCode: AdError.Code { AdError.Code(rawValue: Self.rows[rawValue]?.name ?? "undefined") }

  /// The number that IMA gives such a failure.
  var imaCode: Int { Self.rows[rawValue]?.ima ?? 900 }

  private static let rows: [Int: (name: String, ima: Int)] = [
    100: ("malformedResponse", 100), 101: ("invalidStructure", 100), 102: ("unsupportedVersion", 100),
    200: ("unexpectedAdType", 200), 201: ("unexpectedLinearity", 200), 202: ("durationMismatch", 900),
    203: ("sizeMismatch", 200), 204: ("categoryMissing", 200), 205: ("categoryBlocked", 200),
    206: ("breakShortened", 900), 300: ("wrapperFailed", 900), 301: ("wrapperUnavailable", 301),
    302: ("tooManyRedirects", 302), 303: ("noAds", 303), 304: ("displayTimeout", 402), 400: ("playbackFailed", 400),
    401: ("mediaNotFound", 400), 402: ("mediaTimeout", 402), 403: ("noPlayableMedia", 403),
    405: ("mediaNotDisplayable", 400), 408: ("conditionalRejected", 200), 409: ("interactiveNotExecuted", 900),
    410: ("verificationNotExecuted", 900), 500: ("nonLinearFailed", 900), 501: ("nonLinearDoesNotFit", 900),
    502: ("nonLinearUnavailable", 900), 503: ("nonLinearUnsupported", 900), 600: ("companionFailed", 603),
    601: ("companionDoesNotFit", 603), 602: ("companionRequired", 603), 603: ("companionUnavailable", 603),
    604: ("companionUnsupported", 603), 900: ("undefined", 900),
  ]
}

extension VMAPErrorCode {
  /// The name of the code in `AdError`.
  public var errorCode: AdError.Code {
    let name =
      switch self {
      case .invalidStructure: "invalidStructure"
      case .unsupportedVersion: "unsupportedVersion"
      case .malformed, .unreadableData: "malformedResponse"
      case .unsupportedBreakType, .unsupportedTemplate: "unexpectedAdType"
      case .adResponseFailed: "noAds"
      case .timedOut: "requestTimedOut"
      case .unavailable: "requestFailed"
      default: "undefined"
      }
    return AdError.Code(rawValue: name)
  }

  /// The number that IMA gives such a failure.
  var imaCode: Int {
    switch self {
    case .invalidStructure, .unsupportedVersion, .malformed: 1_004
    case .unsupportedBreakType, .adResponseFailed, .unsupportedTemplate, .unreadableData: 1_010
    case .timedOut: 301
    case .unavailable: 1_005
    default: 900
    }
  }
}

extension AdError {
  /// The number that IMA gives such a failure.
  public var imaCode: Int {
    switch code {
    case .requestFailed: 1_005
    case .requestTimedOut: 301
    case .invalidAdTagURL: 303
    case .playlistMalformed: 1_004
    case .contentPlayheadMissing: 1_205
    case .invalidArguments: 1_101
    case .apiMisuse: 1_102
    case .slotNotVisible: 1_008
    case .playerUnavailable: 1_202
    // IMA has a number of its own for a first document without ads.
    case VASTErrorCode.noAds.errorCode where kind == .loading && vmapCode == nil: 1_009
    default: vmapCode?.imaCode ?? vastCode?.imaCode ?? 900
    }
  }
}

extension AdError {
  /// Whether the first document could not be had at all.
  package var isUnreachable: Bool { code == .requestFailed || code == .requestTimedOut }
}
