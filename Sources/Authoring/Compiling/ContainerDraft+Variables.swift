import Hits
import TagManager

/// Variables become macros (CO-205).
extension ContainerDraft {
  mutating func compile(_ variable: Variable, _ links: inout TriggerLinks) {
    guard !variable.isCollection else { return compileCollection(variable, &links) }
    guard let function = FunctionKind.macro.function(ofType: variable.type) else { return }
    var macro = call(function, name: variable.name, variable.parameters)
    addFormat(variable.format, to: &macro)
    macros.append(macro)
  }

  mutating func compile(_ builtIn: BuiltInVariable) {
    guard let row = BuiltInTable[builtIn.type],
      let function = FunctionKind.macro.function(ofType: row.variableType)
    else { return }
    macros.append(call(function, name: builtIn.name, row.parameters.map { Parameter($0.key, $0.text) }))
  }

  /// The macro of the event's own name, once something asks for it.
  mutating func compileEventName() {
    guard !macros.contains(where: { $0.name == WorkspaceIndex.eventName }) else { return }
    macros.append(call(.event, name: WorkspaceIndex.eventName, []))
  }

  /// One constant for each name, never the name's default, added with the collection's triggers (TM-643).
  private mutating func compileCollection(_ variable: Variable, _ links: inout TriggerLinks) {
    // Validation has read it; what cannot be read is not compiled.
    guard let collection = try? ValueCollection(variable) else { return }
    for (name, content) in collection.entries {
      var macro = Call(.constant)
      macro.name = name
      macro.label = variable.name
      macro.isNotDefault = true
      switch content {
      case .literal(let literal): macro.parameters["value"] = value(literal)
      case .parameter(let parameter): macro.parameters["value"] = value(parameter)
      }
      TriggerLinks.add(macros.count, to: variable.enablingTriggerIDs, &links.enabling)
      TriggerLinks.add(macros.count, to: variable.disablingTriggerIDs, &links.disabling)
      macros.append(macro)
    }
  }

  /// What replaces the result of a macro (TM-645).
  private mutating func addFormat(_ format: [String: Value], to macro: inout Call) {
    switch format.text("caseConversionType") {
    case "LOWERCASE": macro.parameters["convert_case_to"] = add(.constant(1))
    case "UPPERCASE": macro.parameters["convert_case_to"] = add(.constant(2))
    default: break
    }
    for (field, key) in Variable.formatParameters {
      guard let parameter = format[field]?.map else { continue }
      macro.parameters[key] = value(Parameter(fields: parameter))
    }
  }
}
