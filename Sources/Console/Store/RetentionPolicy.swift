/// How long and how much of each property's hits is kept (CO-702).
public struct RetentionPolicy: Sendable, Hashable {
  /// The bounds of one property; nil stands for none.
  public struct Bounds: Sendable, Hashable {
    /// Days that a hit is kept.
    public var days: Int?
    /// Bytes that are kept: what the hits say, and 256 for the columns of each.
    public var bytes: Int64?

    /// Makes bounds.
    public init(days: Int? = nil, bytes: Int64? = nil) {
      self.days = days
      self.bytes = bytes
    }
  }

  /// What holds for a property where nothing is said of itself.
  public var standard = Bounds()
  /// What is said of a property; what is not said is as in `standard`.
  public var byProperty: [String: Bounds] = [:]

  /// Makes a policy that keeps everything for ever.
  public init() {}

  /// The bounds that hold for a property.
  public func bounds(of property: String) -> Bounds {
    let own = byProperty[property]
    return Bounds(days: own?.days ?? standard.days, bytes: own?.bytes ?? standard.bytes)
  }
}
