import Hits

/// Writes macros, tags and predicates with their values as JSON (TM-134).
struct JSONCallWriter {
  private let pool: ValuePool
  private let macros: [Call]
  /// The first macro of each name, for references by index.
  private let macroIndexes: [String: Int]

  init(_ container: CompiledContainer) {
    pool = container.pool
    macros = container.macros
    macroIndexes = Dictionary(macros.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Nesting of the file around a parameter's value: root, resource, list of calls, call.
  private static let depthOfCalls = 4

  func array(_ calls: [Call], _ kind: FunctionKind) throws(ContainerEncodingError) -> [UInt8] {
    var writer = JSONWriter()
    writer.put("[")
    for (position, call) in calls.enumerated() {
      if position > 0 { writer.put(",") }
      try write(call, kind, to: &writer)
      guard writer.bytes.count <= DecodeLimits.standard.bytes else { throw JSONContainerEncoder.tooLarge }
    }
    writer.put("]")
    return writer.bytes
  }

  private enum Content {
    case value(Value)
    case index(ValueIndex)
  }

  private func write(_ call: Call, _ kind: FunctionKind, to writer: inout JSONWriter) throws(ContainerEncodingError) {
    var members = call.structuralValues.map { (key: $0.key, content: Content.value($0.value)) }
    members.append(("function", .value(.string(kind.table.jsonID(of: call.function)))))
    if let push = call.pushAfterEvaluate { members.append(("push_after_evaluate", .index(push))) }
    for (key, value) in call.parameters { members.append((Self.key(key, of: kind), .index(value))) }
    members.sort { $0.key.precedesInBytes($1.key) }
    writer.put("{")
    for (position, member) in members.enumerated() {
      if position > 0 { writer.put(",") }
      writer.write(member.key)
      writer.put(":")
      switch member.content {
      case .value(let value): writer.write(value)
      case .index(let index): try write(index, depth: Self.depthOfCalls, to: &writer)
      }
    }
    writer.put("}")
  }

  /// A parameter's key: predicates have theirs bare, unless that would mean something else.
  private static func key(_ key: String, of kind: FunctionKind) -> String {
    kind == .predicate && !key.hasPrefix("vtp_") && !CallBuilder.isStructural(key, of: kind) ? key : "vtp_\(key)"
  }

  private func write(
    _ index: ValueIndex, depth: Int, to writer: inout JSONWriter
  ) throws(ContainerEncodingError) {
    switch pool[index] {
    case .constant(let value):
      switch value {
      case .list, .map, .null:
        throw ContainerEncodingError(.notExpressible, "A constant of the pool is no scalar.")
      default: writer.write(value)
      }
      return
    case .list(let items): try write("list", items, depth: depth, to: &writer)
    case .template(let items): try write("template", items, depth: depth, to: &writer)
    case .map(let entries): try write("map", entries.flatMap { [$0.key, $0.value] }, depth: depth, to: &writer)
    case .macro(let name):
      try checkDepth(depth + 1)
      if !name.isEmpty, let macro = macroIndexes[name], macros[macro].name.hasSameScalars(as: name) {
        writer.write(["macro", .int(Int64(macro))])
      } else {
        writer.write(["macro-name", .string(name)])
      }
    case .tag(let tag):
      try checkDepth(depth + 1)
      writer.write(tag.jsonValue)
    case .escape(let inner, let codes):
      try write("escape", [inner], codes, depth: depth, to: &writer)
    }
  }

  /// Writes a word, the values it is about, and numbers.
  private func write(
    _ word: String, _ items: [ValueIndex], _ numbers: [Int] = [], depth: Int, to writer: inout JSONWriter
  ) throws(ContainerEncodingError) {
    try checkDepth(depth + 1)
    writer.put("[")
    writer.write(word)
    for item in items {
      writer.put(",")
      try write(item, depth: depth + 1, to: &writer)
      guard writer.bytes.count <= DecodeLimits.standard.bytes else { throw JSONContainerEncoder.tooLarge }
    }
    for number in numbers { writer.put(",\(number)") }
    writer.put("]")
  }

  private func checkDepth(_ depth: Int) throws(ContainerEncodingError) {
    guard depth <= DecodeLimits.standard.depth else {
      throw ContainerEncodingError(
        .notExpressible, "A value nests deeper than \(DecodeLimits.standard.depth) when it is written as JSON.")
    }
  }
}

extension TagReference {
  /// `["tag", i]`, with the flag when there is one.
  var jsonValue: Value {
    flag == 0 ? ["tag", .int(Int64(tag))] : ["tag", .int(Int64(tag)), .int(Int64(flag))]
  }
}

extension Call {
  /// The structural keys that are set and their values as JSON, but for the function and what is pushed after (TM-150).
  fileprivate var structuralValues: [(key: String, value: Value)] {
    let keys = structuralKeys
    var values: [(key: String, value: Value)] = []
    if !name.isEmpty { values.append(("instance_name", .string(name))) }
    if let label = keys.label { values.append(("instance_label", .string(label))) }
    if keys.isNotDefault { values.append(("not_default_macro", true)) }
    if let id = keys.tagID { values.append(("tag_id", Value.structuralID(id))) }
    if keys.priority != 0 { values.append(("priority", .int(keys.priority))) }
    if keys.isOncePerLoad { values.append(("once_per_load", true)) }
    if keys.isLiveOnly { values.append(("live_only", true)) }
    if !keys.setupTags.isEmpty { values.append(("setup_tags", .list(["list"] + keys.setupTags.map(\.jsonValue)))) }
    if !keys.teardownTags.isEmpty {
      values.append(("teardown_tags", .list(["list"] + keys.teardownTags.map(\.jsonValue))))
    }
    if let start = keys.scheduleStart { values.append(("schedule_start_ms", .int(start))) }
    if let end = keys.scheduleEnd { values.append(("schedule_end_ms", .int(end))) }
    if !keys.consentRequired.isEmpty {
      values.append(("consent_required", .list(["list"] + keys.consentRequired.map(Value.string))))
    }
    return values
  }
}

extension Value {
  /// A tag's id as an integer when it is the text of one, else as text.
  static func structuralID(_ id: String) -> Value {
    Int64(id).flatMap { String($0) == id ? .int($0) : nil } ?? .string(id)
  }
}
