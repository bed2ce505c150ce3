extension VAST {
  /// What an icon, an overlay or a companion shows.
  public enum Resource: Sendable, Hashable, Codable {
    /// An image or another file, with its MIME type.
    case file(url: String, type: String?)
    /// A page in a frame.
    case frame(url: String)
    /// Markup.
    case html(String)
  }

  /// A small picture over the media, such as that of a privacy program.
  public struct Icon: Sendable, Hashable, Codable {
    /// Where it is along one axis.
    public enum Position: Sendable, Hashable, Codable {
      /// At the left or upper edge.
      case leading
      /// At the right or lower edge.
      case trailing
      /// Points from the left or upper edge.
      case points(Int)
    }

    /// The program it stands for.
    public var program: String?
    /// Its width.
    public var width: Int?
    /// Its height.
    public var height: Int?
    /// Its place from left to right.
    public var x: Position = .trailing
    /// Its place from top to bottom.
    public var y: Position = .leading
    /// When it appears, in milliseconds of ad time.
    public var offset: Int64?
    /// How long it stays, in milliseconds; nil for to the end.
    public var duration: Int64?
    /// The interface it is written for.
    public var apiFramework: String?
    /// Pixels a point.
    public var pixelRatio: Double = 1
    /// A text instead of the picture.
    public var alternativeText: String?
    /// A text while a pointer is over it.
    public var hoverText: String?
    /// The rules it is shown for, as written.
    public var regulations: String?
    /// What it shows, in the order of the document.
    public var resources: [Resource] = []
    /// What to request when it is seen.
    public var viewTrackings: [String] = []
    /// Where a click leads.
    public var clickThrough: String?
    /// What to request on a click.
    public var clickTrackings: [Link] = []
    /// What to show where no page can be opened.
    public var fallbackImages: [FallbackImage] = []

    /// Makes an empty one.
    public init() {}
  }

  /// What an icon shows where no page can be opened.
  public struct FallbackImage: Sendable, Hashable, Codable {
    /// Its width.
    public var width: Int?
    /// Its height.
    public var height: Int?
    /// A text instead of it.
    public var alternativeText: String?
    /// The image.
    public var resource: Resource?
  }

  /// The overlays of a creative.
  public struct NonLinearAds: Sendable, Hashable, Codable {
    /// What to request when.
    public var tracking: [Tracking] = []
    /// The overlays, of which one is shown.
    public var nonLinears: [NonLinear] = []

    /// Makes an empty one.
    public init() {}
  }

  /// An overlay over content.
  public struct NonLinear: Sendable, Hashable, Codable {
    /// Its id.
    public var id: String?
    /// Its width.
    public var width: Int?
    /// Its height.
    public var height: Int?
    /// Its width when it has grown.
    public var expandedWidth: Int?
    /// Its height when it has grown.
    public var expandedHeight: Int?
    /// Whether it may be scaled.
    public var isScalable: Bool?
    /// Whether scaling must keep its aspect ratio.
    public var keepsAspectRatio: Bool?
    /// How long it must be shown, in milliseconds.
    public var minSuggestedDuration: Int64?
    /// The interface it is written for.
    public var apiFramework: String?
    /// What it shows.
    public var resources: [Resource] = []
    /// Parameters for it.
    public var adParameters: String?
    /// Where a click leads.
    public var clickThrough: Link?
    /// What to request on a click.
    public var clickTrackings: [Link] = []

    /// Makes an empty one.
    public init() {}
  }

  /// What a creative shows beside the player.
  public struct CompanionAds: Sendable, Hashable, Codable {
    /// How many of the companions must be shown for the ad to be shown.
    public enum Required: String, Sendable, Hashable, Comparable, Codable {
      /// The ad plays without them.
      case none
      /// At least one is to be shown.
      case any
      /// All are to be shown.
      case all

      /// Orders by strictness.
      public static func < (left: Required, right: Required) -> Bool { left.rank < right.rank }

      private var rank: Int { self == .none ? 0 : self == .any ? 1 : 2 }
    }

    /// How many must be shown.
    public var required: Required = .none
    /// The companions.
    public var companions: [Companion] = []

    /// Makes an empty one.
    public init() {}
  }

  /// One picture or page beside the player.
  public struct Companion: Sendable, Hashable, Codable {
    /// When it is shown.
    public enum RenderingMode: String, Sendable, Hashable, Codable {
      /// As the player likes.
      case `default`
      /// When the ad is over.
      case endCard = "end-card"
      /// While the ad plays.
      case concurrent
    }

    /// Its id.
    public var id: String?
    /// Its width.
    public var width: Int?
    /// Its height.
    public var height: Int?
    /// The width of what it shows.
    public var assetWidth: Int?
    /// The height of what it shows.
    public var assetHeight: Int?
    /// Its width when it has grown.
    public var expandedWidth: Int?
    /// Its height when it has grown.
    public var expandedHeight: Int?
    /// The interface it is written for.
    public var apiFramework: String?
    /// The slot it is meant for.
    public var adSlotID: String?
    /// Pixels a point.
    public var pixelRatio: Double = 1
    /// When it is shown.
    public var renderingMode: RenderingMode = .default
    /// What it shows.
    public var resources: [Resource] = []
    /// Parameters for it.
    public var adParameters: String?
    /// A text instead of it.
    public var alternativeText: String?
    /// Where a click leads.
    public var clickThrough: Link?
    /// What to request on a click.
    public var clickTrackings: [Link] = []
    /// What to request when.
    public var tracking: [Tracking] = []
    /// What its server adds.
    public var extensions: [Extension] = []

    /// Makes an empty one.
    public init() {}
  }
}
