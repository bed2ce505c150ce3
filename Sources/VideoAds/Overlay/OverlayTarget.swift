/// What a person can tap; what is not in the model is ignored (VA-1009).
public enum OverlayTarget: Sendable, Hashable, Codable {
  /// The ad's own area.
  case ad
  /// "Learn more".
  case clickThrough
  /// "Skip ad".
  case skip
  /// An icon, by its id in the model.
  case icon(Int)
  /// The close control of an icon's fallback image.
  case closeFallback
  /// An overlay ad.
  case overlay
  /// The close control of an overlay ad.
  case closeOverlay
}

/// A point of the ad's area, in points from its upper left corner.
public struct AdPoint: Sendable, Hashable, Codable {
  /// From left to right.
  public var x: Double
  /// From top to bottom.
  public var y: Double

  /// Makes a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A rectangle of the ad's area, in points from its upper left corner.
public struct AdRectangle: Sendable, Hashable, Codable {
  /// The upper left corner.
  public var origin: AdPoint
  /// Its size.
  public var size: AdSize

  /// Makes a rectangle.
  public init(x: Double, y: Double, width: Double, height: Double) {
    origin = AdPoint(x: x, y: y)
    size = AdSize(width: width, height: height)
  }

  /// Whether two rectangles have a point in common.
  public func intersects(_ other: AdRectangle) -> Bool {
    origin.x < other.origin.x + other.size.width && other.origin.x < origin.x + size.width
      && origin.y < other.origin.y + other.size.height && other.origin.y < origin.y + size.height
  }
}

/// Parts of the overlay that an app may leave out (VA-1003).
public enum AdUIElement: String, Sendable, Hashable, CaseIterable {
  /// The word that says it is an ad.
  case adAttribution
  /// Which ad of how many, and its time left.
  case countdown
}

/// Where a tap counts as a click (VA-850).
public enum ClickArea: String, Sendable, Hashable {
  /// On the whole ad.
  case full
  /// On "Learn more" alone.
  case button
}
