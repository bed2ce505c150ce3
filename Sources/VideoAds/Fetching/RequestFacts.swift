/// What the app's content is, for macros and for placing breaks (VA-103).
public struct ContentInfo: Sendable, Hashable {
  /// The id, as registry and value.
  public var id: String?
  /// The URL.
  public var url: String?
  /// The title.
  public var title: String?
  /// Words about it.
  public var keywords: [String] = []
  /// Seconds; nil while unknown, and for live content.
  public var duration: Double?
  /// Categories by the Content Taxonomy.
  public var categories: [String] = []
  /// Points at which breaks may be, in seconds, for offsets such as `#2`.
  public var breakOpportunities: [Double] = []

  /// Makes content of which nothing is known.
  public init() {}
}

/// How long and how full a break may be (VA-103).
public struct BreakLimits: Sendable, Hashable {
  /// Seconds of all its ads.
  public var maxDuration: Double?
  /// The number of its ads.
  public var maxAds: Int?
  /// Seconds of each ad at least.
  public var minAdLength: Double?
  /// Seconds of each ad at most.
  public var maxAdLength: Double?
  /// The size every ad must have.
  public var exactSize: AdSize?

  /// Makes no limits.
  public init() {}
}

/// A size in points.
public struct AdSize: Sendable, Hashable, Codable {
  /// From left to right.
  public var width: Double
  /// From top to bottom.
  public var height: Double

  /// Makes a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// Where a break stands in content.
public enum BreakPosition: String, Sendable, Hashable {
  /// Before content.
  case pre
  /// Inside of content.
  case mid
  /// After content.
  case post
  /// Without content.
  case standalone
}

/// What one request of ads states, without its source and its ports (VA-103).
struct RequestFacts: Sendable, Hashable {
  /// One id for all that a request leads to, a lower-case UUID.
  var transactionID: String
  /// 16 digits, for GAM (VA-204).
  var correlator: String
  var adWillAutoPlay: Bool?
  var adWillPlayMuted: Bool?
  var continuousPlayback: Bool?
  var content: ContentInfo?
  var breakPosition: BreakPosition?
  var breakLimits = BreakLimits()
  var adType: VAST.Ad.Kind = .video
  var allowNonLinear = true
  var placementType = 1
  var expectedAdCount: Int?
  var blockedCategories: [String] = []
  var desiredCategories: [String] = []
  var requireCategories = false
  /// Milliseconds; replaces both time caps of fetches (VA-214).
  var vastLoadTimeout: Double?
  var domain: String?
  var pageURL: String?
  var extensions: [String] = []
  var headers: [String: String] = [:]
  /// Whether there is content at all.
  var hasContent = true
  /// Values by macro name, in the place of our own.
  var macroValues: [String: String] = [:]
}
