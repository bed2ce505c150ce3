import Authoring
import Hits

/// The lists of a workspace, as the API's paths call them.
enum EntityCollection: String, CaseIterable, Sendable {
  case tags, triggers, variables, builtInVariables, folders, templates

  var kind: EntityKind {
    switch self {
    case .tags: .tag
    case .triggers: .trigger
    case .variables: .variable
    case .builtInVariables: .builtInVariable
    case .folders: .folder
    case .templates: .customTemplate
    }
  }

  /// The entities of the list, each as the fields it has in an export.
  func fields(in workspace: Workspace) -> [[String: Value]] {
    switch self {
    case .tags: workspace.tags.map(\.fields)
    case .triggers: workspace.triggers.map(\.fields)
    case .variables: workspace.variables.map(\.fields)
    case .builtInVariables: workspace.builtInVariables.map(\.fields)
    case .folders: workspace.folders.map(\.fields)
    case .templates: workspace.customTemplates.map(\.fields)
    }
  }

  /// The first entity of an id.
  func entity(_ id: String, in workspace: Workspace) -> [String: Value]? {
    switch self {
    case .tags: workspace.tags.first { $0.id == id }?.fields
    case .triggers: workspace.triggers.first { $0.id == id }?.fields
    case .variables: workspace.variables.first { $0.id == id }?.fields
    case .builtInVariables: workspace.builtInVariables.first { $0.id == id }?.fields
    case .folders: workspace.folders.first { $0.id == id }?.fields
    case .templates: workspace.customTemplates.first { $0.id == id }?.fields
    }
  }

  /// Replaces the first entity of an id, or adds one; a variable's new name goes into what refers to it (CO-205).
  func put(_ fields: [String: Value], id: String, in workspace: inout Workspace) {
    switch self {
    case .tags: Self.put(Tag(fields: fields), id, in: &workspace.tags)
    case .triggers: Self.put(Trigger(fields: fields), id, in: &workspace.triggers)
    case .variables:
      let variable = Variable(fields: fields)
      let former = workspace.variables.first { $0.id == id }?.name ?? ""
      Self.put(variable, id, in: &workspace.variables)
      let isFree = !workspace.variables.contains { $0.name == former }
      if !former.isEmpty, !variable.name.isEmpty, isFree { workspace.renameVariable(former, to: variable.name) }
    case .builtInVariables: Self.put(BuiltInVariable(fields: fields), id, in: &workspace.builtInVariables)
    case .folders: Self.put(Folder(fields: fields), id, in: &workspace.folders)
    case .templates: Self.put(CustomTemplate(fields: fields), id, in: &workspace.customTemplates)
    }
    // The list is no longer the empty one of the file.
    workspace.fields[kind.rawValue] = nil
  }

  /// Removes the first entity of an id; false when there is none.
  func remove(_ id: String, from workspace: inout Workspace) -> Bool {
    switch self {
    case .tags: Self.remove(id, from: &workspace.tags)
    case .triggers: Self.remove(id, from: &workspace.triggers)
    case .variables: Self.remove(id, from: &workspace.variables)
    case .builtInVariables: Self.remove(id, from: &workspace.builtInVariables)
    case .folders: Self.remove(id, from: &workspace.folders)
    case .templates: Self.remove(id, from: &workspace.customTemplates)
    }
  }

  /// The id of a new entity: its own, or the next number; a built-in variable has no other than its type.
  func freshID(for fields: [String: Value], in workspace: Workspace) -> String {
    if let own = fields[kind.idField]?.string, !own.isEmpty { return own }
    guard kind != .builtInVariable else { return "" }
    // The numbers of standard triggers and beyond are not for entities.
    let numbers = self.fields(in: workspace).compactMap { $0[kind.idField]?.string.flatMap { Int64($0) } }
    return String((numbers.filter { 0..<2_000_000_000 ~= $0 }.max() ?? 0) + 1)
  }

  private static func put<Kind: Entity>(_ entity: Kind, _ id: String, in list: inout [Kind]) {
    if let index = list.firstIndex(where: { $0.id == id }) { list[index] = entity } else { list.append(entity) }
  }

  private static func remove<Kind: Entity>(_ id: String, from list: inout [Kind]) -> Bool {
    guard let index = list.firstIndex(where: { $0.id == id }) else { return false }
    list.remove(at: index)
    return true
  }
}
