import Hits

/// Where the data layer keeps a transaction: one hit for it, and one for each of its products (TM-834).
struct TransactionKeys {
  /// Data-layer keys and wire names of the transaction.
  private var transaction = [
    "transactionId": "ti", "transactionAffiliation": "ta", "transactionTotal": "tr", "transactionTax": "tt",
    "transactionShipping": "ts", "transactionCurrency": "cu",
  ]
  /// Keys and wire names of one of `transactionProducts`.
  private var item = [
    "name": "in", "sku": "ic", "category": "iv", "price": "ip", "quantity": "iq", "currency": "cu",
  ]

  /// The keys of the original.
  init() {}

  /// Takes the tag's own maps from data-layer keys to wire names, each in place of the original's.
  init(transaction: [String: Value]?, item: [String: Value]?, semantics: CompiledContainer.Semantics) {
    if let transaction { self.transaction = Self.names(transaction, semantics) }
    if let item { self.item = Self.names(item, semantics) }
  }

  private static func names(_ map: [String: Value], _ semantics: CompiledContainer.Semantics) -> [String: String] {
    map.mapValues { value in
      let name = value.text(semantics)
      return name.utf8.first == UInt8(ascii: "&") ? String(name.dropFirst()) : name
    }
  }

  /// The transaction's hit and those of its items, all with the tag's other fields.
  func hits(
    in dataLayer: DataLayerModel, base: [String: String], semantics: CompiledContainer.Semantics
  ) throws(TagFailure) -> [HitBuilder] {
    var fields = AnalyticsFields(semantics: semantics)
    fields.merge(base)
    for (key, name) in transaction.inByteOrder { fields.set(name, dataLayer.value(at: key)) }
    guard let id = fields.texts["ti"] else { throw .evaluation(.missingParameter("transactionId")) }
    let products = dataLayer.value(at: "transactionProducts")?.list ?? []
    let items = products.compactMap(\.map).map { product in
      var fields = AnalyticsFields(semantics: semantics)
      fields.merge(base)
      fields.merge(["ti": id])
      for (key, name) in item.inByteOrder { fields.set(name, product[key]) }
      return HitBuilder(kind: .item, fields: fields.texts)
    }
    return [HitBuilder(kind: .transaction, fields: fields.texts)] + items
  }
}
