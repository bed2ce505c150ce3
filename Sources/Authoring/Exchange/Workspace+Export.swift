public import Hits

extension Workspace {
  /// The workspace as an export file's JSON value; of an import it is equal to what was imported (CO-201).
  public var exported: Value {
    var version = fields
    for (kind, list) in entityLists where !list.isEmpty { version[kind.rawValue] = .list(list.map(Value.map)) }
    var file = header
    file["containerVersion"] = .map(version)
    return .map(file)
  }

  /// The export file: compact JSON with keys in byte order, the same bytes for equal workspaces.
  public var exportBytes: [UInt8] { exported.jsonBytes }

  /// The fields of all entities, kind by kind.
  var entityLists: [(kind: EntityKind, entities: [[String: Value]])] {
    [
      (.tag, tags.map(\.fields)), (.trigger, triggers.map(\.fields)), (.variable, variables.map(\.fields)),
      (.builtInVariable, builtInVariables.map(\.fields)), (.folder, folders.map(\.fields)),
      (.customTemplate, customTemplates.map(\.fields)),
    ]
  }
}
