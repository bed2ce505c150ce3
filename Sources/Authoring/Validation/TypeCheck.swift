import Hits
import TagManager

/// Whether an app's compiler knows every type and can read what stands in it.
struct TypeCheck {
  func check(_ workspace: Workspace, into diagnostics: inout DiagnosticCollector) {
    for tag in workspace.tags where !tag.isPaused { check(tag, into: &diagnostics) }
    var patterns = PatternCheck()
    for trigger in workspace.triggers { check(trigger, &patterns, into: &diagnostics) }
    for variable in workspace.variables { check(variable, &patterns, into: &diagnostics) }
    for builtIn in workspace.enabledBuiltIns where BuiltInTable[builtIn.type] == nil && !builtIn.type.isEmpty {
      diagnostics.error(
        .unknownType, "Apps have no built-in variable of that type; switch it off.", builtIn.reference, field: "type")
    }
  }

  private func check(_ tag: Tag, into diagnostics: inout DiagnosticCollector) {
    if FunctionKind.tag.function(ofType: tag.type) == nil, !tag.type.isEmpty {
      diagnostics.error(
        .unknownType, "Apps know no tag of type \(tag.type.prefix(80)); use another type, or pause the tag.",
        tag.reference, field: "type")
    }
    if tag.priority == nil {
      diagnostics.error(.wrongType, "The priority must be a whole number.", tag.reference, field: "priority")
    }
    if let start = tag.scheduleStart, let end = tag.scheduleEnd, end <= start {
      diagnostics.warning(
        .scheduleEmpty, "The schedule ends before it begins, so the tag never fires.", tag.reference,
        field: "scheduleEndMs")
    }
    checkScalars(tag, into: &diagnostics)
  }

  private func check(
    _ trigger: Trigger, _ patterns: inout PatternCheck, into diagnostics: inout DiagnosticCollector
  ) {
    if TriggerTable.event(ofType: trigger.type) == nil, !trigger.type.isEmpty {
      diagnostics.error(
        .unknownType, "Apps know no trigger of type \(trigger.type.prefix(80)); use an event by its name.",
        trigger.reference, field: "type")
    }
    if let percent = trigger.samplePercent, SampleShare(percent) == nil {
      diagnostics.error(
        .sampleInvalid, "The share must be a number from 0 to 100 with at most two decimals.", trigger.reference,
        field: "parameter.\(Trigger.sampleKey)")
    }
    for (field, conditions) in [
      ("customEventFilter", trigger.eventConditions), ("filter", trigger.conditions),
    ] {
      for condition in conditions {
        guard let function = TriggerTable.function(ofType: condition.type) else {
          diagnostics.error(
            .unknownType, "Apps know no condition of type \(condition.type.prefix(80)); use another one.",
            trigger.reference, field: field)
          continue
        }
        for key in ["arg0", "arg1"] where !condition.parameters.contains(where: { $0.key == key }) {
          diagnostics.error(.missingField, "A condition has no \(key).", trigger.reference, field: field)
        }
        guard function == .matchesRegex, let pattern = condition.parameters.last(where: { $0.key == "arg1" }) else {
          continue
        }
        patterns.check(
          pattern.text, ignoresCase: condition.ignoresCase, of: trigger.reference, field: field, into: &diagnostics)
      }
    }
  }

  private func check(
    _ variable: Variable, _ patterns: inout PatternCheck, into diagnostics: inout DiagnosticCollector
  ) {
    if variable.isCollection {
      do throws(CollectionReader.Fault) {
        _ = try ValueCollection(variable)
      } catch {
        diagnostics.error(
          .collectionInvalid,
          "The collection is no table of names and values from byte \(error.offset) on; write it as {'name': 'value'}.",
          variable.reference, field: "parameter.collection")
      }
    } else if FunctionKind.macro.function(ofType: variable.type) == nil, !variable.type.isEmpty {
      diagnostics.error(
        .unknownType, "Apps know no variable of type \(variable.type.prefix(80)); use another type.",
        variable.reference, field: "type")
    }
    if variable.type == "remm", let table = variable.parameters.last(where: { $0.key == "map" }) {
      let ignoresCase = variable.parameters.contains { $0.key == "ignoreCase" && $0.text == "true" }
      for pattern in table.items.compactMap({ row in row.items.last { $0.key == "key" } }) {
        patterns.check(
          pattern.text, ignoresCase: ignoresCase, of: variable.reference, field: "parameter.map", into: &diagnostics)
      }
    }
    checkScalars(variable, into: &diagnostics)
  }

  /// Whether whole numbers and truth values can be read, unless a variable gives them.
  private func checkScalars(_ entity: some Entity, into diagnostics: inout DiagnosticCollector) {
    for parameter in entity.parameters {
      let isReadable =
        switch parameter.kind {
        case .integer: Int64(parameter.text) != nil
        case .boolean: ["true", "false"].contains(parameter.text.lowercased())
        default: true
        }
      guard !isReadable, TemplateText(parameter.text).constant != nil else { continue }
      diagnostics.error(
        .wrongType, "The parameter must be \(parameter.kind == .integer ? "a whole number" : "true or false").",
        entity.reference, field: "parameter.\(parameter.key.prefix(80))")
    }
  }
}

/// Compiles every constant pattern once.
private struct PatternCheck {
  private struct Key: Hashable {
    let pattern: String
    let ignoresCase: Bool
  }

  private var faults: [Key: RegexFault?] = [:]

  mutating func check(
    _ text: String, ignoresCase: Bool, of entity: EntityReference, field: String,
    into diagnostics: inout DiagnosticCollector
  ) {
    guard let pattern = TemplateText(text).constant else { return }
    let key = Key(pattern: pattern, ignoresCase: ignoresCase)
    let fault = faults[key] ?? Self.fault(of: key)
    faults[key] = .some(fault)
    guard let fault else { return }
    let message =
      fault == .limit
      ? "The pattern is longer than \(RegularExpression.patternLimit) characters; shorten it."
      : "The pattern is not a regular expression; correct it."
    diagnostics.error(.regexInvalid, message, entity, field: field)
  }

  private static func fault(of key: Key) -> RegexFault? {
    do throws(RegexFault) {
      _ = try RegularExpression(key.pattern, ignoresCase: key.ignoresCase)
      return nil
    } catch { return error }
  }
}
