import Hits

extension Workspace {
  /// What differs between this workspace and a later one, kind by kind (CO-207, CO-400).
  ///
  /// What a server counts for itself does not: accounts, paths, fingerprints.
  public func changes(to other: Workspace) -> [EntityChange] {
    [
      Self.changes(tags, other.tags), Self.changes(triggers, other.triggers),
      Self.changes(variables, other.variables), Self.changes(builtInVariables, other.builtInVariables),
      Self.changes(folders, other.folders), Self.changes(customTemplates, other.customTemplates),
      ItemComparison(kind: "container", from: [containerItem], to: [other.containerItem]).changes,
    ].flatMap { $0 }
  }

  private static func changes<Kind: Entity>(_ from: [Kind], _ to: [Kind]) -> [EntityChange] {
    ItemComparison(kind: Kind.kind.rawValue, from: from.map(\.compared), to: to.map(\.compared)).changes
  }

  /// The container's own fields; it is one thing, whatever it is called.
  private var containerItem: ComparedItem {
    var fields = container.filter { !Self.bookkeeping.contains($0.key) }
    fields["containerVersionId"] = self.fields["containerVersionId"]
    return ComparedItem(id: "container", name: "", fields: fields)
  }

  /// Fields that a server sets.
  static let bookkeeping: Set<String> = [
    "accountId", "containerId", "workspaceId", "path", "fingerprint", "tagManagerUrl",
  ]
}

extension Entity {
  /// The fields that are its content, each parameter as a field of its own.
  var compared: ComparedItem {
    var content: [String: Value] = [:]
    for (key, value) in fields where !Workspace.bookkeeping.contains(key) && key != Self.kind.idField {
      content[key] = value
    }
    // A list in which each parameter has a key of its own is compared key by key.
    let parameters = parameters
    if Set(parameters.map(\.key)).count == parameters.count, fields["parameter"]?.list?.count == parameters.count {
      content["parameter"] = nil
      for parameter in parameters {
        var fields = parameter.fields
        fields["key"] = nil
        content["parameter.\(parameter.key)"] = Self.shown(fields)
      }
    }
    return ComparedItem(id: id.isEmpty ? nil : id, name: name, fields: content)
  }

  /// A text parameter as its text, another one as all that is said about it.
  private static func shown(_ fields: [String: Value]) -> Value {
    guard fields.count == 2, fields.text("type") == Parameter.Kind.template.rawValue, let text = fields["value"] else {
      return .map(fields)
    }
    return text
  }
}
