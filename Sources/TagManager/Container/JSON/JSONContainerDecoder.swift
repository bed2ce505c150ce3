import Hits

/// Decodes compiled JSON (TM-133).
struct JSONContainerDecoder {
  let limits: DecodeLimits

  /// Reads the container and, when there is one, the rollout's earlier version.
  func decode(
    _ root: JSONElement, diagnostics: inout DiagnosticList
  ) throws(DecodingFault) -> (container: CompiledContainer, rollout: Rollout?) {
    try checkFormat(root["format"]?.string)
    var container = CompiledContainer(semantics: .standard)
    if let description = root["container"] {
      container.id = description["id"]?.string.map { ContainerID($0) }
      container.environment = description["environment"]?.string ?? container.environment
      container.sequence = description["sequence"]?.int
      container.publishedAt = description["publishedAt"]?.int
    }
    if let runtime = root["runtime"], runtime.kind != .null {
      diagnostics.add(
        Diagnostic(.info, .runtimeIgnored, "The file carries a vendor's bytecode, which is never executed."))
    }
    var previous = container
    container.fingerprint = root["fingerprint"]?.string
    try decode(root["resource"], into: &container, at: "")

    guard let rollout = root["rollout"], rollout.kind == .object else { return (container, nil) }
    let percent: Double? =
      switch rollout["percent"]?.number {
      case .int(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    guard let percent, 0...100 ~= percent else {
      throw DecodingFault(.incompleteResource, "A rollout needs a percent from 0 to 100.", at: "rollout.percent")
    }
    previous.fingerprint = rollout["previous"]?["fingerprint"]?.string
    try decode(rollout["previous"]?["resource"], into: &previous, at: "rollout.previous.")
    return (container, Rollout(percent: percent, previous: previous))
  }

  /// Reads `tagworks/N`; other texts are other producers' own.
  private func checkFormat(_ format: String?) throws(DecodingFault) {
    let prefix = "tagworks/"
    guard let format, format.hasPrefix(prefix), format != "tagworks/1" else { return }
    guard let number = UInt64(format.dropFirst(prefix.count)), number <= 1 else {
      throw DecodingFault(
        .newerFormat, "The container has a newer format than this version reads, which is tagworks/1; update Tagworks.",
        at: "format")
    }
  }

  private func decode(
    _ resource: JSONElement?, into container: inout CompiledContainer, at path: String
  ) throws(DecodingFault) {
    guard let resource, resource.kind == .object else {
      throw DecodingFault(
        .incompleteResource, "There is no resource; publish the container again.", at: "\(path)resource")
    }
    container.version = resource["version"].flatMap(JSONValues.scalar)?.structuralText ?? ""
    container.usageContext = resource["usageContext"]?.items.compactMap(\.string) ?? []
    let macros = try items(resource["macros"], of: "macros", limit: limits.macros)
    let tags = try items(resource["tags"], of: "tags", limit: limits.tags)
    let predicates = try items(resource["predicates"], of: "predicates", limit: limits.predicates)
    let rules = try items(resource["rules"], of: "rules", limit: limits.rules)
    let names = MacroNames(macros)
    var values = JSONValues(macroNames: names.all, tagCount: tags.count, limits: limits)
    container.macros = try calls(.macro, macros, in: &values, at: "\(path)macros")
    for (index, name) in names.made { container.macros[index].name = name }
    container.tags = try calls(.tag, tags, in: &values, at: "\(path)tags")
    container.predicates = try calls(.predicate, predicates, in: &values, at: "\(path)predicates")
    container.pool = values.pool.pool
    let reader = JSONRules(counts: (predicates.count, tags.count, macros.count), limits: limits)
    container.rules.reserveCapacity(rules.count)
    for rule in rules { container.rules.append(try reader.rule(rule, at: container.rules.count)) }
  }

  private func items(
    _ list: JSONElement?, of what: String, limit: Int
  ) throws(DecodingFault) -> [JSONElement] {
    var items: [JSONElement] = []
    guard let list else { return items }
    for item in list.items {
      guard items.count < limit else { throw .tooMany(what, limit: limit) }
      items.append(item)
    }
    return items
  }

  private func calls(
    _ kind: FunctionKind, _ elements: [JSONElement], in values: inout JSONValues, at path: String
  ) throws(DecodingFault) -> [Call] {
    let builder = CallBuilder(limits: limits)
    var calls: [Call] = []
    calls.reserveCapacity(elements.count)
    for element in elements {
      let index = calls.count
      calls.append(
        try builder.call(
          kind, try entries(element, of: kind, at: "\(path)[\(index)]"), in: &values, at: "\(path)[\(index)]"))
    }
    return calls
  }

  private func entries(
    _ call: JSONElement, of kind: FunctionKind, at location: @autoclosure () -> String
  ) throws(DecodingFault) -> [CallEntry<JSONElement>] {
    var entries: [CallEntry<JSONElement>] = []
    for member in call.members {
      // Room for the structural keys besides the parameters.
      guard entries.count < limits.parametersPerCall + 20 else {
        throw .tooMany("parameters of one call", limit: limits.parametersPerCall, at: location())
      }
      let key = member.key
      entries.append(
        key.hasPrefix("vtp_")
          ? CallEntry(key: String(key.dropFirst(4)), value: member.value, isParameter: true)
          : CallEntry(
            key: key, value: member.value, isParameter: !CallBuilder.isStructural(key, of: kind)))
    }
    return sorted(entries)
  }

  /// The entries in the order of their keys; of a key given twice the last one, `vtp_` keys apart from others.
  private func sorted(_ entries: [CallEntry<JSONElement>]) -> [CallEntry<JSONElement>] {
    let order = entries.indices.sorted { left, right in
      let (leftKey, rightKey) = (entries[left].key, entries[right].key)
      return leftKey.precedesInBytes(rightKey) || (left < right && leftKey.hasSameScalars(as: rightKey))
    }
    var sorted: [CallEntry<JSONElement>] = []
    sorted.reserveCapacity(entries.count)
    for index in order {
      let entry = entries[index]
      let isSame = { (other: CallEntry<JSONElement>) in
        other.key.hasSameScalars(as: entry.key) && other.isParameter == entry.isParameter
      }
      // At most two of a key are kept, so its other one is the last or the one before.
      if let same = sorted.suffix(2).lastIndex(where: isSame) { sorted.remove(at: same) }
      sorted.append(entry)
    }
    return sorted
  }
}

extension JSONContainerDecoder {
  /// The names of macros, which values use in place of indexes; one that has none gets `_` and its index.
  ///
  /// A leading `_` keeps it from the names that a getter lists (TM-904).
  private struct MacroNames {
    private(set) var all: [String] = []
    /// Those that were made here, by index.
    private(set) var made: [(Int, String)] = []

    init(_ macros: [JSONElement]) {
      all = macros.map { macro in
        macro["instance_name"].flatMap(JSONValues.scalar)?.structuralText ?? ""
      }
      var taken = Set(all)
      for index in all.indices where all[index].isEmpty {
        var name = "_\(index)"
        while !taken.insert(name).inserted { name = "_\(name)" }
        all[index] = name
        made.append((index, name))
      }
    }
  }
}
