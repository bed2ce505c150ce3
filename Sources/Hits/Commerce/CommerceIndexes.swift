/// The indexes that a builder has given to its products, promotions and impressions, in the order of adding (HQ-120,
/// HQ-122).
struct CommerceIndexes: Sendable, Hashable {
  /// The greatest index of a product, of a promotion, and of an impression in its list.
  static let mostItems = 200
  /// The greatest index of a list of impressions.
  static let mostLists = 30

  private struct List: Sendable, Hashable {
    var index: Int
    var items = 0
  }

  private var products = 0
  private var promotions = 0
  private var lists: [String: List] = [:]

  /// The next index of a product; nil above the bound.
  mutating func nextProduct() -> Int? {
    guard products < Self.mostItems else { return nil }
    products += 1
    return products
  }

  /// The next index of a promotion; nil above the bound.
  mutating func nextPromotion() -> Int? {
    guard promotions < Self.mostItems else { return nil }
    promotions += 1
    return promotions
  }

  /// The index of a list by its name and the next index in it; nil above a bound.
  mutating func nextImpression(in name: String) -> (list: Int, index: Int)? {
    var list = lists[name] ?? List(index: lists.count + 1)
    guard list.index <= Self.mostLists, list.items < Self.mostItems else { return nil }
    list.items += 1
    lists[name] = list
    return (list.index, list.items)
  }
}
