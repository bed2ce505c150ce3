import Hits

/// The fields of a measurement hit while a tag's parameters are read (TM-830 to TM-833).
///
/// A missing or empty value sets nothing. The flags `ni`, `exf` and `aip` are 1 when true and not there when false, for
/// the mere presence of `aip` masks the address.
struct AnalyticsFields {
  /// Wire names and texts; `t` is among them.
  private(set) var texts: [String: String] = [:]
  /// Names that no table knows and that were left out.
  private(set) var unknownNames: Set<String> = []
  let semantics: CompiledContainer.Semantics

  init(semantics: CompiledContainer.Semantics) { self.semantics = semantics }

  /// Sets a field by its wire name.
  mutating func set(_ name: String, _ value: Value?) {
    guard let value, !value.isAbsent else { return }
    let text = value.text(semantics)
    if Self.flags.contains(name) {
      texts[name] = text == "1" || value.bool(semantics) == true ? "1" : nil
    } else if !text.isEmpty {
      texts[name] = text
    }
  }

  /// Sets a field by the name that authors give it: `&xx` or one of the long names.
  mutating func setNamed(_ name: String, _ value: Value) {
    if name.utf8.first == UInt8(ascii: "&"), name.utf8.count > 1 {
      set(String(name.dropFirst()), value)
    } else if let wireName = Self.longNames[name] {
      set(wireName, value)
    } else {
      unknownNames.insert(name)
    }
  }

  /// Sets an indexed field, such as `cd3`.
  mutating func setIndexed(_ name: String, _ index: String, _ value: Value) {
    if case .known = MeasurementParameter.lookUp(name + index), !index.isEmpty {
      set(name + index, value)
    } else {
      unknownNames.insert(name + index)
    }
  }

  /// Adds fields that are texts already, over those that are there.
  mutating func merge(_ fields: [String: String]) { texts.merge(fields) { $1 } }

  /// Takes a field out.
  mutating func remove(_ name: String) -> String? { texts.removeValue(forKey: name) }

  private static let flags: Set<String> = ["ni", "exf", "aip"]

  private static let longNames: [String: String] = [
    "screenName": "cd", "userId": "uid", "clientId": "cid", "page": "dp", "title": "dt", "location": "dl",
    "language": "ul", "appName": "an", "appVersion": "av", "appId": "aid", "anonymizeIp": "aip",
    "campaignName": "cn", "campaignSource": "cs", "campaignMedium": "cm", "campaignKeyword": "ck",
    "campaignContent": "cc", "campaignId": "ci", "sampleRate": "sf", "currencyCode": "cu",
  ]
}

/// What an analytics tag asks for, whichever form its parameters have.
struct AnalyticsRequest {
  var fields: AnalyticsFields
  /// Adds the advertising id (TM-833).
  var collectsAdvertisingID = false
  /// Sends the data layer's transaction and its items (TM-834).
  var transaction: TransactionKeys?
  /// Where the e-commerce data are (TM-835).
  var ecommerce: EcommerceSource?
}

/// Where enhanced e-commerce data come from.
enum EcommerceSource {
  /// The data layer's `ecommerce`.
  case dataLayer
  case map([String: Value])
}
