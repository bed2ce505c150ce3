import Hits

/// Adds one workspace to another, kind by kind: what others refer to first, so that references can follow.
struct WorkspaceMerge {
  private(set) var result: Workspace
  private(set) var renamings: [ImportPlan.Renaming] = []
  private let imported: Workspace
  private let resolution: ImportMode.ConflictResolution

  init(_ present: Workspace, _ imported: Workspace, _ resolution: ImportMode.ConflictResolution) {
    result = present
    self.imported = imported
    self.resolution = resolution
  }

  mutating func run() {
    let folders = add(imported.folders, to: \.folders)
    let templates = add(imported.customTemplates, to: \.customTemplates)
    let types = typeNames(templates.ids)
    addBuiltIns()
    func prepared<Kind: Entity>(_ entities: [Kind]) -> [Kind] {
      entities.map { entity in
        var entity = entity
        if let folder = folders.ids[entity.folderID] { entity.fields["parentFolderId"] = .string(folder) }
        if let type = types[entity.type] { entity.type = type }
        return entity
      }
    }
    let variableNames = addVariables(prepared(imported.variables))
    let triggers = add(prepared(imported.triggers).map { $0.renamingReferences(variableNames) }, to: \.triggers)
    for index in result.variables.indices.suffix(addedVariables) + replacedVariables {
      result.variables[index].mapTriggers(triggers.ids)
    }
    var tags = prepared(imported.tags).map { $0.renamingReferences(variableNames) }
    for index in tags.indices { tags[index].mapTriggers(triggers.ids) }
    addTags(tags)
  }

  /// How many variables stand at the end that were not there before, and which were replaced.
  private var addedVariables = 0
  private var replacedVariables: [Int] = []

  /// The ids and names that imported entities of a kind have in the result.
  private struct Placed {
    var ids: [String: String] = [:]
    var names: [String: String] = [:]
    var replaced: [Int] = []
  }

  private mutating func add<Kind: Entity>(
    _ entities: [Kind], to list: WritableKeyPath<Workspace, [Kind]>
  ) -> Placed {
    var placed = Placed()
    var positions: [String: Int] = [:]
    for (position, entity) in result[keyPath: list].enumerated() where positions[entity.name.lowercased()] == nil {
      positions[entity.name.lowercased()] = position
    }
    var names = FreshNames(Array(positions.keys) + entities.map { $0.name.lowercased() })
    var ids = FreshIDs(result[keyPath: list].map(\.id) + entities.map(\.id))
    var taken = Set(result[keyPath: list].map(\.id))
    for entity in entities {
      var entity = entity
      let originalID = entity.id
      let originalName = entity.name
      if let position = positions[entity.name.lowercased()] {
        let present = result[keyPath: list][position]
        // What is there keeps its name, case included, for others refer to it.
        var successor = entity
        successor.name = present.name
        successor.id = present.id
        let isSame = present.compared.fields == successor.compared.fields
        if isSame || resolution == .overwrite {
          if !isSame {
            result[keyPath: list][position] = successor
            placed.replaced.append(position)
          }
          placed.ids[originalID] = present.id
          if present.name != originalName { placed.names[originalName] = present.name }
          continue
        }
        entity.name = names.next(for: entity.name)
        placed.names[originalName] = entity.name
        renamings.append(ImportPlan.Renaming(kind: Kind.kind, from: originalName, to: entity.name))
      }
      if !taken.insert(entity.id).inserted || entity.id.isEmpty {
        entity.id = ids.next()
        taken.insert(entity.id)
      }
      placed.ids[originalID] = entity.id
      result[keyPath: list].append(entity)
    }
    return placed
  }

  /// Adds variables, whose references to renamed ones change them, which may make a conflict of what was none.
  ///
  /// So the names are settled first: a variable is renamed when it differs, or when it refers to one that is renamed.
  private mutating func addVariables(_ variables: [Variable]) -> [String: String] {
    let before = result.variables.count
    defer { addedVariables = result.variables.count - before }
    let present = Dictionary(
      result.variables.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    guard resolution == .rename else {
      // What is there keeps its name; references in the import follow it in upper and lower case.
      var names: [String: String] = [:]
      for variable in variables {
        guard let name = present[variable.name.lowercased()]?.name, name != variable.name else { continue }
        names[variable.name] = name
      }
      replacedVariables = add(variables.map { $0.renamingReferences(names) }, to: \.variables).replaced
      return names
    }
    let builtIns = Set(result.enabledBuiltIns.map { $0.name.lowercased() })
    var referrers: [String: [Int]] = [:]
    for (position, variable) in variables.enumerated() {
      for (_, name) in variable.variableReferences { referrers[name, default: []].append(position) }
    }
    var names = FreshNames(Array(present.keys) + builtIns + variables.map { $0.name.lowercased() })
    var fresh: [String: String] = [:]
    var waiting = variables.indices.filter { position in
      let variable = variables[position]
      let name = variable.name.lowercased()
      return builtIns.contains(name) || present[name].map { $0.compared.fields != variable.compared.fields } ?? false
    }
    while let position = waiting.popLast() {
      let name = variables[position].name
      guard fresh[name] == nil else { continue }
      fresh[name] = names.next(for: name)
      waiting += (referrers[name] ?? []).filter {
        present[variables[$0].name.lowercased()] != nil && fresh[variables[$0].name] == nil
      }
    }
    let renamed = variables.map { variable in
      var variable = variable.renamingReferences(fresh)
      if let name = fresh[variable.name] { variable.name = name }
      return variable
    }
    for variable in variables {
      guard let name = fresh[variable.name] else { continue }
      renamings.append(ImportPlan.Renaming(kind: .variable, from: variable.name, to: name))
    }
    return fresh.merging(add(renamed, to: \.variables).names) { first, _ in first }
  }

  private mutating func addBuiltIns() {
    let types = Set(result.enabledBuiltIns.map(\.type))
    let added = imported.builtInVariables.filter { !types.contains($0.type) }
    guard !added.isEmpty else { return }
    result.builtInVariables = result.enabledBuiltIns + added
  }

  /// Adds tags; their companions are named, so those that were renamed are named anew.
  private mutating func addTags(_ tags: [Tag]) {
    let before = result.tags.count
    let placed = add(tags, to: \.tags)
    for index in Array(before..<result.tags.count) + placed.replaced {
      result.tags[index].renameCompanions(placed.names)
    }
  }

  /// The types of custom templates that got other ids.
  private func typeNames(_ ids: [String: String]) -> [String: String] {
    var names: [String: String] = [:]
    for template in imported.customTemplates {
      var placed = template
      placed.id = ids[template.id] ?? template.id
      if placed.typeName != template.typeName { names[template.typeName] = placed.typeName }
    }
    return names
  }
}

/// Names with a number behind them that no entity has.
private struct FreshNames {
  private var taken: Set<String>
  private var numbers: [String: Int] = [:]

  /// Takes names in lower case.
  init(_ names: some Sequence<String>) { taken = Set(names) }

  mutating func next(for name: String) -> String {
    var number = numbers[name] ?? 2
    while !taken.insert("\(name) (\(number))".lowercased()).inserted { number += 1 }
    numbers[name] = number + 1
    return "\(name) (\(number))"
  }
}

/// Numbers that no entity has as its id.
private struct FreshIDs {
  private var last: Int64

  init(_ ids: [String]) {
    // The numbers of standard triggers and beyond are not for entities.
    last = ids.compactMap { Int64($0) }.filter { 0..<2_000_000_000 ~= $0 }.max() ?? 0
  }

  mutating func next() -> String {
    last += 1
    return String(last)
  }
}

extension Entity {
  /// Refers to triggers by other ids.
  fileprivate mutating func mapTriggers(_ ids: [String: String]) {
    for key in ["firingTriggerId", "blockingTriggerId", "enablingTriggerId", "disablingTriggerId"] {
      guard case .list(let items) = fields[key] else { continue }
      fields[key] = .list(items.map { item in item.string.flatMap { ids[$0] }.map(Value.string) ?? item })
    }
  }
}

extension Tag {
  fileprivate mutating func renameCompanions(_ names: [String: String]) {
    guard !names.isEmpty else { return }
    for key in ["setupTag", "teardownTag"] {
      guard case .list(let items) = fields[key] else { continue }
      fields[key] = .list(
        items.map { item in
          guard var companion = item.map, let name = names[companion.text("tagName")] else { return item }
          companion["tagName"] = .string(name)
          return .map(companion)
        })
    }
  }
}
