import Authoring
import Hits

/// Fields of entities as their forms call them, for changes that a person reads (CO-400).
struct FieldName: Sendable {
  /// Where the entities are, for their types and for the names of triggers and folders.
  let workspace: Workspace
  private let names: WorkspaceNames

  init(_ workspace: Workspace) {
    self.workspace = workspace
    names = WorkspaceNames(workspace)
  }

  private static let titles = [
    "name": "Name", "type": "Type", "notes": "Notes", "paused": "Paused", "priority": "Priority",
    "firingTriggerId": "Firing triggers", "blockingTriggerId": "Blocking triggers",
    "enablingTriggerId": "Enabling triggers", "disablingTriggerId": "Disabling triggers",
    "tagFiringOption": "How often", "setupTag": "Tags right before it", "teardownTag": "Tags right after it",
    "parentFolderId": "Folder", "liveOnly": "Not in preview", "scheduleStartMs": "From", "scheduleEndMs": "Until",
    "consentSettings": "Consent that is needed", "filter": "Conditions", "customEventFilter": "Which events",
    "formatValue": "Form of the value", "parameter": "Parameters",
  ]

  /// What a field of an entity is called.
  func title(of field: String, kind: String, id: String) -> String {
    guard field.hasPrefix("parameter.") else { return Self.titles[field] ?? field }
    let key = String(field.dropFirst("parameter.".count))
    let collection = EntityCollection.allCases.first { $0.kind.rawValue == kind }
    let type = collection.flatMap { $0.entity(id, in: workspace) }?.word("type") ?? ""
    let known = collection == .tags ? TagTypes.type(type) : collection == .variables ? VariableTypes.type(type) : nil
    return known?.fields.first { $0.key == key }?.label ?? key
  }

  /// The value of a field where an export has a number or a word for what people have a name for; nil for others.
  func text(_ value: Value?, of field: String) -> String? {
    switch (field, value) {
    case (let field, .list(let ids)) where field.hasSuffix("TriggerId"):
      ids.map { names.triggerName($0.string ?? $0.jsonText) }.joined(separator: "\n")
    case ("parentFolderId", .string(let id)): names.folders.first { $0.value == id }?.text
    case ("tagFiringOption", .string(let option)): TagEditor.options.first { $0.0 == option }?.1
    case ("scheduleStartMs", .string(let time)), ("scheduleEndMs", .string(let time)):
      Int64(time).map { TimeText.text($0) + " UTC" }
    case (_, .bool(let flag)): flag ? "yes" : "no"
    default: nil
    }
  }
}
