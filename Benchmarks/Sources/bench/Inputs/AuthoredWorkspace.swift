import Authoring
import Hits

/// A workspace of a size, as authors have them: tags with tables, conditions on variables, variables that build on others.
enum AuthoredWorkspace {
  static func make(tags: Int, triggers: Int, variables: Int) -> Workspace {
    var workspace = Workspace(
      tags: (0..<tags).map { tag($0, triggers: triggers, variables: variables) },
      triggers: (0..<triggers).map { trigger($0, variables: variables) }, variables: (0..<variables).map(variable),
      builtInVariables: [BuiltInVariable(fields: ["type": "EVENT_NAME", "name": "Event Name"])])
    workspace.container = ["publicId": "GTM-BENCH", "containerId": "1", "usageContext": ["IOS"]]
    return workspace
  }

  private static func tag(_ number: Int, triggers: Int, variables: Int) -> Tag {
    var tag = Tag(fields: ["tagId": .string("\(number)"), "name": .string("Tag \(number)"), "type": "ua"])
    let row = Parameter(
      map: [Parameter("index", "1"), Parameter("dimension", "{{Variable \(number % variables)}}")])
    tag.parameters = [
      Parameter("trackType", "TRACK_EVENT"), Parameter("trackingId", "UA-1-\(number % 10)"),
      Parameter("eventCategory", "Screen \(number)"), Parameter("eventAction", "{{Event Name}}"),
      Parameter("eventLabel", "label {{Variable \((number * 7) % variables)}} of \(number)"),
      Parameter("nonInteraction", false), Parameter("dimension", list: [row]),
    ]
    tag.firingTriggerIDs = ["\(number % triggers)"]
    return tag
  }

  private static func trigger(_ number: Int, variables: Int) -> Trigger {
    var trigger = Trigger(
      fields: ["triggerId": .string("\(number)"), "name": .string("Trigger \(number)"), "type": "CUSTOM_EVENT"])
    let event = Condition("EQUALS", "{{_event}}", "event \(number)")
    trigger.fields["customEventFilter"] = .list([.map(event.fields)])
    let pattern = number % 10 == 0
    trigger.conditions = [
      Condition(
        pattern ? "MATCH_REGEX" : "EQUALS", "{{Variable \(number % variables)}}",
        pattern ? "^(a|b)\(number)[0-9]+$" : "value \(number)")
    ]
    return trigger
  }

  private static func variable(_ number: Int) -> Variable {
    var variable = Variable(
      fields: ["variableId": .string("\(number)"), "name": .string("Variable \(number)")])
    variable.type = number % 4 == 3 ? "jn" : "v"
    variable.parameters =
      number % 4 == 3
      ? [Parameter("arg0", list: [Parameter("", "{{Variable \(number - 1)}}"), Parameter("", "end")])]
      : [Parameter("name", "section.key\(number)"), Parameter("setDefaultValue", true), Parameter("defaultValue", "-")]
    return variable
  }
}
