/// Where an ad stands in its break (VA-521).
public struct AdPodInfo: Sendable, Hashable {
  /// How many ads the break has, bumpers left out.
  public var totalAds: Int
  /// The ad's place, from 1.
  public var adPosition: Int
  /// Whether it is a bumper.
  public var isBumper: Bool
  /// 0 the pre-roll, 1… the mid-rolls by time, −1 the post-roll.
  public var podIndex: Int
  /// Seconds of content time; 0 the pre-roll, −1 the post-roll.
  public var timeOffset: Double
  /// Seconds; −1 when it is not known.
  public var maxDuration: Double
}
