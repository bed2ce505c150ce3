import Hits

/// Where an entity refers to others, found once for validation, merging and renaming.
extension Entity {
  /// The fields whose texts may refer to variables.
  static var referringFields: [String] {
    switch kind {
    case .tag: ["parameter", "priority"]
    case .trigger: ["parameter", "filter", "customEventFilter", "autoEventFilter"]
    case .variable: ["parameter", "formatValue"]
    case .builtInVariable, .folder, .customTemplate: []
    }
  }

  /// The names of the variables it refers to, in the order of its fields, each as often as it is there.
  var variableReferences: [(field: String, name: String)] {
    Self.referringFields.flatMap { field in
      (fields[field].map(Self.texts) ?? []).flatMap { text in
        TemplateText(text).references.map { (field, $0) }
      }
    }
  }

  /// The entity with other names for the variables it refers to.
  func renamingReferences(_ names: [String: String]) -> Self {
    guard !names.isEmpty else { return self }
    var fields = fields
    for field in Self.referringFields {
      fields[field] = fields[field]?.mappingReferences { TemplateText($0).renaming(names) }
    }
    return Self(fields: fields)
  }

  /// The fields of parameters, conditions and formats in which further parameters stand.
  private static var nestingFields: [String] {
    ["parameter", "list", "map"] + Variable.formatParameters.map(\.0)
  }

  /// Every text that stands as the value of a parameter, however deep.
  private static func texts(in value: Value) -> [String] {
    let nestingFields = nestingFields
    var texts: [String] = []
    var rest = [value]
    while let value = rest.popLast() {
      switch value {
      case .list(let items): rest += items.reversed()
      case .map(let fields):
        if let text = fields["value"]?.string { texts.append(text) }
        for field in nestingFields.reversed() {
          if let nested = fields[field] { rest.append(nested) }
        }
      default: break
      }
    }
    return texts
  }
}

extension Value {
  /// The value with every text that stands as the value of a parameter replaced; an import bounds how deep it nests.
  fileprivate func mappingReferences(_ change: (String) -> String) -> Value {
    switch self {
    case .list(let items): return .list(items.map { $0.mappingReferences(change) })
    case .map(let fields):
      var mapped = fields.mapValues { $0.mappingReferences(change) }
      if case .string(let text) = fields["value"] { mapped["value"] = .string(change(text)) }
      return .map(mapped)
    default: return self
    }
  }
}

extension Workspace {
  /// Renames a variable and every reference to it (CO-205).
  public mutating func renameVariable(_ name: String, to newName: String) {
    guard name != newName else { return }
    for index in variables.indices where variables[index].name == name { variables[index].name = newName }
    for index in builtInVariables.indices where builtInVariables[index].name == name {
      builtInVariables[index].name = newName
    }
    let names = [name: newName]
    tags = tags.map { $0.renamingReferences(names) }
    triggers = triggers.map { $0.renamingReferences(names) }
    variables = variables.map { $0.renamingReferences(names) }
  }
}
