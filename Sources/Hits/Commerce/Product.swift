/// A product of enhanced e-commerce: sold, looked at, or shown in a list (HQ-120).
///
///     tracker.send(.screenView("Cart").product(action: .init(.add)).add(product: Product(id: "P1", price: 9.90)))
///
/// It must have an id or a name; a builder leaves out a product that has neither.
public struct Product: Sendable, Hashable {
  /// The stock-keeping unit.
  public var id: String?
  /// The name.
  public var name: String?
  /// The maker.
  public var brand: String?
  /// The category, its levels separated by `/`.
  public var category: String?
  /// The variant, such as a colour.
  public var variant: String?
  /// The price of one piece.
  public var price: Amount?
  /// How many; not sent for impressions.
  public var quantity: Int64?
  /// The coupon that was used; not sent for impressions.
  public var couponCode: String?
  /// The place in its list, from 1.
  public var position: Int64?
  /// Custom dimensions by index, 1 to 200.
  public var customDimensions: [Int: String]
  /// Custom metrics by index, 1 to 200.
  public var customMetrics: [Int: Double]

  /// Makes a product.
  public init(
    id: String? = nil, name: String? = nil, brand: String? = nil, category: String? = nil, variant: String? = nil,
    price: Amount? = nil, quantity: Int64? = nil, couponCode: String? = nil, position: Int64? = nil,
    customDimensions: [Int: String] = [:], customMetrics: [Int: Double] = [:]
  ) {
    self.id = id
    self.name = name
    self.brand = brand
    self.category = category
    self.variant = variant
    self.price = price
    self.quantity = quantity
    self.couponCode = couponCode
    self.position = position
    self.customDimensions = customDimensions
    self.customMetrics = customMetrics
  }

  /// The wire fields of the product at an index of a hit.
  public func wireFields(index: Int) -> [String: String] {
    var fields = fields(after: WireName.product(index, ""))
    fields[WireName.product(index, "qt")] = quantity?.fieldText
    fields[WireName.product(index, "cc")] = couponCode
    return fields
  }

  /// The wire fields of the product at an index of a list of impressions.
  public func wireFields(list: Int, index: Int) -> [String: String] {
    fields(after: WireName.impression(list, index, ""))
  }

  private func fields(after prefix: String) -> [String: String] {
    let named = [
      "id": id, "nm": name, "br": brand, "ca": category, "va": variant, "pr": price?.fieldText,
      "ps": position?.fieldText,
    ]
    var fields: [String: String] = [:]
    for case (let suffix, let value?) in named { fields[prefix + suffix] = value }
    for (index, value) in customDimensions { fields["\(prefix)cd\(index)"] = value }
    for (index, value) in customMetrics { fields["\(prefix)cm\(index)"] = value.fieldText }
    return fields
  }

  var isNamed: Bool { isText(id) || isText(name) }
}

/// A promotion that was seen or clicked (HQ-122).
///
/// It must have an id or a name; a builder leaves out a promotion that has neither.
public struct Promotion: Sendable, Hashable {
  /// The id.
  public var id: String?
  /// The name.
  public var name: String?
  /// The creative, such as a banner's name.
  public var creative: String?
  /// The place on the screen.
  public var position: String?

  /// Makes a promotion.
  public init(id: String? = nil, name: String? = nil, creative: String? = nil, position: String? = nil) {
    self.id = id
    self.name = name
    self.creative = creative
    self.position = position
  }

  /// The wire fields of the promotion at an index of a hit.
  public func wireFields(index: Int) -> [String: String] {
    var fields: [String: String] = [:]
    for case (let suffix, let value?) in [("id", id), ("nm", name), ("cr", creative), ("ps", position)] {
      fields[WireName.promotion(index, suffix)] = value
    }
    return fields
  }

  var isNamed: Bool { isText(id) || isText(name) }
}

/// What a person did with a promotion; without one, it was seen.
public enum PromotionAction: String, Sendable, Hashable {
  case view
  case click
}

/// Whether something is left of a text when it is cleaned.
private func isText(_ text: String?) -> Bool { text.map { !CleanText($0).text.isEmpty } ?? false }
