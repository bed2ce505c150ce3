import Hits

/// How an imported workspace is put into the present one (CO-201).
public enum ImportMode: Sendable, Hashable {
  /// It replaces everything.
  case overwrite
  /// It is added; entities of a name that is there already, with other content, are a conflict.
  case merge(onConflict: ConflictResolution)

  /// What becomes of an imported entity in a conflict.
  public enum ConflictResolution: String, Sendable, Hashable {
    /// It gets a new name; what refers to it in the import refers to the new name.
    case rename
    /// It takes the place of the one that is there.
    case overwrite
  }
}

/// What an import would make of a workspace: a dry run, until its `workspace` is stored (CO-201).
public struct ImportPlan: Sendable {
  /// One imported entity that gets a new name.
  public struct Renaming: Sendable, Hashable, Codable {
    /// Its kind.
    public var kind: EntityKind
    /// Its name in the import.
    public var from: String
    /// Its name in the workspace.
    public var to: String
  }

  /// The workspace after the import.
  public private(set) var workspace: Workspace
  /// What is different from before.
  public private(set) var changes: [EntityChange] = []
  /// Which imported entities get new names.
  public private(set) var renamings: [Renaming] = []

  /// Plans an import; neither workspace is changed.
  ///
  /// The container stays what it is: its ids, its name and its kind are not taken over.
  public init(of imported: Workspace, into present: Workspace, mode: ImportMode) {
    switch mode {
    case .overwrite:
      workspace = Self.adopted(imported, by: present)
    case .merge(let resolution):
      var merge = WorkspaceMerge(present, Self.adopted(imported, by: present), resolution)
      merge.run()
      workspace = merge.result
      renamings = merge.renamings
    }
    changes = present.changes(to: workspace)
  }

  /// The imported entities as those of the present container; an empty workspace takes the import as it is.
  private static func adopted(_ imported: Workspace, by present: Workspace) -> Workspace {
    guard present.fields["container"] != nil else { return imported }
    var workspace = imported
    workspace.header = present.header
    workspace.fields = present.fields
    let identity = present.identity
    let types = Dictionary(
      imported.customTemplates.map { template in
        (template.typeName, template.adopted(identity, types: [:]).typeName)
      }, uniquingKeysWith: { first, _ in first })
    workspace.tags = imported.tags.map { $0.adopted(identity, types: types) }
    workspace.triggers = imported.triggers.map { $0.adopted(identity, types: types) }
    workspace.variables = imported.variables.map { $0.adopted(identity, types: types) }
    let builtIns = imported.builtInVariables.isEmpty ? imported.enabledBuiltIns : imported.builtInVariables
    workspace.builtInVariables = builtIns.map { $0.adopted(identity, types: types) }
    workspace.folders = imported.folders.map { $0.adopted(identity, types: types) }
    workspace.customTemplates = imported.customTemplates.map { $0.adopted(identity, types: types) }
    return workspace
  }
}

extension Workspace {
  /// The fields by which entities say which container they belong to.
  fileprivate var identity: [String: Value] {
    var identity: [String: Value] = [:]
    for key in ["accountId", "containerId"] { identity[key] = fields[key] ?? container[key] }
    return identity
  }
}

extension Entity {
  fileprivate func adopted(_ identity: [String: Value], types: [String: String]) -> Self {
    var fields = fields
    for (key, value) in identity { fields[key] = value }
    if let type = types[fields.text("type")] { fields["type"] = .string(type) }
    return Self(fields: fields)
  }
}
