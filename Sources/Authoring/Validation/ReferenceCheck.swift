import Hits
import TagManager

/// Whether what entities refer to exists, and whether everything is used.
struct ReferenceCheck {
  let index: WorkspaceIndex

  func check(_ workspace: Workspace, into diagnostics: inout DiagnosticCollector) {
    var used = Used()
    checkVariables(in: workspace.tags, &used, into: &diagnostics)
    checkVariables(in: workspace.triggers, &used, into: &diagnostics)
    checkVariables(in: workspace.variables, &used, into: &diagnostics)
    checkTriggers(workspace, &used, into: &diagnostics)
    checkCompanions(workspace, &used, into: &diagnostics)
    checkFolders(workspace, into: &diagnostics)
    VariableCycles(workspace, index).report(into: &diagnostics)
    reportUnused(workspace, used, into: &diagnostics)
  }

  /// What something refers to.
  private struct Used {
    var variables: Set<String> = []
    var triggers: Set<String> = []
    var companions: Set<String> = []
  }

  private func checkVariables(
    in entities: [some Entity], _ used: inout Used, into diagnostics: inout DiagnosticCollector
  ) {
    for entity in entities {
      for (field, name) in entity.variableReferences {
        used.variables.insert(name)
        guard !index.hasVariable(name) else { continue }
        diagnostics.error(
          .unknownReference, "There is no variable {{\(name.prefix(80))}}; make it, switch it on or correct the name.",
          entity.reference, field: field)
      }
    }
  }

  private func checkTriggers(
    _ workspace: Workspace, _ used: inout Used, into diagnostics: inout DiagnosticCollector
  ) {
    func check(_ ids: [String], of entity: EntityReference, field: String) {
      for id in ids {
        used.triggers.insert(id)
        guard !index.hasTrigger(id) else { continue }
        diagnostics.error(
          .unknownReference, "There is no trigger \(id.prefix(80)); make it or remove the reference.", entity,
          field: field)
      }
    }
    for tag in workspace.tags {
      check(tag.firingTriggerIDs, of: tag.reference, field: "firingTriggerId")
      check(tag.blockingTriggerIDs, of: tag.reference, field: "blockingTriggerId")
    }
    for variable in workspace.variables {
      check(variable.enablingTriggerIDs, of: variable.reference, field: "enablingTriggerId")
      check(variable.disablingTriggerIDs, of: variable.reference, field: "disablingTriggerId")
    }
  }

  private func checkCompanions(
    _ workspace: Workspace, _ used: inout Used, into diagnostics: inout DiagnosticCollector
  ) {
    for tag in workspace.tags {
      for (field, companions) in [("setupTag", tag.setupTags), ("teardownTag", tag.teardownTags)] {
        for companion in companions {
          used.companions.insert(companion.name)
          guard let position = index.tags[companion.name] else {
            diagnostics.error(
              .unknownReference, "There is no tag \"\(companion.name.prefix(80))\"; make it or remove the reference.",
              tag.reference, field: field)
            continue
          }
          guard workspace.tags[position].isPaused, !tag.isPaused else { continue }
          diagnostics.warning(
            .pausedCompanion, "The tag \"\(companion.name.prefix(80))\" is paused and will not run.", tag.reference,
            field: field)
        }
      }
    }
  }

  private func checkFolders(_ workspace: Workspace, into diagnostics: inout DiagnosticCollector) {
    let folders = Set(workspace.folders.map(\.id))
    func check(_ entities: [some Entity]) {
      for entity in entities where !entity.folderID.isEmpty && !folders.contains(entity.folderID) {
        diagnostics.warning(
          .unknownReference, "There is no folder \(entity.folderID.prefix(80)); put it into another one.",
          entity.reference, field: "parentFolderId")
      }
    }
    check(workspace.tags)
    check(workspace.triggers)
    check(workspace.variables)
  }

  private func reportUnused(_ workspace: Workspace, _ used: Used, into diagnostics: inout DiagnosticCollector) {
    for trigger in workspace.triggers where !used.triggers.contains(trigger.id) {
      diagnostics.warning(.unusedEntity, "No tag and no value collection uses it.", trigger.reference)
    }
    for variable in workspace.variables where !used.variables.contains(variable.name) {
      guard !variable.isCollection, variable.type != "c" else { continue }
      diagnostics.add(
        WorkspaceDiagnostic(
          .info, .unusedEntity, "Nothing in the workspace uses it; an app may still read it by name.",
          entity: variable.reference))
    }
    for tag in workspace.tags
    where tag.firingTriggerIDs.isEmpty && !tag.isPaused && !used.companions.contains(tag.name) {
      diagnostics.warning(
        .noFiringTrigger, "It has no firing trigger and no other tag runs it, so it never fires.", tag.reference,
        field: "firingTriggerId")
    }
    for variable in workspace.variables where variable.isCollection && variable.enablingTriggerIDs.isEmpty {
      diagnostics.warning(
        .noFiringTrigger, "It has no enabling trigger, so none of its values is ever used.", variable.reference,
        field: "enablingTriggerId")
    }
  }
}
