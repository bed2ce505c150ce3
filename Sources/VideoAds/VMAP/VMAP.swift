/// The values that playlists are read into (VA-309).
public enum VMAP {
  /// One playlist.
  public struct Document: Sendable, Hashable, Codable {
    /// The version it states.
    public var version: String?
    /// Its breaks in document order, those included that cannot be used.
    public var breaks: [AdBreak] = []
    /// What its server adds.
    public var extensions: [VAST.Extension] = []

    /// Makes an empty playlist.
    public init(version: String? = nil) { self.version = version }
  }

  /// A playlist of which nothing can be used.
  public struct Failure: Error, Sendable, Hashable, Codable {
    /// Why.
    public var code: VMAPErrorCode

    /// Makes a failure.
    public init(_ code: VMAPErrorCode) { self.code = code }
  }

  /// A point of content at which ads may play.
  public struct AdBreak: Sendable, Hashable, Codable {
    /// When; nil when it is not readable.
    public var offset: Offset?
    /// What kinds of ad, in small letters: linear, nonlinear, display.
    public var types: [String] = []
    /// Its id.
    public var id: String?
    /// The time to the next repetition, in milliseconds.
    public var repeatAfter: Int64?
    /// Where its ads come from; nil for a break that is only tracked.
    public var source: AdSource?
    /// What to request when.
    public var tracking: [VAST.Tracking] = []
    /// What its server adds.
    public var extensions: [VAST.Extension] = []
    /// Why it cannot be used; nil when it can.
    public var rejection: VMAPErrorCode?

    /// Makes an empty break.
    public init() {}
  }

  /// When a break is due (VA-501).
  public enum Offset: Sendable, Hashable, Codable {
    /// Before content.
    case start
    /// After content.
    case end
    /// Milliseconds of content time.
    case time(Int64)
    /// A part of content's duration, between 0 and 1.
    case fraction(Double)
    /// The opportunity of that number, from 1.
    case opportunity(Int)
  }

  /// Where the ads of a break come from.
  public struct AdSource: Sendable, Hashable, Codable {
    /// What it holds.
    public enum Content: Sendable, Hashable, Codable {
      /// The ads themselves.
      case document(VAST.Document)
      /// Ads that cannot be read.
      case unreadable(VAST.Failure)
      /// A URL that answers with them; the template says in what form.
      case adTag(String, template: String?)
      /// Something of another kind.
      case custom(template: String?)
      /// Nothing.
      case missing
    }

    /// Its id.
    public var id: String?
    /// Whether several of its ads may play.
    public var allowsMultipleAds = true
    /// Whether wrappers in its document may be followed.
    public var followsRedirects = true
    /// What it holds.
    public var content: Content = .missing

    /// Makes an empty source.
    public init() {}
  }
}

/// The value of `[ERROR_CODE]` in playlists: why a break or a playlist failed (vast-errors.tsv).
public struct VMAPErrorCode: RawRepresentable, Sendable, Hashable, Codable {
  /// The number.
  public let rawValue: Int

  /// Makes a code of its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Anything else.
  public static let undefined = VMAPErrorCode(rawValue: 900)
  /// A required part is missing.
  public static let invalidStructure = VMAPErrorCode(rawValue: 1000)
  /// The version is not supported.
  public static let unsupportedVersion = VMAPErrorCode(rawValue: 1001)
  /// The break or playlist could not be read.
  public static let malformed = VMAPErrorCode(rawValue: 1002)
  /// No kind of ad of the break plays here.
  public static let unsupportedBreakType = VMAPErrorCode(rawValue: 1003)
  /// The break's document failed.
  public static let adResponseFailed = VMAPErrorCode(rawValue: 1004)
  /// The source's form is not supported.
  public static let unsupportedTemplate = VMAPErrorCode(rawValue: 1005)
  /// The document inside the playlist could not be read.
  public static let unreadableData = VMAPErrorCode(rawValue: 1006)
  /// The document did not come in time.
  public static let timedOut = VMAPErrorCode(rawValue: 1007)
  /// The document could not be fetched.
  public static let unavailable = VMAPErrorCode(rawValue: 1008)

  /// The text of `[ERROR_MSG]`.
  var message: String {
    switch self {
    case .invalidStructure: "A required part of the break is missing"
    case .unsupportedVersion: "The VMAP version is not supported"
    case .malformed: "The break could not be read"
    case .unsupportedBreakType: "No type of the break plays here"
    case .adResponseFailed: "The ad response failed"
    case .unsupportedTemplate: "The template type is not supported"
    case .unreadableData: "The ad data could not be read"
    case .timedOut: "The ad response did not come in time"
    case .unavailable: "The ad response could not be fetched"
    default: "Undefined error"
    }
  }
}
