import Hits

/// The parameters of a binary container's analytics tag (TM-830).
///
/// The single parameters come first, `analytics_fields` over them, `fields_to_set` last. The original sent
/// `analytics_fields` alone when `analytics_pass_through` was set; both say the same in every file seen, so that
/// parameter has no effect.
extension AnalyticsRequest {
  init(binary call: TagCall) {
    fields = AnalyticsFields(semantics: call.semantics)
    for (parameter, name) in Self.parameters { fields.set(name, call[parameter]) }
    for (parameter, type) in Self.hitTypes where call.isTrue(parameter) { fields.set("t", .string(type)) }
    for (parameter, name) in [("dimension", "cd"), ("metric", "cm"), ("content_group", "cg")] {
      for entry in call.entries(parameter) { fields.setIndexed(name, entry.key, entry.value) }
    }
    for entry in call.entries("analytics_fields") { fields.setNamed(Self.marked(entry.key), entry.value) }
    for entry in call.entries("fields_to_set") { fields.setNamed(Self.marked(entry.key), entry.value) }
    collectsAdvertisingID = call.isTrue("collect_adid")
    if call.isTrue("track_transaction") {
      transaction = TransactionKeys(
        transaction: call["transaction_datalayer_map"]?.map, item: call["transaction_item_datalayer_map"]?.map,
        semantics: call.semantics)
    }
    if call.isTrue("enable_ecommerce") {
      ecommerce =
        call.isTrue("ecommerce_use_data_layer") ? .dataLayer : call["ecommerce_macro_data"]?.map.map { .map($0) }
    }
  }

  /// A wire name without its `&` gets it back.
  private static func marked(_ name: String) -> String {
    guard case .known = MeasurementParameter.lookUp(name) else { return name }
    return "&" + name
  }

  private static let parameters: [(String, String)] = [
    ("account", "tid"), ("event_category", "ec"), ("event_action", "ea"), ("event_label", "el"),
    ("event_value", "ev"), ("noninteraction", "ni"), ("exception_description", "exd"), ("exception_fatal", "exf"),
    ("social_network", "sn"), ("social_action", "sa"), ("social_action_target", "st"), ("timing_category", "utc"),
    ("timing_var", "utv"), ("timing_value", "utt"), ("timing_label", "utl"), ("content_description", "cd"),
    ("app_name", "an"), ("app_version", "av"), ("anonymize_ip", "aip"),
  ]

  private static let hitTypes: [(String, String)] = [
    ("track_data", "data"), ("track_appview", "screenview"), ("track_event", "event"),
    ("track_exception", "exception"), ("track_social", "social"), ("track_timing", "timing"),
  ]
}
