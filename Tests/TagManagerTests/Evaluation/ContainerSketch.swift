import Hits

@testable import TagManager

/// A container written down in a test: values first, then the calls and rules that use them.
struct ContainerSketch {
  private(set) var container: CompiledContainer
  private var positions: [ValueNode: ValueIndex] = [:]

  init(_ semantics: CompiledContainer.Semantics = .standard) {
    container = CompiledContainer(version: "1", semantics: semantics)
  }

  /// Puts a node into the pool, once.
  private mutating func node(_ node: ValueNode) -> ValueIndex {
    if let known = positions[node] { return known }
    let index = ValueIndex(container.pool.nodes.count)
    container.pool.nodes.append(node)
    positions[node] = index
    return index
  }

  mutating func constant(_ value: Value) -> ValueIndex { node(.constant(value)) }
  mutating func reference(_ name: String) -> ValueIndex { node(.macro(name: name)) }
  mutating func template(_ pieces: ValueIndex...) -> ValueIndex { node(.template(pieces)) }
  mutating func list(_ items: ValueIndex...) -> ValueIndex { node(.list(items)) }
  mutating func map(_ entries: (ValueIndex, ValueIndex)...) -> ValueIndex {
    node(.map(entries.map { MapEntry(key: $0.0, value: $0.1) }))
  }
  mutating func escape(_ part: ValueIndex, _ codes: Int...) -> ValueIndex { node(.escape(part, codes: codes)) }

  /// Adds a macro and gives its index.
  @discardableResult
  mutating func macro(
    _ name: String, _ function: FunctionName, _ parameters: [String: ValueIndex] = [:],
    _ configure: (inout Call) -> Void = { _ in }
  ) -> Int {
    container.macros.append(Self.call(function, name, parameters, configure))
    return container.macros.count - 1
  }

  /// Adds a macro of a constant.
  @discardableResult
  mutating func macro(_ name: String, _ value: Value, isNotDefault: Bool = false) -> Int {
    let index = constant(value)
    return macro(name, .constant, ["value": index]) { $0.isNotDefault = isNotDefault }
  }

  /// Adds a macro that reads the data layer, named as its path.
  @discardableResult
  mutating func dataLayer(_ path: String) -> Int {
    let index = constant(.string(path))
    return macro(path, .dataLayer, ["name": index])
  }

  /// Adds a tag and gives its index.
  @discardableResult
  mutating func tag(
    _ name: String, _ function: FunctionName = .recording, _ parameters: [String: ValueIndex] = [:],
    _ configure: (inout Call) -> Void = { _ in }
  ) -> Int {
    container.tags.append(Self.call(function, name, parameters, configure))
    return container.tags.count - 1
  }

  /// Adds a predicate and gives its index.
  mutating func predicate(
    _ function: FunctionName, _ arg0: ValueIndex?, _ arg1: ValueIndex?, ignoreCase: ValueIndex? = nil
  ) -> Int {
    var call = Call(function)
    call.parameters["arg0"] = arg0
    call.parameters["arg1"] = arg1
    call.parameters["ignore_case"] = ignoreCase
    container.predicates.append(call)
    return container.predicates.count - 1
  }

  /// Adds a predicate that is true for one event's name; needs a macro named `event`.
  mutating func isEvent(_ name: String) -> Int {
    let event = reference("event")
    let text = constant(.string(name))
    return predicate(.equals, event, text)
  }

  /// Adds a rule and gives its index.
  @discardableResult
  mutating func rule(
    if positive: [Int] = [], unless negative: [Int] = [], add: [Int] = [], block: [Int] = [], addMacros: [Int] = [],
    removeMacros: [Int] = [], name: String = ""
  ) -> Int {
    var rule = Rule(id: "r\(container.rules.count)")
    rule.name = name
    rule.positive = RuleIndexes(positive)
    rule.negative = RuleIndexes(negative)
    rule.addedTags = RuleIndexes(add)
    rule.removedTags = RuleIndexes(block)
    rule.addedMacros = RuleIndexes(addMacros)
    rule.removedMacros = RuleIndexes(removeMacros)
    container.rules.append(rule)
    return container.rules.count - 1
  }

  private static func call(
    _ function: FunctionName, _ name: String, _ parameters: [String: ValueIndex], _ configure: (inout Call) -> Void
  ) -> Call {
    var call = Call(function)
    call.name = name
    for (key, value) in parameters { call.parameters[key] = value }
    configure(&call)
    return call
  }
}

extension FunctionName {
  /// A tag function of the tests, which keeps what it was called with.
  static let recording = FunctionName(rawValue: "__rec")
}
