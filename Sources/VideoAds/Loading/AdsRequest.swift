/// A request for ads: one source, and what is known of the place they play in (VA-101, VA-103).
public struct AdsRequest: Sendable {
  /// Where the ads come from.
  public enum Source: Sendable, Hashable {
    /// A URL that answers with ads.
    case adTag(String)
    /// An answer that the app has already; what is relative in it needs a base URL.
    case response(String, baseURL: String?)
    /// The bytes of a document, in any encoding that documents come in; it may be empty, as a server's answer may.
    case document([UInt8], baseURL: String?)
    /// Breaks that the app made, or kept from an earlier run.
    case schedule(AdSchedule)
  }

  /// Where the ads come from.
  public let source: Source
  /// Where they are shown; nil for audio, and for playing without a view.
  public var displayContainer: AdDisplayContainer?
  /// Where content is; nil when nobody tells.
  public var contentPlayhead: (any ContentPlayhead)?
  /// Given back with the result.
  public var userContext: (any Sendable)?
  /// Whether ads start without the person's doing.
  public var adWillAutoPlay: Bool?
  /// Whether they start silent.
  public var adWillPlayMuted: Bool?
  /// Whether content follows content by itself.
  public var continuousPlayback: Bool?
  /// What content is.
  public var content: ContentInfo?
  /// Where in content a single break stands; nil to tell by content's position.
  public var breakPosition: BreakPosition?
  /// How long and how full breaks may be.
  public var breakLimits = BreakLimits()
  /// The kind of ads that can play.
  public var adType: VAST.Ad.Kind = .video
  /// Whether overlays may be shown.
  public var allowNonLinear = true
  /// The placement by AdCOM's list.
  public var placementType = 1
  /// How many ads are expected.
  public var expectedAdCount: Int?
  /// Categories that ads must not have.
  public var blockedCategories: [String] = []
  /// Categories that ads may have.
  public var desiredCategories: [String] = []
  /// Whether ads behind wrappers that block categories must state theirs.
  public var requireCategories = false
  /// Milliseconds; replaces both time-outs of fetches.
  public var vastLoadTimeout: Double?
  /// Seconds; replaces the rendering setting for this request.
  public var loadVideoTimeout: Double?
  /// Seconds over which the fetches of live streams are spread.
  public var liveStreamPrefetchSeconds = 0.0
  /// The page's domain.
  public var domain: String?
  /// The page's URL.
  public var pageURL: String?
  /// Names of extensions that the app understands.
  public var extensions: [String] = []
  /// Further headers of the first fetch.
  public var headers: [String: String] = [:]
  /// Values by macro name, in the place of our own.
  package private(set) var macroValues: [String: String] = [:]

  /// Makes a request of an ad tag.
  public init(
    adTagURL: String, displayContainer: AdDisplayContainer? = nil, contentPlayhead: (any ContentPlayhead)? = nil,
    userContext: (any Sendable)? = nil
  ) {
    source = .adTag(adTagURL)
    self.displayContainer = displayContainer
    self.contentPlayhead = contentPlayhead
    self.userContext = userContext
  }

  /// Makes a request of an answer that is there already: nothing is fetched for it (VA-102).
  public init(
    adsResponse: String, baseURL: String? = nil, displayContainer: AdDisplayContainer? = nil,
    contentPlayhead: (any ContentPlayhead)? = nil, userContext: (any Sendable)? = nil
  ) {
    source = .response(adsResponse, baseURL: baseURL)
    self.displayContainer = displayContainer
    self.contentPlayhead = contentPlayhead
    self.userContext = userContext
  }

  /// Makes a request of a document's bytes, which counts as a server's answer.
  package init(document: [UInt8], baseURL: String? = nil) { source = .document(document, baseURL: baseURL) }

  /// Makes a request of breaks.
  public init(
    schedule: AdSchedule, displayContainer: AdDisplayContainer? = nil, contentPlayhead: (any ContentPlayhead)? = nil,
    userContext: (any Sendable)? = nil
  ) {
    source = .schedule(schedule)
    self.displayContainer = displayContainer
    self.contentPlayhead = contentPlayhead
    self.userContext = userContext
  }

  /// Whether what is relative in a document can be resolved against a URL.
  package static func isBase(_ url: String) -> Bool { (try? AdURL(url, base: nil)) != nil }

  /// Gives a macro a value; false when there is no macro of that name.
  package mutating func setMacro(_ name: String, to value: String) -> Bool {
    guard MacroName(rawValue: name) != nil else { return false }
    macroValues[name] = value
    return true
  }

  /// The ad tag as the app wrote it; nil when the app had the ads.
  var adTag: String? { if case .adTag(let url) = source { url } else { nil } }

  /// What macros and rules need of it.
  func facts(transactionID: String, correlator: String) -> RequestFacts {
    var facts = RequestFacts(transactionID: transactionID, correlator: correlator)
    facts.adWillAutoPlay = adWillAutoPlay
    facts.adWillPlayMuted = adWillPlayMuted
    facts.continuousPlayback = continuousPlayback
    facts.content = content
    facts.breakPosition = breakPosition
    facts.breakLimits = breakLimits
    facts.adType = adType
    facts.allowNonLinear = allowNonLinear
    facts.placementType = placementType
    facts.expectedAdCount = expectedAdCount
    facts.blockedCategories = blockedCategories
    facts.desiredCategories = desiredCategories
    facts.requireCategories = requireCategories
    facts.vastLoadTimeout = vastLoadTimeout
    facts.domain = domain
    facts.pageURL = pageURL
    facts.extensions = extensions
    facts.headers = headers
    facts.macroValues = macroValues
    facts.hasContent = breakPosition != .standalone
    return facts
  }
}
