public import Hits
public import TagManager

/// The values of a container that are the same in every app at every time: what a flat file can hold (CO-300, TM-130).
///
/// A name has such a value when the macro that answers for it outside all conditions is a constant.
public struct ContainerValues: Sendable, Hashable {
  /// The values by name.
  public private(set) var values: [String: Value] = [:]
  /// The names whose values only a running app can tell, in byte order.
  public private(set) var omitted: [String] = []

  /// How many parts all values may have together; a container may refer to one value many times.
  private static let parts = 1_000_000
  private static let depth = 64

  /// Reads the values of a container.
  public init(_ container: CompiledContainer) {
    var added: Set<Int> = []
    var removed: Set<Int> = []
    for rule in container.rules where rule.positive.isEmpty && rule.negative.isEmpty {
      added.formUnion(rule.addedMacros)
      removed.formUnion(rule.removedMacros)
    }
    var defaults: [String: Int] = [:]
    var chosen: [String: Int] = [:]
    var names: Set<String> = []
    for (position, macro) in container.macros.enumerated() where !macro.name.isEmpty && !macro.name.hasPrefix("_") {
      names.insert(macro.name)
      if !macro.isNotDefault { defaults[macro.name] = position }
      if added.contains(position), !removed.contains(position) { chosen[macro.name] = position }
    }
    var budget = Self.parts
    for name in names.sorted(by: { $0.precedesInBytes($1) }) {
      guard let position = chosen[name] ?? defaults[name],
        let value = Self.constant(container.macros[position], container.pool, &budget)
      else {
        omitted.append(name)
        continue
      }
      values[name] = value
    }
  }

  /// The value of a macro that is a constant and is left as it is.
  private static func constant(_ macro: Call, _ pool: ValuePool, _ budget: inout Int) -> Value? {
    guard macro.function == .constant, macro.parameters.count == 1, let index = macro.parameters["value"] else {
      return nil
    }
    return value(index, pool, depth: depth, &budget)
  }

  private static func value(_ index: ValueIndex, _ pool: ValuePool, depth: Int, _ budget: inout Int) -> Value? {
    budget -= 1
    guard budget > 0, depth > 0 else { return nil }
    switch pool[index] {
    case .constant(.absent), .macro, .tag, .template, .escape: return nil
    case .constant(let value): return value
    case .list(let items):
      var list: [Value] = []
      for item in items {
        guard let value = value(item, pool, depth: depth - 1, &budget) else { return nil }
        list.append(value)
      }
      return .list(list)
    case .map(let entries):
      var map: [String: Value] = [:]
      for entry in entries {
        guard case .string(let key) = value(entry.key, pool, depth: depth - 1, &budget),
          let value = value(entry.value, pool, depth: depth - 1, &budget)
        else { return nil }
        map[key] = value
      }
      return .map(map)
    }
  }
}
