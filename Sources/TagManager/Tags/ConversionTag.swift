import Hits

/// Reports a conversion, or a visit for remarketing, by a request to the advertising service (TM-842).
///
///     conversionId, [conversionLabel, conversionValue, currencyCode, orderId, screenName, remarketingOnly]
///     customParams                list of {key, value}, or a map
///
/// Reports on products and customers (`enableProductReporting`, `enableNewCustomerReporting`,
/// `enableEnhancedConversion`, `rdp`) are left out: they belong to the web.
struct ConversionTag: BuiltInTag {
  func effects(of call: TagCall, in context: TagContext) throws(TagFailure) -> [TagEffect] {
    let id = try call.required("conversionId")
    let base = context.conversionBase + (context.conversionBase.hasSuffix("/") ? "" : "/")
    let query = Self.own(call) + Self.facts(context) + Self.identifiers(context)
    let url = try TagURL(
      base + URIEscape.macro.escape(id) + "/", query: query.filter { !$0.value.isEmpty }, policy: context.urlPolicy)
    return url.effects(of: call)
  }

  private static func own(_ call: TagCall) -> [(key: String, value: String)] {
    let custom = call.rows("customParams", "key", "value").filter { !$0.key.isEmpty }
    return [
      ("label", call.text("conversionLabel")), ("value", call.text("conversionValue")),
      ("currency_code", call.text("currencyCode")), ("oid", call.text("orderId")),
      ("remarketing_only", call.isTrue("remarketingOnly") ? "1" : "0"), ("data.screen_name", call.text("screenName")),
    ] + custom.map { ("data." + $0.key, $0.value.text(call.semantics)) }
  }

  private static func facts(_ context: TagContext) -> [(key: String, value: String)] {
    [
      ("bundleid", context.device.appID ?? ""), ("appversion", context.device.appVersion ?? ""),
      ("osversion", context.device.osVersion), ("sdkversion", "tagworks-" + ProductInfo.version),
      ("timestamp", String(context.time / 1_000)),
    ]
  }

  private static func identifiers(_ context: TagContext) -> [(key: String, value: String)] {
    guard let identifiers = context.identifiers else { return [] }
    let id = identifiers.usableAdvertisingID ?? ""
    return [("rdid", id), ("idtype", id.isEmpty ? "" : "idfa"), ("lat", identifiers.isTrackingAllowed ? "0" : "1")]
  }
}

extension IdentifierProvider {
  /// The advertising id, when the person allows tracking and it is not all zeros (TM-833).
  var usableAdvertisingID: String? { isTrackingAllowed ? nonZeroAdvertisingID : nil }
}
