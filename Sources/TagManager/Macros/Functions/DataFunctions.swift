import Hits

extension MacroFunctions {
  /// What the container, the data layer and the event hold.
  static let data: [MacroFunction] = [
    MacroFunction(.constant, requires: ["value"], isCacheable: true) { arguments, _ in Evaluated(arguments["value"]) },
    MacroFunction(.dataLayer, requires: ["name"]) { arguments, context in
      guard let name = arguments.text("name"), let value = context.dataLayer.value(at: name) else {
        return arguments.defaultValue
      }
      return .value(value)
    },
    MacroFunction(.userProperty, requires: ["key"]) { arguments, context in
      guard let key = arguments.text("key"), let value = context.dataLayer.value(at: "user.\(key)") else {
        return arguments.defaultValue
      }
      return .value(value)
    },
    MacroFunction(.event) { _, context in Evaluated(text: context.event) },
    MacroFunction(.eventParameter, eventParameter),
  ]

  /// A value of the current update, looked up by key, or by the parameter of a suggested event.
  @Sendable
  private static func eventParameter(_ arguments: Arguments, _ context: MacroContext) -> Evaluated {
    var key = arguments.text("key")
    if let event = arguments.text("suggestedEvent") {
      guard event == "All Events" || context.event?.hasSameScalars(as: event) == true else {
        return arguments.defaultValue
      }
      key = arguments.text("firebaseCampaignParam") ?? arguments.text("allEventParam") ?? key
    }
    guard let key, let value = value(at: key, in: context.update) else { return arguments.defaultValue }
    return .value(value)
  }

  private static func value(at key: String, in update: [String: Value]) -> Value? {
    if let value = update[key], !value.isAbsent { return value }
    return DataLayerPath(key).isDotted ? DataLayerModel(update).value(at: key) : nil
  }
}
