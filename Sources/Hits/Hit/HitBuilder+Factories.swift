/// One factory per kind, in the argument order of the original builder (HQ-110). Texts that are nil are left out.
extension HitBuilder {
  /// Makes a screen view; nil takes the tracker's screen name (`cd`).
  public static func screenView(_ name: String? = nil) -> HitBuilder {
    HitBuilder(kind: .screenView, present: ["cd": name])
  }

  /// Makes a page view of an absolute URL.
  public static func pageView(location: String? = nil, title: String? = nil) -> HitBuilder {
    HitBuilder(kind: .pageView, present: ["dl": location, "dt": title])
  }

  /// Makes an event; the value is a whole number, not negative.
  public static func event(category: String, action: String, label: String? = nil, value: Int64? = nil) -> HitBuilder {
    HitBuilder(kind: .event, present: ["ec": category, "ea": action, "el": label, "ev": value.map(String.init)])
  }

  /// Makes an exception report.
  public static func exception(description: String? = nil, isFatal: Bool) -> HitBuilder {
    HitBuilder(kind: .exception, present: ["exd": description, "exf": isFatal ? "1" : "0"])
  }

  /// Makes a timing in milliseconds.
  public static func timing(
    category: String, variable: String, milliseconds: Int64, label: String? = nil
  ) -> HitBuilder {
    HitBuilder(
      kind: .timing, present: ["utc": category, "utv": variable, "utt": String(milliseconds), "utl": label])
  }

  /// Makes a social interaction.
  public static func social(network: String, action: String, target: String) -> HitBuilder {
    HitBuilder(kind: .social, present: ["sn": network, "sa": action, "st": target])
  }

  /// Makes a transaction; its items are separate hits with the same id (HQ-114).
  public static func transaction(
    id: String, affiliation: String? = nil, revenue: Amount? = nil, tax: Amount? = nil, shipping: Amount? = nil,
    currency: String? = nil
  ) -> HitBuilder {
    HitBuilder(
      kind: .transaction,
      present: [
        "ti": id, "ta": affiliation, "tr": revenue?.description, "tt": tax?.description, "ts": shipping?.description,
        "cu": currency,
      ])
  }

  /// Makes one item of a transaction.
  public static func item(
    transactionID: String, name: String, sku: String? = nil, category: String? = nil, price: Amount? = nil,
    quantity: Int64? = nil, currency: String? = nil
  ) -> HitBuilder {
    HitBuilder(
      kind: .item,
      present: [
        "ti": transactionID, "in": name, "ic": sku, "iv": category, "ip": price?.description,
        "iq": quantity.map(String.init), "cu": currency,
      ])
  }

  /// Makes an event of its own name, for protocols that carry one (HQ-115).
  public static func custom(name: String, parameters: [String: Value] = [:]) -> HitBuilder {
    HitBuilder(kind: .custom(name), parameters: parameters)
  }

  /// Makes a plain GET of an absolute http or https URL (HQ-116).
  public static func beacon(_ url: String) -> HitBuilder {
    HitBuilder(kind: .beacon, present: ["url": url])
  }

  private init(kind: HitKind, present fields: KeyValuePairs<String, String?>) {
    var present: [String: String] = [:]
    present.reserveCapacity(fields.count)
    for (name, value) in fields { present[name] = value }
    self.init(kind: kind, fields: present)
  }
}
