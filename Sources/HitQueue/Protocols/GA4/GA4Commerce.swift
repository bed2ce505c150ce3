import Hits

/// The e-commerce events of a hit: product action, impression lists, promotions (HQ-631, HQ-632).
struct GA4Commerce {
  private let fields: [String: String]
  private let names: [String: String]
  private let indexed: ProductFields

  init(fields: [String: String], names: [String: String]) {
    self.fields = fields
    self.names = names
    indexed = ProductFields(fields)
  }

  /// The events in the order action, lists, promotions.
  var events: [GA4Event] { [action].compactMap { $0 } + lists + promotions }

  private var action: GA4Event? {
    guard let action = fields["pa"], let name = name(of: action) else { return nil }
    var parameters: [String: Value] = [:]
    switch action {
    case "purchase", "refund": parameters = Self.order(fields)
    case "checkout", "checkout_option":
      parameters = GA4Translation.texts(["checkout_option": "col"], fields)
        .merging(GA4Translation.numbers(["checkout_step": "cos"], fields)) { text, _ in text }
    default: parameters = GA4Translation.texts(["item_list_name": "pal"], fields)
    }
    parameters["coupon"] = fields["tcc"].map { .string($0) }
    let items = indexed.products.map { item(of: $0, list: fields["pal"]) }
    if !items.isEmpty { parameters["items"] = .list(items) }
    return GA4Event(name: name, parameters: parameters)
  }

  private func name(of action: String) -> String? {
    switch action {
    case "detail": "view_item"
    case "click": "select_item"
    case "add": "add_to_cart"
    case "remove": "remove_from_cart"
    case "checkout": (fields["cos"].flatMap { Int64($0) } ?? 1) > 1 ? "checkout_progress" : "begin_checkout"
    case "checkout_option": "checkout_progress"
    case "purchase", "refund": action
    default: nil
    }
  }

  private var lists: [GA4Event] {
    indexed.lists.map { list in
      var parameters: [String: Value] = ["items": .list(list.products.map { item(of: $0, list: list.name) })]
      parameters["item_list_name"] = list.name.map { .string($0) }
      return GA4Event(name: "view_item_list", parameters: parameters)
    }
  }

  private var promotions: [GA4Event] {
    indexed.promotions.map { promotion in
      GA4Event(
        name: fields["promoa"] == "click" ? "select_promotion" : "view_promotion",
        parameters: GA4Translation.texts(
          ["promotion_id": "id", "promotion_name": "nm", "creative_name": "cr", "creative_slot": "ps"], promotion))
    }
  }

  /// What an order is: its id, who sold it, and its money, which counts only with its currency (HQ-633).
  static func order(_ fields: [String: String]) -> [String: Value] {
    var order = GA4Translation.texts(["transaction_id": "ti", "affiliation": "ta"], fields)
    order.merge(GA4Translation.numbers(["tax": "tt", "shipping": "ts"], fields)) { text, _ in text }
    if let revenue = fields["tr"], let currency = fields["cu"], GA4Limits.isCurrency(currency) {
      order["value"] = Value(wireNumber: revenue)
      order["currency"] = .string(currency)
    }
    return order
  }

  private func item(of product: ProductFields.Product, list: String?) -> Value {
    var item = GA4Translation.texts(
      ["item_id": "id", "item_name": "nm", "item_brand": "br", "item_variant": "va", "coupon": "cc"], product)
    item.merge(GA4Translation.numbers(["price": "pr", "quantity": "qt", "index": "ps"], product)) { text, _ in text }
    item["item_list_name"] = list.map { .string($0) }
    let categories = product["ca"]?.split(separator: "/").map { $0.drop { $0 == " " } } ?? []
    for (index, category) in categories.prefix(5).enumerated() {
      item[index == 0 ? "item_category" : "item_category\(index + 1)"] = .string(String(category))
    }
    item.merge(GA4Translation.custom(product, names: names)) { own, _ in own }
    return .map(item)
  }
}
