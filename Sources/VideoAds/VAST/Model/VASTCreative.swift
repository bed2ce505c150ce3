extension VAST {
  /// What an ad shows: media, overlays or companions.
  public struct Creative: Sendable, Hashable, Codable {
    /// Its id.
    public var id: String?
    /// The ad server's id of it.
    public var adID: String?
    /// Its place among the ad's creatives.
    public var sequence: Int?
    /// The interface it is written for.
    public var apiFramework: String?
    /// Its ids in registries.
    public var universalAdIDs: [UniversalAdID] = []
    /// Media that takes the place of content.
    public var linear: Linear?
    /// Overlays over content.
    public var nonLinearAds: NonLinearAds?
    /// What is shown beside the player.
    public var companionAds: CompanionAds?
    /// What its server adds.
    public var extensions: [Extension] = []

    /// Makes an empty one.
    public init() {}
  }

  /// A creative's id in a registry.
  public struct UniversalAdID: Sendable, Hashable, Codable {
    /// The id.
    public var value: String
    /// The registry; `unknown` when the document does not say.
    public var registry: String
  }

  /// Media that takes the place of content.
  public struct Linear: Sendable, Hashable, Codable {
    /// Its duration in milliseconds.
    public var duration: Int64?
    /// From when it may be skipped; nil for never.
    public var skipOffset: TimeOffset?
    /// The same media in several forms.
    public var mediaFiles: [MediaFile] = []
    /// Masters to transcode from, which never play (VA-604).
    public var mezzanines: [MediaFile] = []
    /// Interactive parts, which are never run (VA-910).
    public var interactiveFiles: [InteractiveFile] = []
    /// Captions.
    public var captionFiles: [CaptionFile] = []
    /// Parameters for the media; an empty text when stated as such.
    public var adParameters: String?
    /// What to request when.
    public var tracking: [Tracking] = []
    /// Where a click leads.
    public var clickThrough: Link?
    /// What to request on a click.
    public var clickTrackings: [Link] = []
    /// What to request on a click of the app's own.
    public var customClicks: [Link] = []
    /// Icons over the media.
    public var icons: [Icon] = []

    /// Makes an empty one.
    public init() {}
  }

  /// One form of a linear creative's media.
  public struct MediaFile: Sendable, Hashable, Codable {
    /// Its URL.
    public var url: String
    /// Its id.
    public var id: String?
    /// Its MIME type in its one spelling (VA-315).
    public var type: String?
    /// Whether it is a stream; nil when the document does not say.
    public var isStreaming: Bool?
    /// Its width in pixels.
    public var width: Int?
    /// Its height in pixels.
    public var height: Int?
    /// The codec, as RFC 4281 writes it.
    public var codec: String?
    /// The average bit rate in kbit/s.
    public var bitrate: Int?
    /// The lowest bit rate in kbit/s.
    public var minBitrate: Int?
    /// The highest bit rate in kbit/s.
    public var maxBitrate: Int?
    /// Whether it may be scaled.
    public var isScalable: Bool?
    /// Whether scaling must keep its aspect ratio.
    public var keepsAspectRatio: Bool?
    /// Its size in bytes.
    public var fileSize: Int?
    /// 2D, 3D or 360, as written.
    public var mediaType: String?
    /// The interface it is written for, such as VPAID.
    public var apiFramework: String?
  }

  /// An interactive part of a linear creative.
  public struct InteractiveFile: Sendable, Hashable, Codable {
    /// Where it is.
    public enum Source: Sendable, Hashable, Codable {
      /// A file to load.
      case url(String)
      /// Markup.
      case html(String)
    }

    /// Where it is.
    public var source: Source
    /// Its MIME type.
    public var type: String?
    /// The interface it is written for, such as SIMID.
    public var apiFramework: String?
    /// Whether it may change the ad's duration.
    public var hasVariableDuration = false
    /// The media file it belongs to.
    public var mediaFileID: String?
    /// Parameters for it.
    public var adParameters: String?
  }

  /// Captions of a linear creative.
  public struct CaptionFile: Sendable, Hashable, Codable {
    /// Its URL.
    public var url: String
    /// Its MIME type.
    public var type: String?
    /// Its language, BCP 47.
    public var language: String?
  }
}
