import Hits

/// Sends a measurement hit, or a transaction with its items (TM-830 to TM-835, TM-847).
///
/// The parameters have one of two forms, told apart by their keys; each has a reader of its own, and both fill one
/// model of fields.
struct AnalyticsTag: BuiltInTag {
  func effects(of call: TagCall, in context: TagContext) throws(TagFailure) -> [TagEffect] {
    let isCompiled = call["trackType"] != nil || call["trackingId"] != nil || call["gaSettings"] != nil
    var request = isCompiled ? AnalyticsRequest(compiled: call) : AnalyticsRequest(binary: call)
    guard let property = request.fields.texts["tid"] else { throw .evaluation(.missingParameter("trackingId")) }
    if request.collectsAdvertisingID, let id = context.identifiers?.usableAdvertisingID {
      request.fields.merge(["idfa": id, "ate": "1"])
    }
    var warnings = Self.unknownFields(request.fields.unknownNames, of: call)
    let type = request.fields.remove("t")
    if let keys = request.transaction, type == nil || type == "transaction" {
      let hits = try keys.hits(in: context.dataLayer, base: request.fields.texts, semantics: call.semantics)
      return warnings + hits.map { .send($0, tracker: property) }
    }
    guard let type else { throw .evaluation(.missingParameter(isCompiled ? "trackType" : "t")) }
    if let ecommerce = Self.ecommerce(request.ecommerce, in: context.dataLayer, semantics: call.semantics) {
      request.fields.merge(ecommerce.fields)
      warnings += ecommerce.dropped > 0 ? [Self.tooMany(ecommerce.dropped, of: call)] : []
    }
    let hit = HitBuilder(kind: HitKind(wireName: type) ?? .custom(type), fields: request.fields.texts)
    return warnings + [.send(hit, tracker: property)]
  }

  private static func ecommerce(
    _ source: EcommerceSource?, in dataLayer: DataLayerModel, semantics: CompiledContainer.Semantics
  ) -> EnhancedEcommerce? {
    switch source {
    case nil: nil
    case .dataLayer: (dataLayer.value(at: "ecommerce")?.map).map { EnhancedEcommerce($0, semantics: semantics) }
    case .map(let data): EnhancedEcommerce(data, semantics: semantics)
    }
  }

  private static func unknownFields(_ names: Set<String>, of call: TagCall) -> [TagEffect] {
    names.sorted().map { name in
      let message =
        "Tag '\(call.name)' sets the unknown field '\(name)', which is left out. Use a name such as &dt or screenName."
      return .warn(Diagnostic(.warning, .unknownAnalyticsField, message, at: call.name))
    }
  }

  private static func tooMany(_ dropped: Int, of call: TagCall) -> TagEffect {
    let message =
      "Tag '\(call.name)' has \(dropped) products, impressions or promotions too many; a hit carries 200. Send the rest "
      + "with another event."
    return .warn(Diagnostic(.warning, .tooMany, message, at: call.name))
  }
}
