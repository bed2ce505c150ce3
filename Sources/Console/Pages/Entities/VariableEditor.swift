import Authoring
import Hits

/// The form of a variable (CO-205).
struct VariableEditor: EntityEditor {
  let type: EntityType
  let common: CommonInputs

  private var isCollection: Bool { type.id == "vc" }
  private static let cases = [("", "As it is"), ("LOWERCASE", "Lower case"), ("UPPERCASE", "Upper case")]

  func write(_ fields: [String: Value], into typed: inout TypedFields) {
    let variable = Variable(fields: fields)
    common.write(fields, into: &typed)
    type.write(variable.parameters, into: &typed)
    common.writeTriggers(variable.enablingTriggerIDs, "enabling", into: &typed)
    common.writeTriggers(variable.disablingTriggerIDs, "disabling", into: &typed)
    typed["case"] = variable.format.word("caseConversionType")
  }

  func html(_ parts: FormParts) -> HTML {
    HTMLBuilder.buildBlock(
      common.name(parts),
      element("section", .class("panel")) {
        element("h2", text: type.name)
        element("p", .class("help"), text: type.help)
        for field in type.fields { field.html(parts) }
      },
      isCollection
        ? element("section", .class("panel")) {
          element("h2", text: "When it holds")
          common.triggers(
            parts, "enabling", "Enabling triggers", help: "Its values are those that apps read when one of them holds.")
          common.triggers(parts, "disabling", "Disabling triggers", help: "Its values do not count when one holds.")
        }
        : element("details", .class("more"), .flag("open", !parts.typed.line("case").isEmpty)) {
          element("summary", text: "Form of the value")
          parts.choice("case", "Upper and lower case", Self.cases)
        }, common.rest(parts))
  }

  func entity(
    _ typed: TypedFields, former: [String: Value], problems: inout [String: String]
  ) -> [String: Value] {
    var variable = Variable(fields: former)
    variable.fields["type"] = variable.type.isEmpty ? .string(type.id) : variable.fields["type"]
    common.apply(typed, to: &variable.fields, problems: &problems)
    problems.merge(type.problems(typed)) { first, _ in first }
    let parameters = type.parameters(typed, former: variable.parameters)
    if parameters != variable.parameters { variable.parameters = parameters }
    if isCollection {
      let (enabling, disabling) = (variable.enablingTriggerIDs, variable.disablingTriggerIDs)
      common.setTriggers(
        typed, "enabling", "enablingTriggerId", of: &variable.fields, former: enabling, problems: &problems)
      common.setTriggers(
        typed, "disabling", "disablingTriggerId", of: &variable.fields, former: disabling, problems: &problems)
    } else if let form = typed["case"], form != variable.format.word("caseConversionType") {
      var format = variable.format
      format.set("caseConversionType", form)
      variable.fields["formatValue"] = format.isEmpty ? nil : .map(format)
    }
    return variable.fields
  }

  func input(ofField field: String) -> String? {
    switch field {
    case "name", "notes": field
    case "enablingTriggerId": "enabling"
    case "disablingTriggerId": "disabling"
    default: field.hasPrefix("parameter.") ? "p-" + field.dropFirst("parameter.".count) : nil
    }
  }
}
