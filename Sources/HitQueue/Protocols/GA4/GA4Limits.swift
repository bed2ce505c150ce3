/// The limits of GA4's Measurement Protocol (HQ-634).
enum GA4Limits {
  static let events = 25
  static let body = 130_000
  static let parameters = 25
  static let items = 200
  static let itemParameters = 10
  static let userProperties = 25
  static let name = 40
  static let userPropertyName = 24
  static let userPropertyValue = 36
  /// How old an event may be, in milliseconds.
  static let backdating: Int64 = 72 * 3_600_000

  /// The most UTF-16 units of a parameter's text; 500 instead of 100 on 360 properties.
  static func value(of name: String, isLong: Bool = false) -> Int {
    switch name {
    case "page_title": 300
    case "page_referrer": 420
    case "page_location": 1000
    default: isLong ? 500 : 100
    }
  }

  /// What an item is described by; anything else is a parameter of its own.
  static let itemFields: Set<String> = [
    "item_id", "item_name", "affiliation", "coupon", "currency", "discount", "index", "item_brand", "item_category",
    "item_category2", "item_category3", "item_category4", "item_category5", "item_list_id", "item_list_name",
    "item_variant", "location_id", "price", "quantity", "promotion_id", "promotion_name", "creative_name",
    "creative_slot",
  ]

  /// Whether a text is a currency: three capital letters of ASCII.
  static func isCurrency(_ text: String) -> Bool {
    text.utf8.count == 3 && text.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
  }

  /// The longest prefix of whole scalars within a number of UTF-16 units; nil when all of the text is.
  static func cut(_ text: String, to limit: Int) -> String? {
    guard text.utf8.count > limit, text.utf16.count > limit else { return nil }
    var units = 0
    var end = text.unicodeScalars.startIndex
    for scalar in text.unicodeScalars {
      units += scalar.value > 0xFFFF ? 2 : 1
      if units > limit { break }
      end = text.unicodeScalars.index(after: end)
    }
    return String(text.unicodeScalars[..<end])
  }
}
