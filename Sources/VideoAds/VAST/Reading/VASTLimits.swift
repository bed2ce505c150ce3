/// What the reader takes from one document at most (VA-326).
public struct VASTLimits: Sendable, Hashable {
  /// Elements inside each other; beyond it the document fails with 100.
  public var depth = 64
  /// Attributes of one element; the rest is ignored, as it is beyond every other count.
  public var attributes = 64
  /// Elements of the document.
  public var elements = 20_000
  /// Bytes of one text or attribute; beyond it the document fails with 100.
  public var textBytes = 1 << 20
  /// Ads of the document.
  public var ads = 100
  /// Breaks of a playlist.
  public var breaks = 500
  /// Media files of one creative.
  public var mediaFiles = 64
  /// Trackers of one creative.
  public var tracking = 500
  /// Elements kept of all extensions (VA-303).
  public var extensionNodes = 2_000

  /// Makes the limits of VA-326, to be changed as needed.
  public init() {}

  /// The limits of VA-326.
  public static let standard = VASTLimits()
}
