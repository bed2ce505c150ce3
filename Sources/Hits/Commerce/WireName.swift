/// Names of indexed e-commerce fields, such as `pr1id`, from their indexes and suffixes (HQ-122).
///
/// A suffix is `id`, `nm`, `br` and so on, as the protocol's table has them. Indexes begin with 1.
public enum WireName {
  /// A product's field: `pr1id`.
  public static func product(_ index: Int, _ suffix: String) -> String { "pr\(index)\(suffix)" }

  /// What every field of a list of impressions begins with: `il1`.
  public static func impressionList(_ index: Int) -> String { "il\(index)" }

  /// The field of a product in a list of impressions: `il1pi2id`.
  public static func impression(_ list: Int, _ index: Int, _ suffix: String) -> String {
    "il\(list)pi\(index)\(suffix)"
  }

  /// A promotion's field: `promo1id`.
  public static func promotion(_ index: Int, _ suffix: String) -> String { "promo\(index)\(suffix)" }
}
