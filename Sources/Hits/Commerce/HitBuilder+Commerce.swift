/// Enhanced e-commerce on top of any hit but transactions, items, custom hits and beacons (HQ-120 to HQ-123).
///
/// What cannot be added is left out and noted in `ignored`.
extension HitBuilder {
  /// Says what was done with the hit's products; a later action replaces the whole of an earlier one.
  public func product(action: ProductAction) -> HitBuilder {
    guard kind.carriesCommerce else { return ignoring("pa", .otherKind) }
    return replacing(ProductAction.names, with: action.wireFields())
  }

  /// Adds a product at the next index.
  public func add(product: Product) -> HitBuilder {
    guard kind.carriesCommerce else { return ignoring("pr", .otherKind) }
    guard product.isNamed else { return ignoring("pr", .unnamed) }
    var copy = self
    guard let index = copy.commerce.nextProduct() else { return ignoring("pr", .tooMany) }
    return copy.replacing([], with: product.wireFields(index: index))
  }

  /// Adds a product that was shown in a list, at the next index of that list.
  ///
  /// Lists get their indexes in the order of their first use; the source of the first use counts.
  public func add(impression product: Product, list: String, source: String? = nil) -> HitBuilder {
    guard kind.carriesCommerce else { return ignoring("il", .otherKind) }
    guard product.isNamed else { return ignoring("il", .unnamed) }
    var copy = self
    guard let place = copy.commerce.nextImpression(in: list) else { return ignoring("il", .tooMany) }
    var fields = product.wireFields(list: place.list, index: place.index)
    if place.index == 1 {
      fields[WireName.impressionList(place.list) + "nm"] = list
      fields[WireName.impressionList(place.list) + "ls"] = source
    }
    return copy.replacing([], with: fields)
  }

  /// Adds a promotion at the next index.
  public func add(promotion: Promotion) -> HitBuilder {
    guard kind.carriesCommerce else { return ignoring("promo", .otherKind) }
    guard promotion.isNamed else { return ignoring("promo", .unnamed) }
    var copy = self
    guard let index = copy.commerce.nextPromotion() else { return ignoring("promo", .tooMany) }
    return copy.replacing([], with: promotion.wireFields(index: index))
  }

  /// Says whether the hit's promotions were seen or clicked.
  public func promotion(action: PromotionAction) -> HitBuilder {
    guard kind.carriesCommerce else { return ignoring("promoa", .otherKind) }
    return replacing(["promoa"], with: ["promoa": action.rawValue])
  }
}

extension HitKind {
  /// Whether products, impressions and promotions may go with hits of this kind (HQ-123).
  var carriesCommerce: Bool {
    switch self {
    case .screenView, .pageView, .event, .exception, .timing, .social: true
    case .transaction, .item, .custom, .beacon: false
    }
  }
}
