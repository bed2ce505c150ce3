import Hits
import TagManager

/// Whether names and ids tell entities apart, names without regard to case (CO-205).
struct NameCheck {
  func check(_ workspace: Workspace, into diagnostics: inout DiagnosticCollector) {
    check(workspace.tags, into: &diagnostics)
    check(workspace.triggers, into: &diagnostics)
    check(workspace.folders, into: &diagnostics)
    check(workspace.customTemplates, into: &diagnostics)
    checkIDs(workspace.variables, into: &diagnostics)
    checkIDs(workspace.builtInVariables, into: &diagnostics)
    // Built-in variables are referred to by name as all others are; the name of the event's own is taken.
    var taken: [String: EntityReference] = [
      WorkspaceIndex.eventName: EntityReference(kind: .builtInVariable, id: "", name: WorkspaceIndex.eventName)
    ]
    for builtIn in workspace.enabledBuiltIns { checkName(of: builtIn.reference, &taken, into: &diagnostics) }
    for variable in workspace.variables { checkName(of: variable.reference, &taken, into: &diagnostics) }
  }

  private func check(_ entities: [some Entity], into diagnostics: inout DiagnosticCollector) {
    checkIDs(entities, into: &diagnostics)
    var taken: [String: EntityReference] = [:]
    for entity in entities { checkName(of: entity.reference, &taken, into: &diagnostics) }
  }

  private func checkName(
    of entity: EntityReference, _ taken: inout [String: EntityReference],
    into diagnostics: inout DiagnosticCollector
  ) {
    guard !entity.name.isEmpty else { return }
    guard let other = taken.updateValue(entity, forKey: entity.name.lowercased()) else { return }
    diagnostics.error(
      .duplicateName, "There is a \(other.kind.noun) of that name, case aside; rename one of them.", entity,
      field: "name")
  }

  private func checkIDs<Kind: Entity>(_ entities: [Kind], into diagnostics: inout DiagnosticCollector) {
    var taken: Set<String> = []
    for entity in entities where !entity.id.isEmpty && !taken.insert(entity.id).inserted {
      diagnostics.error(
        .duplicateID, "Another \(Kind.kind.noun) has the same \(Kind.kind.idField); give this one a number of its own.",
        entity.reference, field: Kind.kind.idField)
    }
  }
}
