/// What a person did with a hit's products (HQ-121).
///
///     .product(action: ProductAction(.purchase, transactionID: "T1", revenue: 15.47))
///
/// A purchase or refund without a transaction id is refused at `send`.
public struct ProductAction: Sendable, Hashable {
  /// The action itself.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case detail
    case click
    case add
    case remove
    case checkout
    case checkoutOption = "checkout_option"
    case purchase
    case refund
  }

  /// What was done.
  public var kind: Kind
  /// The transaction of a purchase or refund.
  public var transactionID: String?
  /// The shop.
  public var affiliation: String?
  /// The total, tax and shipping included.
  public var revenue: Amount?
  /// The tax in it.
  public var tax: Amount?
  /// The shipping in it.
  public var shipping: Amount?
  /// The coupon of the whole transaction.
  public var couponCode: String?
  /// The step of a checkout, from 1.
  public var checkoutStep: Int64?
  /// The choice made in that step, such as a card's brand.
  public var checkoutOption: String?
  /// The list in which the products were clicked or looked at.
  public var list: String?
  /// Where that list was shown.
  public var listSource: String?

  /// Makes an action.
  public init(
    _ kind: Kind, transactionID: String? = nil, affiliation: String? = nil, revenue: Amount? = nil,
    tax: Amount? = nil, shipping: Amount? = nil, couponCode: String? = nil, checkoutStep: Int64? = nil,
    checkoutOption: String? = nil, list: String? = nil, listSource: String? = nil
  ) {
    self.kind = kind
    self.transactionID = transactionID
    self.affiliation = affiliation
    self.revenue = revenue
    self.tax = tax
    self.shipping = shipping
    self.couponCode = couponCode
    self.checkoutStep = checkoutStep
    self.checkoutOption = checkoutOption
    self.list = list
    self.listSource = listSource
  }

  /// The wire fields of the action.
  public func wireFields() -> [String: String] {
    let values = [
      "ti": transactionID, "ta": affiliation, "tr": revenue?.fieldText, "tt": tax?.fieldText,
      "ts": shipping?.fieldText, "tcc": couponCode, "cos": checkoutStep?.fieldText, "col": checkoutOption,
      "pal": list, "pls": listSource,
    ]
    return values.compactMapValues { $0 }.merging(["pa": kind.rawValue]) { $1 }
  }

  /// Every field that an action writes.
  static let names: Set<String> = ["pa", "ti", "ta", "tr", "tt", "ts", "tcc", "cos", "col", "pal", "pls"]
}
