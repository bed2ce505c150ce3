import Authoring
import Hits

/// The form of a trigger: for which events it holds, and what else must be so (CO-204).
struct TriggerEditor: EntityEditor {
  let common: CommonInputs

  private static let columns = ["left", "operator", "right"]
  private static let eventOptions: [(value: String, text: String)] =
    [(Vocabulary.customEvent, "An event by its name"), (Vocabulary.anyEvent, "Any event")]
    + Vocabulary.eventTriggers.map { ($0.type, "The event \($0.event)") }

  /// Whether the form can show a trigger: its condition on the event's name is one, and compares the name.
  static func shows(_ trigger: Trigger) -> Bool {
    guard trigger.type != Vocabulary.customEvent else {
      return trigger.eventConditions.count == 1
        && trigger.eventConditions[0].parameters.last { $0.key == "arg0" }?.text == Vocabulary.eventName
    }
    return eventOptions.contains { $0.value == trigger.type } && trigger.eventConditions.isEmpty
  }

  func write(_ fields: [String: Value], into typed: inout TypedFields) {
    let trigger = Trigger(fields: fields)
    common.write(fields, into: &typed)
    typed["event"] = trigger.type.isEmpty ? Vocabulary.customEvent : trigger.type
    let row = trigger.eventConditions.first.map(ConditionForm.row)
    typed["event-operator"] = row?[1] ?? "EQUALS"
    typed["event-name"] = row?[2] ?? ""
    typed.setRows("conditions", Self.columns, trigger.conditions.map(ConditionForm.row))
    typed["sample"] = trigger.samplePercent ?? ""
  }

  func html(_ parts: FormParts) -> HTML {
    HTMLBuilder.buildBlock(
      common.name(parts),
      element("section", .class("panel")) {
        element("h2", text: "Which events")
        parts.choice("event", "It holds for", Self.eventOptions)
        element("div", .class("pair")) {
          parts.choice("event-operator", "The event's name", ConditionForm.options)
          parts.line(
            "event-name", "Name", help: "What the app pushes as event, such as openScreen; for events by their name.")
        }
      },
      element("section", .class("panel")) {
        element("h2", text: "Conditions")
        parts.table(
          "conditions", "All of these must hold",
          [
            FormParts.Column("left", "Variable", list: FormParts.references),
            FormParts.Column("operator", "Comparison", options: ConditionForm.options),
            FormParts.Column("right", "Value", list: FormParts.references),
          ], help: "Refer to variables as {{name}}. Without conditions it holds for each of its events.")
      },
      element("details", .class("more"), .flag("open", !parts.typed.line("sample").isEmpty)) {
        element("summary", text: "Only for a share of installs")
        parts.line(
          "sample", "Percent", help: "From 0 to 100 with up to two decimals; an install is always in or always out.")
      }, common.rest(parts))
  }

  func entity(
    _ typed: TypedFields, former: [String: Value], problems: inout [String: String]
  ) -> [String: Value] {
    var trigger = Trigger(fields: former)
    var before = TypedFields()
    write(former, into: &before)
    common.apply(typed, to: &trigger.fields, problems: &problems)
    let type = typed["event"] ?? Vocabulary.customEvent
    if type != trigger.type { trigger.fields["type"] = .string(type) }
    applyEvent(type, typed, before, to: &trigger, problems: &problems)
    let rows = typed.rows("conditions", Self.columns, ignoring: ["operator"])
    if rows != before.rows("conditions", Self.columns, ignoring: ["operator"]) {
      for (number, row) in rows.enumerated() where row[0].allSatisfy(\.isWhitespace) {
        problems["conditions.\(number).left"] = "Say which variable is compared."
      }
      trigger.fields["filter"] = rows.isEmpty ? nil : .list(rows.map { .map(ConditionForm.condition($0).fields) })
    }
    let sample = typed.line("sample")
    if sample != before["sample"] {
      trigger.parameters =
        trigger.parameters.filter { $0.key != Vocabulary.sample }
        + (sample.isEmpty ? [] : [Parameter(Vocabulary.sample, sample)])
      if trigger.parameters.isEmpty { trigger.fields["parameter"] = nil }
    }
    return trigger.fields
  }

  private func applyEvent(
    _ type: String, _ typed: TypedFields, _ before: TypedFields, to trigger: inout Trigger,
    problems: inout [String: String]
  ) {
    guard type == Vocabulary.customEvent else {
      trigger.fields["customEventFilter"] = nil
      return
    }
    let (name, form) = (typed.line("event-name"), typed["event-operator"] ?? "EQUALS")
    if name.isEmpty { problems["event-name"] = "Say which event it is, such as openScreen." }
    let isSame = typed["event-name"] == before["event-name"] && form == before["event-operator"]
    guard !isSame || trigger.eventConditions.isEmpty else { return }
    let condition = ConditionForm.condition([Vocabulary.eventName, form, name])
    trigger.fields["customEventFilter"] = .list([.map(condition.fields)])
  }

  func input(ofField field: String) -> String? {
    switch field {
    case "name", "notes": field
    case "type": "event"
    case "customEventFilter": "event-name"
    case "filter": "conditions"
    case "parameter.\(Vocabulary.sample)": "sample"
    default: nil
    }
  }
}
