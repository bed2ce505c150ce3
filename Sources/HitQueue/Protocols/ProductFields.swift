import Hits

/// The indexed fields of enhanced e-commerce, gathered by their index: `pr2nm` is `nm` of product 2 (HQ-120, HQ-122).
struct ProductFields: Sendable, Hashable {
  /// What one index says, by suffix, such as `nm` or `cd3`.
  typealias Product = [String: String]

  /// An impression list.
  struct List: Sendable, Hashable {
    var name: String?
    var products: [Product] = []
  }

  private(set) var products: [Product] = []
  private(set) var lists: [List] = []
  private(set) var promotions: [Product] = []

  init(_ fields: [String: String]) {
    var products: [Int: Product] = [:]
    var promotions: [Int: Product] = [:]
    var lists: [Int: (fields: Product, products: [Int: Product])] = [:]
    for (name, value) in fields {
      if let (index, suffix) = Self.split(name, after: "promo") {
        promotions[index, default: [:]][suffix] = value
      } else if let (index, suffix) = Self.split(name, after: "pr") {
        products[index, default: [:]][suffix] = value
      } else if let (list, rest) = Self.split(name, after: "il") {
        if let (index, suffix) = Self.split(rest, after: "pi") {
          lists[list, default: ([:], [:])].products[index, default: [:]][suffix] = value
        } else {
          lists[list, default: ([:], [:])].fields[rest] = value
        }
      }
    }
    self.products = Self.inOrder(products)
    self.promotions = Self.inOrder(promotions)
    self.lists = lists.sorted { $0.key < $1.key }.map {
      List(name: $0.value.fields["nm"], products: Self.inOrder($0.value.products))
    }
  }

  private static func inOrder(_ products: [Int: Product]) -> [Product] {
    products.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The number behind a prefix and what follows it; nil where there is no number, or nothing follows.
  static func split(_ name: some StringProtocol, after prefix: String) -> (index: Int, suffix: String)? {
    guard name.hasPrefix(prefix) else { return nil }
    let rest = name.dropFirst(prefix.count)
    let digits = rest.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard let index = Int(String(rest.prefix(digits.count))) else { return nil }
    let suffix = String(rest.dropFirst(digits.count))
    return suffix.isEmpty ? nil : (index, suffix)
  }

  /// The index of a name that is a prefix and a number, such as `cd3`.
  static func index(of name: String, after prefix: String) -> Int? {
    guard name.hasPrefix(prefix) else { return nil }
    let digits = name.dropFirst(prefix.count)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int(digits)
  }
}
