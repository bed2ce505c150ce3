import Hits

/// Decodes the binary form: one bare `Resource` message (§100.3).
///
/// The parts depend on each other, so they are read in this order, whatever theirs in the file is: values, then
/// properties, then calls, whose parameters take their values into the pool, then rules.
struct BinaryContainerDecoder {
  let limits: DecodeLimits

  func decode(
    _ bytes: [UInt8], _ range: Range<Int>, diagnostics: inout DiagnosticList
  ) throws(DecodingFault) -> CompiledContainer {
    let resource = try BinaryResource(bytes, range, limits: limits)
    if resource.formatVersion != 1 {
      diagnostics.add(
        Diagnostic(
          .warning, .resourceFormatVersion,
          "The resource has format version \(resource.formatVersion); it is read as version 1."))
    }
    var reader = RawValueReader(
      bytes, until: range.upperBound,
      counts: .init(
        values: resource.count(of: .value), macros: resource.count(of: .macro), tags: resource.count(of: .tag)),
      limits: limits)
    try resource.forEach(.value) { range throws(DecodingFault) in try reader.read(range) }
    let yes = reader.finish(adding: .constant(.bool(true)))
    let properties = try BinaryCalls(resource, limits: limits)

    let names = try Names(resource, properties, reader.values, true: yes)
    var values = try BinaryValues(
      reader, macroNames: names.macros, tagsByName: names.tags, limits: limits)
    var container = CompiledContainer(version: resource.version, semantics: .legacy)
    container.usageContext = resource.usageContext
    container.macros = try calls(.macro, of: resource, properties, in: &values, true: yes)
    container.tags = try calls(.tag, of: resource, properties, in: &values, true: yes)
    container.predicates = try calls(.predicate, of: resource, properties, in: &values, true: yes)
    container.pool = values.pool.pool
    container.rules = try rules(of: resource, in: values, diagnostics: &diagnostics)
    return container
  }

  private func calls(
    _ kind: FunctionKind, of resource: BinaryResource, _ properties: BinaryCalls, in values: inout BinaryValues,
    true yes: Int32
  ) throws(DecodingFault) -> [Call] {
    let part: BinaryResource.Part =
      switch kind {
      case .macro: .macro
      case .tag: .tag
      case .predicate: .predicate
      }
    let builder = CallBuilder(limits: limits)
    var calls: [Call] = []
    calls.reserveCapacity(resource.count(of: part))
    try resource.forEach(part) { range throws(DecodingFault) in
      let entries = try properties.entries(range, true: yes)
      let index = calls.count
      calls.append(try builder.call(kind, entries, in: &values, at: "\(part.plural)[\(index)]"))
    }
    return calls
  }

  private func rules(
    of resource: BinaryResource, in values: BinaryValues, diagnostics: inout DiagnosticList
  ) throws(DecodingFault) -> [Rule] {
    let valueCount = resource.count(of: .value)
    let reader = BinaryRules(
      bytes: resource.bytes,
      counts: (resource.count(of: .predicate), resource.count(of: .tag), resource.count(of: .macro)),
      limits: limits
    ) { index throws(DecodingFault) in
      guard index >= 0, index < valueCount else {
        throw .indexOutOfRange(Int(index), of: "value", count: valueCount, at: nil)
      }
      return values.scalar(index)?.structuralText
    }
    var rules: [Rule] = []
    rules.reserveCapacity(resource.count(of: .rule))
    try resource.forEach(.rule) { range throws(DecodingFault) in
      rules.append(try reader.rule(range, at: rules.count, diagnostics: &diagnostics))
    }
    return rules
  }
}

extension BinaryContainerDecoder {
  /// The names of macros and tags, for values that refer to them by index or by name; read only when there are any.
  private struct Names {
    var macros: [String] = []
    var tags: [String: Int] = [:]

    init(
      _ resource: BinaryResource, _ properties: BinaryCalls, _ values: [RawValue], true yes: Int32
    ) throws(DecodingFault) {
      func name(_ range: Range<Int>) throws(DecodingFault) -> String {
        let entry = try properties.entries(range, true: yes).last { $0.key == "instance_name" }
        return entry.flatMap { BinaryValues.scalar($0.value, of: values)?.structuralText } ?? ""
      }
      if values.contains(where: { if case .macroIndex = $0 { true } else { false } }) {
        try resource.forEach(.macro) { range throws(DecodingFault) in macros.append(try name(range)) }
      }
      if values.contains(where: { if case .tagName = $0 { true } else { false } }) {
        var count = 0
        try resource.forEach(.tag) { range throws(DecodingFault) in
          let name = try name(range)
          if tags[name] == nil { tags[name] = count }
          count += 1
        }
      }
    }
  }
}
