import Hits

/// Typed reading of configuration values (TM-900 to TM-904).
///
/// A key is a macro's name. Getters never throw and never wait for disk or network; handlers of function-call macros run
/// on the caller's thread.
extension Container {
  /// The text of a value; empty when there is none.
  public func string(for key: String) -> String { read(key) { $0.text($1) } ?? "" }

  /// A whole number, cut toward zero; 0 when there is none (TM-503).
  public func int(for key: String) -> Int64 { read(key) { $0.int64($1) } ?? 0 }

  /// A number; 0 when there is none (TM-503).
  public func double(for key: String) -> Double { read(key) { $0.double($1) } ?? 0 }

  /// True or false, as a boolean or as one of these words in any case; false when there is none (TM-503).
  public func bool(for key: String) -> Bool { read(key) { $0.bool($1) } ?? false }

  /// The value as the container holds it, and why there is one or none.
  public func value(for key: String) -> Lookup { values(for: [key])[key] ?? closedLookup }

  /// The value converted as the getter of a type converts it, and why there is one or none.
  ///
  /// Where there is a value that the type cannot hold, the lookup has none and the reason is `conversionFailed`; the
  /// getter then answers with its default (TM-503).
  public func value(for key: String, as type: ValueType) -> Lookup {
    guard let content = openContent else {
      tellClosed()
      return closedLookup
    }
    var reader = Reader(self, content)
    var lookup = reader.lookup(key)
    reader.finish()
    guard let value = lookup.value else { return lookup }
    lookup.value = value.converted(to: type, content.plan.semantics)
    if lookup.value == nil { lookup.reason = .conversionFailed }
    return lookup
  }

  /// Several values of one pass: they fit together, whatever is pushed or loaded meanwhile (TM-904).
  public func values(for keys: [String]) -> [String: Lookup] {
    guard let content = openContent else {
      tellClosed()
      return Dictionary(keys.map { ($0, closedLookup) }, uniquingKeysWith: { first, _ in first })
    }
    var reader = Reader(self, content)
    var lookups: [String: Lookup] = [:]
    for key in keys { lookups[key] = reader.lookup(key) }
    reader.finish()
    return lookups
  }

  /// The names a getter can answer, in byte order; names with a leading `_` are the container's own.
  public var keys: [String] {
    content.plan.names.map(\.name).filter { !$0.isEmpty && !$0.hasPrefix("_") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func read<Result>(_ key: String, _ convert: (Value, CompiledContainer.Semantics) -> Result?) -> Result? {
    guard let content = openContent else {
      tellClosed()
      return nil
    }
    let plan = content.plan
    if let constant = plan.index(ofName: key).flatMap({ plan.names[$0].constant }) {
      return convert(constant, plan.semantics)
    }
    var reader = Reader(self, content)
    let value = reader.lookup(key).value
    reader.finish()
    return value.flatMap { convert($0, plan.semantics) }
  }

  private var closedLookup: Lookup { Lookup(reason: .closed, origin: origin, version: version) }

  private func tellClosed() {
    if environment.once.isFirst(.closed(id)) {
      environment.log(.error, "\(id) is closed; its getters answer with the defaults of their types.")
    }
  }
}

/// One pass of getters over one content.
private struct Reader {
  private let container: Container
  private let content: ContainerContent
  private var pass: EvaluationPass

  init(_ container: Container, _ content: ContainerContent) {
    self.container = container
    self.content = content
    let context = content.context(
      model: container.dataLayer.model, time: container.environment.ports.clock.wallMilliseconds)
    pass = EvaluationPass(content.plan, context: context, cache: content.cache, detail: .off)
  }

  mutating func lookup(_ key: String) -> Lookup {
    let plan = content.plan
    guard let name = plan.index(ofName: key) else {
      tellUnknown(key)
      return Lookup(reason: .unknownKey, origin: content.origin, version: plan.container.version)
    }
    let result = pass.result(ofName: name)
    var value: Value?
    if case .value(let found) = result.evaluated { value = found }
    return Lookup(
      value: value, reason: result.reason, macro: result.chosen, rule: rule(of: result, name), origin: content.origin,
      version: plan.container.version)
  }

  /// Pushes what the macros asked for, and tells what was found out.
  mutating func finish() {
    for update in pass.takePushes() { container.dataLayer.push(update) }
    content.tell(pass.takeRemarks())
  }

  private mutating func rule(of result: NameResult, _ name: Int) -> String? {
    guard let macro = result.chosen, !result.isDefault else { return nil }
    let rules = content.plan.container.rules
    let rule = content.plan.names[name].rules.first { index in
      rules[index].addedMacros.contains(macro) && pass.verdict(ofRule: index) == .passes
    }
    return rule.map { rules[$0].name.isEmpty ? rules[$0].id : rules[$0].name }
  }

  private func tellUnknown(_ key: String) {
    guard content.isFirst(.unknownKey(key)) else { return }
    let near = EditDistance.nearest(to: key, among: content.plan.names.map(\.name), within: 2)
    let hint = near.map { " Did you mean '\($0)'?" } ?? ""
    container.environment.log(.warning, "\(container.id) has no value '\(key)'.\(hint)")
  }
}
