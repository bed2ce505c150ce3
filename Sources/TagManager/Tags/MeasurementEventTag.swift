import Hits

/// Sends an event under its own name, changes one on its way, or holds it back (TM-845).
///
///     action                  measure: eventName, editParamTable, [mergeEventParameters]
///                             filter:  [overrideEventName], dropParamTable, editParamTable
///                             block:   the event's `filter` tags do not fire
///     editParamTable          list of {editParamKey, editParamValue}
///     dropParamTable          list of {dropParamKey}
struct MeasurementEventTag: BuiltInTag {
  func effects(of call: TagCall, in context: TagContext) throws(TagFailure) -> [TagEffect] {
    switch try call.required("action") {
    case "measure":
      let merges = call.isTrue("mergeEventParameters")
      return [Self.hit(try call.required("eventName"), merges ? Self.own(call) : [:], of: call)]
    case "filter":
      let override = call.text("overrideEventName")
      guard !override.isEmpty || !call.event.isEmpty else { throw .evaluation(.missingParameter("eventName")) }
      let dropped = Set(call.rows("dropParamTable", "dropParamKey", "").map(\.key))
      let kept = Self.own(call).filter { !dropped.contains($0.key) }
      return [Self.hit(override.isEmpty ? call.event : override, kept, of: call)]
    case "block": return [.blockFilters]
    default: throw .evaluation(.missingParameter("action"))
    }
  }

  /// What the event itself carries besides its name.
  private static func own(_ call: TagCall) -> [String: Value] { call.update.filter { $0.key != "event" } }

  private static func hit(_ name: String, _ parameters: [String: Value], of call: TagCall) -> TagEffect {
    var parameters = parameters
    for row in call.rows("editParamTable", "editParamKey", "editParamValue") where !row.key.isEmpty {
      parameters[row.key] = row.value
    }
    return .send(.custom(name: name, parameters: parameters.filter { !$0.value.isAbsent }), tracker: nil)
  }
}
