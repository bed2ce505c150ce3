import Hits

/// What this library calls itself.
public enum HitQueueInfo {
  /// The product's name, as in the user agent (HQ-601).
  public static let product = ProductInfo.name
  /// The version, as in `_v` (HQ-612).
  public static let version = ProductInfo.version
}
