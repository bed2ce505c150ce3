import Hits

/// The fields of enhanced e-commerce, from the data that a page or app pushed (TM-835).
///
///     currencyCode
///     impressions             list of products, each with the name of its list
///     promoView, promoClick   {promotions: list of promotions}
///     detail, click, …        {actionField: map, products: list of products}; the first in the protocol's order counts
///
/// The protocol's indexes are bounded: 200 products, promotions and impressions of a list, 30 lists.
struct EnhancedEcommerce {
  /// Wire names and texts.
  private(set) var fields: [String: String] = [:]
  /// How many products, impressions and promotions were beyond the bounds.
  private(set) var dropped = 0
  private let semantics: CompiledContainer.Semantics

  init(_ data: [String: Value], semantics: CompiledContainer.Semantics) {
    self.semantics = semantics
    set("cu", data["currencyCode"])
    readAction(data)
    readPromotions(data)
    readImpressions(data["impressions"]?.list ?? [])
  }

  private mutating func readAction(_ data: [String: Value]) {
    guard let action = Self.actions.first(where: { data[$0]?.map != nil }), let content = data[action]?.map else {
      return
    }
    fields["pa"] = action
    let details = content["actionField"]?.map ?? [:]
    for (key, name) in Self.actionFields { set(name, details[key]) }
    let products = (content["products"]?.list ?? []).compactMap(\.map)
    for (index, product) in bounded(products, Self.mostPerIndex).enumerated() {
      setProduct("pr\(index + 1)", product, Self.productFields)
    }
  }

  private mutating func readPromotions(_ data: [String: Value]) {
    let click = data["promoClick"]?.map
    guard let promotions = (click ?? data["promoView"]?.map)?["promotions"]?.list else { return }
    for (index, promotion) in bounded(promotions.compactMap(\.map), Self.mostPerIndex).enumerated() {
      for (key, name) in Self.promotionFields { set("promo\(index + 1)\(name)", promotion[key]) }
    }
    if click != nil { fields["promoa"] = "click" }
  }

  private mutating func readImpressions(_ impressions: [Value]) {
    var lists: [String: (index: Int, count: Int)] = [:]
    for impression in impressions.compactMap(\.map) {
      let name = impression["list"]?.text(semantics) ?? ""
      var list = lists[name] ?? (lists.count + 1, 0)
      list.count += 1
      guard list.index <= Self.mostLists, list.count <= Self.mostPerIndex else {
        dropped += 1
        continue
      }
      lists[name] = list
      if list.count == 1, !name.isEmpty { fields["il\(list.index)nm"] = name }
      setProduct("il\(list.index)pi\(list.count)", impression, Self.impressionFields)
    }
  }

  private mutating func setProduct(_ prefix: String, _ product: [String: Value], _ names: [(String, String)]) {
    for (key, name) in names { set(prefix + name, product[key]) }
    for (key, value) in product {
      if let index = Self.index(of: key, after: "dimension") { set("\(prefix)cd\(index)", value) }
      if let index = Self.index(of: key, after: "metric") { set("\(prefix)cm\(index)", value) }
    }
  }

  private mutating func set(_ name: String, _ value: Value?) {
    guard let text = value?.text(semantics), !text.isEmpty else { return }
    fields[name] = text
  }

  private mutating func bounded(_ items: [[String: Value]], _ most: Int) -> ArraySlice<[String: Value]> {
    dropped += max(0, items.count - most)
    return items.prefix(most)
  }

  private static func index(of key: String, after prefix: String) -> Int? {
    guard key.hasPrefix(prefix), let index = Int(key.dropFirst(prefix.count)), 1...200 ~= index,
      key == "\(prefix)\(index)"
    else { return nil }
    return index
  }

  private static let mostPerIndex = 200
  private static let mostLists = 30

  private static let actions = [
    "detail", "click", "add", "remove", "checkout", "checkout_option", "purchase", "refund",
  ]
  private static let actionFields = [
    ("id", "ti"), ("affiliation", "ta"), ("revenue", "tr"), ("tax", "tt"), ("shipping", "ts"), ("coupon", "tcc"),
    ("step", "cos"), ("option", "col"), ("list", "pal"),
  ]
  private static let impressionFields = [
    ("id", "id"), ("name", "nm"), ("brand", "br"), ("category", "ca"), ("variant", "va"), ("price", "pr"),
    ("position", "ps"),
  ]
  private static let productFields = impressionFields + [("quantity", "qt"), ("coupon", "cc")]
  private static let promotionFields = [("id", "id"), ("name", "nm"), ("creative", "cr"), ("position", "ps")]
}
