extension VAST {
  /// One ad of a document.
  public struct Ad: Sendable, Hashable, Codable {
    /// What the ad consists of.
    public enum Content: Sendable, Hashable, Codable {
      /// The ad itself.
      case inLine(InLine)
      /// Another document holds the ad.
      case wrapper(Wrapper)
      /// The ad is lost; the code goes to `errors` and to the wrappers above (VA-322, VA-324).
      case unusable(VASTErrorCode)
    }

    /// The kind of ad, which a document states from version 4.1.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// Pictures and sound.
      case video
      /// Sound alone.
      case audio
      /// Either.
      case hybrid
    }

    /// The ad's id.
    public var id: String?
    /// Its place in a pod, from 1; nil for a stand-alone ad (VA-317).
    public var sequence: Int?
    /// Where it stands in its document, such as `/VAST/Ad[2]`; nil for an ad that was read of none.
    public var path: String?
    /// The kind of ad.
    public var kind: Kind?
    /// Whether the ad's executable decides if it shows at all.
    public var isConditional = false
    /// The system that served it.
    public var system: AdSystem?
    /// What it costs.
    public var pricing: Pricing?
    /// What to request when it is shown.
    public var impressions: [Link] = []
    /// What to request when it fails.
    public var errors: [String] = []
    /// What to request when its visibility is known.
    public var viewableImpressions: [ViewableImpression] = []
    /// Who measures it.
    public var verifications: [Verification] = []
    /// Its media, overlays and companions.
    public var creatives: [Creative] = []
    /// What its server adds.
    public var extensions: [Extension] = []
    /// What it consists of.
    public var content: Content = .unusable(.invalidStructure)

    /// Makes an ad without content.
    public init() {}
  }

  /// What only the ad itself states.
  public struct InLine: Sendable, Hashable, Codable {
    /// The title.
    public var title: String?
    /// The id of this serving, for comparing counts.
    public var servingID: String?
    /// A description.
    public var description: String?
    /// The advertiser.
    public var advertiser: Advertiser?
    /// What the ad is about.
    public var categories: [Category] = []
    /// A survey's URL, with its type.
    public var survey: Survey?
    /// Seconds after which the ad must not be shown.
    public var expires: Int?

    /// Makes an empty one.
    public init() {}
  }

  /// Where the ad is, and how it may be followed.
  public struct Wrapper: Sendable, Hashable, Codable {
    /// The URL of the next document.
    public var adTagURL: String
    /// Categories the ad must not have.
    public var blockedCategories: [Category] = []
    /// Whether a wrapper in the answer may be followed.
    public var followsWrappers = true
    /// Whether several ads of the answer may take this one's place.
    public var allowsMultipleAds = false
    /// Whether a spare ad may take its place when the answer has none.
    public var fallsBackOnNoAd = true

    /// Makes a wrapper around a URL.
    public init(adTagURL: String) { self.adTagURL = adTagURL }
  }
}
