import Hits

/// What of an ad can be seen, after clipping and unfriendly obstructions (VA-820).
public struct AdGeometry: Sendable, Hashable {
  /// The ad's place in the viewport.
  public var frame: AdRectangle
  /// The size of the viewport.
  public var viewport: AdSize
  /// The visible part, 0 to 1; 0 when the screen is off.
  public var visibleFraction: Double
  /// Why it is not seen in full, such as `clipped`, `obstructed`, `hidden`.
  public var reasons: [String]

  /// Makes a geometry.
  public init(frame: AdRectangle, viewport: AdSize, visibleFraction: Double, reasons: [String] = []) {
    self.frame = frame
    self.viewport = viewport
    self.visibleFraction = visibleFraction
    self.reasons = reasons
  }

  /// Whether scripts are told of the change: by a hundredth, or for another reason (VA-903).
  func differs(from other: AdGeometry) -> Bool {
    abs(visibleFraction - other.visibleFraction) >= 0.01 || reasons != other.reasons
  }

  /// The data of the events `geometryChange` and `impression` (VA-903).
  var value: Value {
    let rectangle = { (rectangle: AdRectangle) -> Value in
      [
        "x": .double(rectangle.origin.x), "y": .double(rectangle.origin.y),
        "width": .double(rectangle.size.width), "height": .double(rectangle.size.height),
      ]
    }
    return [
      "viewport": ["width": .double(viewport.width), "height": .double(viewport.height)],
      "adView": [
        "percentageInView": .double((visibleFraction * 100).rounded()), "geometry": rectangle(frame),
        "onScreenGeometry": rectangle(frame), "reasons": .list(reasons.map { .string($0) }),
      ],
    ]
  }
}
