import Hits

/// Writes the binary form, the same bytes for equal containers: pools in the order of first use (TM-137).
///
/// What is written decodes to an equal container of legacy semantics. Id, environment, sequence and time of publishing
/// travel beside this form, not in it.
public struct BinaryContainerEncoder: Sendable {
  /// Makes an encoder; it has no state.
  public init() {}

  /// The container as a bare `Resource` message.
  ///
  /// - Throws: when the container holds what the form cannot say: a fraction, a missing value, a tag reference with a
  ///   flag, supplementals, a parameter that is named like a structural key.
  public func encode(_ container: CompiledContainer) throws(ContainerEncodingError) -> [UInt8] {
    guard container.supplementals.isEmpty else {
      throw ContainerEncodingError(.notExpressible, "A bare resource has no supplementals.")
    }
    return try resource(container)
  }

  /// The container as the message that a server sends: the resource, its fingerprint and its supplementals (TM-124).
  public func encodeSupplemented(_ container: CompiledContainer) throws(ContainerEncodingError) -> [UInt8] {
    var message = WireWriter()
    for supplemental in container.supplementals { message.write(1, supplemental.message) }
    message.write(2, try resource(container))
    if let fingerprint = container.fingerprint { message.write(3, fingerprint) }
    return message.bytes
  }

  private func resource(_ container: CompiledContainer) throws(ContainerEncodingError) -> [UInt8] {
    var pools = try BinaryPools(container.pool)
    var calls = WireWriter()
    for (field, kind, list) in [
      (4, FunctionKind.macro, container.macros), (5, .tag, container.tags), (6, .predicate, container.predicates),
    ] {
      for (index, call) in list.enumerated() {
        calls.write(field, try message(of: call, kind, at: index, in: &pools))
      }
    }
    for (index, rule) in container.rules.enumerated() { calls.write(7, try message(of: rule, at: index, in: &pools)) }

    var message = WireWriter()
    for key in pools.keys { message.write(1, key) }
    for value in pools.values { message.write(2, value) }
    for property in pools.properties { message.write(3, property) }
    message.append(calls)
    message.write(13, container.version)
    for context in container.usageContext { message.write(16, context) }
    message.write(17, 1)
    guard message.bytes.count <= DecodeLimits.standard.bytes else { throw JSONContainerEncoder.tooLarge }
    return message.bytes
  }

  private func message(
    of call: Call, _ kind: FunctionKind, at index: Int, in pools: inout BinaryPools
  ) throws(ContainerEncodingError) -> WireWriter {
    let keys = call.structuralKeys
    var properties = [pools.property("function", pools.functionID(kind.table.binaryID(of: call.function)))]
    func add(_ key: String, _ value: Int) { properties.append(pools.property(key, value)) }
    if !call.name.isEmpty { add("instance_name", pools.text(call.name)) }
    if let label = keys.label { add("instance_label", pools.text(label)) }
    if keys.isNotDefault { add("not_default_macro", pools.bool(true)) }
    if let push = keys.pushAfterEvaluate { add("push_after_evaluate", try pools.value(push)) }
    if let id = keys.tagID { add("tag_id", try pools.constant(Value.structuralID(id))) }
    if keys.priority != 0 { add("priority", try pools.constant(.int(keys.priority))) }
    if keys.isOncePerLoad { add("once_per_load", pools.bool(true)) }
    if keys.isLiveOnly { add("live_only", pools.bool(true)) }
    if !keys.setupTags.isEmpty { add("setup_tags", try pools.tags(keys.setupTags)) }
    if !keys.teardownTags.isEmpty { add("teardown_tags", try pools.tags(keys.teardownTags)) }
    if let start = keys.scheduleStart { add("schedule_start_ms", try pools.constant(.int(start))) }
    if let end = keys.scheduleEnd { add("schedule_end_ms", try pools.constant(.int(end))) }
    if !keys.consentRequired.isEmpty {
      add("consent_required", pools.list(keys.consentRequired.map { pools.text($0) }))
    }
    for (key, value) in call.parameters {
      guard !CallBuilder.isStructural(key, of: kind) else {
        throw ContainerEncodingError(
          .notExpressible, "\(kind.rawValue) \(index) has a parameter \(key), which means something else in this form.")
      }
      add(key, try pools.value(value))
    }
    var message = WireWriter()
    message.write(3, each: properties)
    return message
  }

  /// A rule; its name and id stand beside each of its entries.
  private func message(
    of rule: Rule, at index: Int, in pools: inout BinaryPools
  ) throws(ContainerEncodingError) -> WireWriter {
    let lists: [RuleIndexes] = [rule.addedTags, rule.removedTags, rule.addedMacros, rule.removedMacros]
    let hasID = rule.id != "r\(index)"
    guard lists.contains(where: { !$0.isEmpty }) || (rule.name.isEmpty && !hasID) else {
      throw ContainerEncodingError(
        .notExpressible, "Rule \(index) adds and removes nothing, so this form has no place for its name and id.")
    }
    var message = WireWriter()
    message.write(1, each: rule.positive)
    message.write(2, each: rule.negative)
    message.write(3, each: rule.addedTags)
    message.write(4, each: rule.removedTags)
    func annotate(_ text: String, _ fields: [Int]) {
      for (field, list) in zip(fields, lists) where !list.isEmpty {
        message.write(field, each: Array(repeating: pools.text(text), count: list.count))
      }
    }
    if !rule.name.isEmpty { annotate(rule.name, [5, 6, 9, 10]) }
    message.write(7, each: rule.addedMacros)
    message.write(8, each: rule.removedMacros)
    if hasID { annotate(rule.id, [11, 12, 13, 14]) }
    return message
  }
}
