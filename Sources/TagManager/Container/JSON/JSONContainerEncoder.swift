import Hits

/// Writes compiled JSON, the same bytes for equal containers: keys in byte order, nothing between the parts (TM-137).
///
/// What is written decodes to an equal container of standard semantics. Legacy semantics have no place in this form,
/// nor have supplementals.
public struct JSONContainerEncoder: Sendable {
  /// Makes an encoder; it has no state.
  public init() {}

  /// The container as UTF-8.
  ///
  /// - Parameter rollout: the share of installs that get it, and what the others keep (TM-138).
  /// - Throws: when a value nests deeper than 64 as JSON, the text would be larger than 16 MiB, or the container holds
  ///   what the form cannot say.
  public func encode(_ container: CompiledContainer, rollout: Rollout? = nil) throws(ContainerEncodingError) -> [UInt8]
  {
    guard container.supplementals.isEmpty else {
      throw ContainerEncodingError(.notExpressible, "Compiled JSON has no supplementals.")
    }
    var object = JSONObjectWriter()
    if let description = description(container) { object.write("container", description) }
    if let fingerprint = container.fingerprint { object.write("fingerprint", .string(fingerprint)) }
    object.write("format", "tagworks/1")
    object.write("resource", try resource(container))
    if let rollout {
      var previous = JSONObjectWriter()
      if let fingerprint = rollout.previous.fingerprint { previous.write("fingerprint", .string(fingerprint)) }
      previous.write("resource", try resource(rollout.previous))
      var share = JSONObjectWriter()
      share.write("percent", Value.double(rollout.percent))
      share.write("previous", previous)
      object.write("rollout", share)
    }
    let bytes = object.finished()
    guard bytes.count <= DecodeLimits.standard.bytes else { throw Self.tooLarge }
    return bytes
  }

  /// What the file says about itself; nil when that is nothing.
  private func description(_ container: CompiledContainer) -> Value? {
    var description: [String: Value] = [:]
    description["id"] = container.id.map { .string($0.text) }
    description["environment"] = container.environment == "live" ? nil : .string(container.environment)
    description["sequence"] = container.sequence.map(Value.int)
    description["publishedAt"] = container.publishedAt.map(Value.int)
    return description.isEmpty ? nil : .map(description)
  }

  private func resource(_ container: CompiledContainer) throws(ContainerEncodingError) -> JSONObjectWriter {
    let calls = JSONCallWriter(container)
    var object = JSONObjectWriter()
    object.write("macros", try calls.array(container.macros, .macro))
    object.write("predicates", try calls.array(container.predicates, .predicate))
    object.write("rules", .list(container.rules.enumerated().map { rule($1, at: $0) }))
    object.write("tags", try calls.array(container.tags, .tag))
    if !container.usageContext.isEmpty {
      object.write("usageContext", .list(container.usageContext.map(Value.string)))
    }
    object.write("version", .string(container.version))
    return object
  }

  private func rule(_ rule: Rule, at index: Int) -> Value {
    var clauses: [Value] = []
    for (word, indexes) in [
      ("if", rule.positive), ("unless", rule.negative), ("add", rule.addedTags), ("block", rule.removedTags),
      ("add-macro", rule.addedMacros), ("remove-macro", rule.removedMacros),
    ] where !indexes.isEmpty {
      clauses.append(.list([.string(word)] + indexes.map { .int(Int64($0)) }))
    }
    if !rule.name.isEmpty { clauses.append(["name", .string(rule.name)]) }
    if rule.id != "r\(index)" { clauses.append(["id", .string(rule.id)]) }
    return .list(clauses)
  }

  static let tooLarge = ContainerEncodingError(
    .tooLarge, "The container would be larger than \(DecodeLimits.standard.bytes) bytes.")
}
