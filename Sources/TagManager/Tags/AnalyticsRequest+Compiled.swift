import Hits

/// The parameters of a compiled JSON container's analytics tag (TM-831).
///
/// `gaSettings` is the base. With `overrideGaSettings` the tag's own keys replace it and lists are appended; without,
/// the tag adds only what the settings leave open.
///
/// No effect: `trackTypeIs…` repeats `trackType`, `ecommerceIsEnabled` repeats `enableEcommerce`. Of other services or
/// of the web: `readDataFrom`, `enableFirebaseCampaignData`, `sendFirebaseCampaignData`, `enableFirebaseEcommerce`,
/// `enableRecaptchaOption`, `enableUaRlsa`, `enableUseInternalVersion`, `cookieDomain`.
extension AnalyticsRequest {
  init(compiled call: TagCall) {
    let call = Self.withSettings(call)
    fields = AnalyticsFields(semantics: call.semantics)
    for (parameter, name) in Self.parameters { fields.set(name, call[parameter]) }
    let trackType = call.text("trackType")
    if let type = Self.hitTypes[trackType] { fields.set("t", .string(type)) }
    for (parameter, column, name) in Self.tables {
      for row in call.rows(parameter, "index", column) { fields.setIndexed(name, row.key, row.value) }
    }
    for row in call.rows("fieldsToSet", "fieldName", "value") { fields.setNamed(row.key, row.value) }
    collectsAdvertisingID = call.isTrue("collectAdid")
    if trackType == "TRACK_TRANSACTION" { transaction = TransactionKeys() }
    if call.isTrue("enableEcommerce") {
      ecommerce = call.isTrue("useEcommerceDataLayer") ? .dataLayer : call["ecommerceMacroData"]?.map.map { .map($0) }
    }
  }

  private static func withSettings(_ call: TagCall) -> TagCall {
    guard let settings = call["gaSettings"]?.map else { return call }
    var merged = call
    if call.isTrue("overrideGaSettings") {
      merged.parameters = settings.merging(call.parameters) { old, new in
        if let head = old.list, let tail = new.list { .list(head + tail) } else { new }
      }
    } else {
      merged.parameters = call.parameters.merging(settings) { $1 }
    }
    return merged
  }

  private static let parameters: [(String, String)] = [
    ("trackingId", "tid"), ("eventCategory", "ec"), ("eventAction", "ea"), ("eventLabel", "el"),
    ("eventValue", "ev"), ("nonInteraction", "ni"), ("socialNetwork", "sn"), ("socialAction", "sa"),
    ("socialActionTarget", "st"), ("timingCategory", "utc"), ("timingVar", "utv"), ("timingValue", "utt"),
    ("timingLabel", "utl"), ("exceptionDescription", "exd"), ("exceptionFatal", "exf"),
  ]

  private static let tables = [
    ("dimension", "dimension", "cd"), ("metric", "metric", "cm"), ("contentGroup", "group", "cg"),
  ]

  private static let hitTypes = [
    "TRACK_SCREENVIEW": "screenview", "TRACK_EVENT": "event", "TRACK_TRANSACTION": "transaction",
    "TRACK_SOCIAL": "social", "TRACK_TIMING": "timing", "TRACK_EXCEPTION": "exception",
  ]
}
