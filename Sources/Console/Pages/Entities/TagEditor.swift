import Authoring
import Hits

/// The form of a tag (CO-203).
struct TagEditor: EntityEditor {
  let type: EntityType
  let common: CommonInputs

  private static let companions = [("setupTag", "stopOnSetupFailure"), ("teardownTag", "stopTeardownOnFailure")]
  static let options = [
    ("UNLIMITED", "With each event"), ("ONCE_PER_EVENT", "Once per event"), ("ONCE_PER_LOAD", "Once per load"),
  ]

  func write(_ fields: [String: Value], into typed: inout TypedFields) {
    let tag = Tag(fields: fields)
    common.write(fields, into: &typed)
    type.write(tag.parameters, into: &typed)
    common.writeTriggers(tag.firingTriggerIDs, "firing", into: &typed)
    common.writeTriggers(tag.blockingTriggerIDs, "blocking", into: &typed)
    typed["priority"] = tag.fields["priority"]?.map.map { Parameter(fields: $0).text } ?? ""
    typed["option"] = fields.word("tagFiringOption").isEmpty ? "ONCE_PER_EVENT" : fields.word("tagFiringOption")
    typed["paused"] = tag.isPaused ? "on" : nil
    typed["liveOnly"] = tag.isLiveOnly ? "on" : nil
    typed["start"] = tag.scheduleStart.map(TimeText.input) ?? ""
    typed["end"] = tag.scheduleEnd.map(TimeText.input) ?? ""
    typed.setRows("setupTag", ["name", "stop"], tag.setupTags.map { [$0.name, $0.stopsOnFailure ? "yes" : "no"] })
    typed.setRows(
      "teardownTag", ["name", "stop"], tag.teardownTags.map { [$0.name, $0.stopsOnFailure ? "yes" : "no"] })
    typed.setRows("consent", ["type"], tag.consentTypes.map { [$0] })
  }

  func html(_ parts: FormParts) -> HTML {
    let typed = parts.typed
    let isAdvanced =
      ["priority", "start", "end"].contains { !typed.line($0).isEmpty } || typed.isChecked("paused")
      || typed.isChecked("liveOnly") || !typed.rows("setupTag", ["name"]).isEmpty
      || !typed.rows("teardownTag", ["name"]).isEmpty || !typed.rows("consent", ["type"]).isEmpty
    return HTMLBuilder.buildBlock(
      common.name(parts),
      element("section", .class("panel")) {
        element("h2", text: type.name)
        element("p", .class("help"), text: type.help)
        for field in type.fields { field.html(parts) }
      },
      element("section", .class("panel")) {
        element("h2", text: "When it fires")
        common.triggers(parts, "firing", "Firing triggers", help: "It fires when one of them holds.")
        common.triggers(
          parts, "blocking", "Blocking triggers", help: "It does not fire when one of them holds, whatever else does.")
        parts.choice("option", "How often", Self.options)
      },
      element("details", .class("more"), .flag("open", isAdvanced || !parts.problems.isEmpty)) {
        element("summary", text: "Order, schedule, consent")
        parts.box("paused", "Paused", help: "Apps do not get it.")
        parts.box("liveOnly", "Not in preview")
        parts.line("priority", "Priority", help: "A whole number; tags with a higher one fire first.")
        parts.line("start", "From (UTC)", type: "datetime-local")
        parts.line("end", "Until (UTC)", type: "datetime-local")
        for (input, legend) in [("setupTag", "Tags right before it"), ("teardownTag", "Tags right after it")] {
          parts.table(
            input, legend,
            [
              FormParts.Column("name", "Tag", list: "tags"),
              FormParts.Column(
                "stop", input == "setupTag" ? "If that one fails" : "If this one fails",
                options: [("no", "Go on"), ("yes", "Stop")]),
            ])
        }
        parts.table(
          "consent", "Consent that is needed", [FormParts.Column("type", "Purpose", list: "purposes")],
          help: "It fires only when the person has agreed to all of these, such as ad_storage.")
        FormParts.completions(
          "purposes", ["ad_storage", "analytics_storage", "ad_user_data", "ad_personalization"])
      }, common.rest(parts))
  }

  func entity(
    _ typed: TypedFields, former: [String: Value], problems: inout [String: String]
  ) -> [String: Value] {
    var tag = Tag(fields: former)
    tag.fields["type"] = tag.type.isEmpty ? .string(type.id) : tag.fields["type"]
    common.apply(typed, to: &tag.fields, problems: &problems)
    problems.merge(type.problems(typed)) { first, _ in first }
    let parameters = type.parameters(typed, former: tag.parameters)
    if parameters != tag.parameters { tag.parameters = parameters }
    let (firing, blocking) = (tag.firingTriggerIDs, tag.blockingTriggerIDs)
    common.setTriggers(
      typed, "firing", "firingTriggerId", of: &tag.fields, former: firing, problems: &problems)
    common.setTriggers(
      typed, "blocking", "blockingTriggerId", of: &tag.fields, former: blocking, problems: &problems)
    var before = TypedFields()
    write(former, into: &before)
    applyOrder(typed, before, to: &tag.fields, problems: &problems)
    applyTables(typed, before, to: &tag.fields)
    return tag.fields
  }

  private func applyOrder(
    _ typed: TypedFields, _ before: TypedFields, to fields: inout [String: Value], problems: inout [String: String]
  ) {
    let priority = typed.line("priority")
    if priority != before["priority"] {
      if !priority.isEmpty, Int64(priority) == nil { problems["priority"] = "The priority is a whole number." }
      fields["priority"] = priority.isEmpty ? nil : ["type": "INTEGER", "value": .string(priority)]
    }
    if typed["option"] != before["option"] { fields.set("tagFiringOption", typed["option"]) }
    if typed.isChecked("paused") != before.isChecked("paused") {
      fields["paused"] = typed.isChecked("paused") ? true : nil
    }
    if typed.isChecked("liveOnly") != before.isChecked("liveOnly") {
      fields["liveOnly"] = typed.isChecked("liveOnly") ? true : nil
    }
    for (input, key) in [("start", "scheduleStartMs"), ("end", "scheduleEndMs")]
    where typed.line(input) != before[input] {
      let text = typed.line(input)
      let time = TimeText.milliseconds(ofInput: text)
      if !text.isEmpty, time == nil { problems[input] = "This is no date with a time, such as 2027-01-31T12:00." }
      fields[key] = time.map { .string(String($0)) }
    }
  }

  private func applyTables(_ typed: TypedFields, _ before: TypedFields, to fields: inout [String: Value]) {
    for (input, flag) in Self.companions {
      let columns = ["name", "stop"]
      let rows = typed.rows(input, columns, ignoring: ["stop"])
      guard rows != before.rows(input, columns, ignoring: ["stop"]) else { continue }
      fields[input] =
        rows.isEmpty
        ? nil
        : .list(
          rows.map { row in
            row[1] == "yes" ? ["tagName": .string(row[0]), flag: true] : ["tagName": .string(row[0])]
          })
    }
    let types = typed.rows("consent", ["type"]).map { $0[0] }
    guard types != before.rows("consent", ["type"]).map({ $0[0] }) else { return }
    let list = types.map { Value.map(["type": "TEMPLATE", "value": .string($0)]) }
    fields["consentSettings"] =
      types.isEmpty ? nil : ["consentStatus": "NEEDED", "consentType": ["type": "LIST", "list": .list(list)]]
  }

  func input(ofField field: String) -> String? {
    switch field {
    case "name", "notes", "priority", "setupTag", "teardownTag": field
    case "firingTriggerId": "firing"
    case "blockingTriggerId": "blocking"
    case "scheduleEndMs": "end"
    default: field.hasPrefix("parameter.") ? "p-" + field.dropFirst("parameter.".count) : nil
    }
  }
}
