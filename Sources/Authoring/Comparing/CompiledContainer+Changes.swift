import Hits
public import TagManager

extension CompiledContainer {
  /// What differs between this container and a later one: its facts, macros, tags and rules.
  ///
  /// Positions in the file do not count: a rule is shown with its predicates, and tags and macros by name.
  public func changes(to other: CompiledContainer) -> [EntityChange] {
    let (from, to) = (ContainerReader(self), ContainerReader(other))
    return [
      ItemComparison(kind: "container", from: [from.facts], to: [to.facts]).changes,
      ItemComparison(kind: "tag", from: from.tags, to: to.tags).changes,
      ItemComparison(kind: "rule", from: from.rules, to: to.rules).changes,
      ItemComparison(kind: "macro", from: from.macros, to: to.macros).changes,
    ].flatMap { $0 }
  }
}

/// Shows a container's parts as values that say the same wherever they stand.
private struct ContainerReader {
  private let container: CompiledContainer
  private let predicates: [Value]

  init(_ container: CompiledContainer) {
    self.container = container
    predicates = container.predicates.map { call in
      let shown = ShownValues(container)
      var parts: [String: Value] = ["function": .string(call.function.rawValue)]
      for (key, index) in call.parameters { parts[key] = shown.value(index) }
      return .map(parts)
    }
  }

  var facts: ComparedItem {
    var fields: [String: Value] = [
      "version": .string(container.version), "environment": .string(container.environment),
    ]
    fields["id"] = container.id.map { .string($0.text) }
    fields["usageContext"] = container.usageContext.isEmpty ? nil : .list(container.usageContext.map(Value.string))
    return ComparedItem(id: "container", name: "", fields: fields)
  }

  var macros: [ComparedItem] {
    container.macros.map { macro in
      ComparedItem(
        id: nil, name: macro.label.map { "\(macro.name) (\($0))" } ?? macro.name, fields: fields(of: macro))
    }
  }

  var tags: [ComparedItem] {
    container.tags.map { ComparedItem(id: $0.tagID, name: $0.name, fields: fields(of: $0)) }
  }

  var rules: [ComparedItem] {
    container.rules.enumerated().map { position, rule in
      var fields: [String: Value] = [:]
      func put(_ key: String, _ indexes: RuleIndexes, _ value: (Int) -> Value) {
        let values = indexes.map(value).sorted { $0.jsonText.precedesInBytes($1.jsonText) }
        if !values.isEmpty { fields[key] = .list(values) }
      }
      func title(_ call: Call) -> Value { .string(call.name.isEmpty ? "#\(call.tagID ?? "")" : call.name) }
      put("if", rule.positive) { predicates[$0] }
      put("unless", rule.negative) { predicates[$0] }
      put("add", rule.addedTags) { title(container.tags[$0]) }
      put("block", rule.removedTags) { title(container.tags[$0]) }
      put("addMacro", rule.addedMacros) { title(container.macros[$0]) }
      put("removeMacro", rule.removedMacros) { title(container.macros[$0]) }
      return ComparedItem(id: rule.id, name: rule.name, fields: fields)
    }
  }

  private func fields(of call: Call) -> [String: Value] {
    let shown = ShownValues(container)
    var fields: [String: Value] = ["function": .string(call.function.rawValue)]
    for (key, index) in call.parameters { fields["parameter.\(key)"] = shown.value(index) }
    let keys = call.structuralKeys
    if keys.isNotDefault { fields["isNotDefault"] = true }
    if let push = keys.pushAfterEvaluate { fields["pushAfterEvaluate"] = shown.value(push) }
    if keys.priority != 0 { fields["priority"] = .int(keys.priority) }
    if keys.isOncePerLoad { fields["oncePerLoad"] = true }
    if keys.isLiveOnly { fields["liveOnly"] = true }
    if !keys.setupTags.isEmpty { fields["setupTags"] = .list(keys.setupTags.map(shown.tag)) }
    if !keys.teardownTags.isEmpty { fields["teardownTags"] = .list(keys.teardownTags.map(shown.tag)) }
    fields["scheduleStart"] = keys.scheduleStart.map(Value.int)
    fields["scheduleEnd"] = keys.scheduleEnd.map(Value.int)
    if !keys.consentRequired.isEmpty { fields["consentRequired"] = .list(keys.consentRequired.map(Value.string)) }
    return fields
  }
}

/// The values of a container's pool as they are read by people: macros as `{{name}}`, texts with their references.
private struct ShownValues {
  /// What is larger or deeper than this is shown as dots, for a pool may refer to itself many times.
  private static let (parts, depth) = (10_000, 64)

  private let container: CompiledContainer

  init(_ container: CompiledContainer) { self.container = container }

  func value(_ index: ValueIndex) -> Value {
    var budget = Self.parts
    return value(index, depth: Self.depth, &budget)
  }

  func tag(_ reference: TagReference) -> Value {
    let name = container.tags[reference.tag].name
    return reference.flag == 0 ? .string(name) : ["tag": .string(name), "flag": .int(Int64(reference.flag))]
  }

  private func value(_ index: ValueIndex, depth: Int, _ budget: inout Int) -> Value {
    budget -= 1
    guard budget > 0, depth > 0 else { return "…" }
    switch container.pool[index] {
    case .constant(let value): return value == .absent ? .null : value
    case .macro(let name): return .string("{{\(name)}}")
    case .tag(let reference): return tag(reference)
    case .list(let items): return .list(items.map { value($0, depth: depth - 1, &budget) })
    case .template(let pieces):
      return .string(pieces.map { text(of: value($0, depth: depth - 1, &budget)) }.joined())
    case .map(let entries):
      var map: [String: Value] = [:]
      for entry in entries {
        map[text(of: value(entry.key, depth: depth - 1, &budget))] = value(entry.value, depth: depth - 1, &budget)
      }
      return .map(map)
    case .escape(let inner, let codes):
      return ["escape": value(inner, depth: depth - 1, &budget), "codes": .list(codes.map { .int(Int64($0)) })]
    }
  }

  private func text(of value: Value) -> String { value.string ?? value.jsonText }
}
