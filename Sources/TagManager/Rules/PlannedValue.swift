package import Hits

/// A pool value, made ready: what no event can change is a value already.
package enum PlannedValue: Sendable {
  /// The same whenever it is asked for.
  case constant(Value, ValueSize)
  /// Larger or deeper than any evaluation may get (TM-614), or not a value at all.
  case unusable
  case list([ValueIndex])
  case map([MapEntry])
  /// The macros of one name, by their place among the plan's names.
  case macro(Int)
  /// A name that no macro has.
  case unknownMacro(String)
  case template([ValueIndex])
  case escape(ValueIndex, codes: [Int])
}

/// The pool of a plan, in the pool's own order.
package struct PlannedValues: Sendable {
  private var values: [PlannedValue] = []
  private var depths: [UInt8] = []

  package subscript(index: ValueIndex) -> PlannedValue {
    let position = Int(index.rawValue)
    return values.indices.contains(position) ? values[position] : .unusable
  }

  package var count: Int { values.count }

  /// The value at an index, if no event can change it.
  package func constant(_ index: ValueIndex) -> Value? {
    if case .constant(let value, _) = self[index] { value } else { nil }
  }

  /// Plans a pool whose nodes stand after those they consist of.
  ///
  /// Lists and maps of constants are folded. Each shares its parts with the pool's other values, so that folding costs
  /// one step per edge however often a part is used. Templates are not folded, for texts do not share.
  package init(pool: ValuePool, semantics: CompiledContainer.Semantics, names: [String: Int], tags: [Call]) {
    values.reserveCapacity(pool.nodes.count)
    depths.reserveCapacity(pool.nodes.count)
    for node in pool.nodes {
      let depth = (node.children.map(self.depth).max() ?? 0) + 1
      let isUsable = depth <= ValueSize.maximumDepth + 1
      values.append(isUsable ? plan(node, semantics, names, tags) : .unusable)
      depths.append(UInt8(min(depth, Int(UInt8.max) - 1)))
    }
  }

  /// The nesting below an index; one that does not stand before the node asking is as good as infinite.
  private func depth(of index: ValueIndex) -> Int {
    let position = Int(index.rawValue)
    return depths.indices.contains(position) ? Int(depths[position]) : Int(UInt8.max)
  }

  private func plan(
    _ node: ValueNode, _ semantics: CompiledContainer.Semantics, _ names: [String: Int], _ tags: [Call]
  ) -> PlannedValue {
    switch node {
    case .constant(.absent) where semantics == .standard:
      // JSON null in the file: the web engine hands it on as null, and the rules corpus tells the two apart (TM-707).
      return .constant(.null, Value.null.size)
    case .constant(let value): return .constant(value, value.size)
    case .macro(let name): return names[name].map(PlannedValue.macro) ?? .unknownMacro(name)
    case .template(let pieces): return .template(pieces)
    case .escape(let part, let codes): return .escape(part, codes: codes)
    case .tag(let reference):
      let name = tags.indices.contains(reference.tag) ? tags[reference.tag].name : ""
      return .constant(.string(name), Value.string(name).size)
    case .list(let items):
      var size = ValueSize(nodes: 1, text: 0)
      var folded: [Value] = []
      for item in items {
        guard case .constant(let value, let itemSize) = self[item] else { return .list(items) }
        size += itemSize
        guard size.isWithinLimit else { return .unusable }
        folded.append(value)
      }
      return .constant(.list(folded), size)
    case .map(let entries):
      var size = ValueSize(nodes: 1, text: 0)
      var folded: [String: Value] = [:]
      for entry in entries {
        guard case .constant(let key, let keySize) = self[entry.key],
          case .constant(let value, let valueSize) = self[entry.value]
        else { return .map(entries) }
        size += keySize
        size += valueSize
        guard size.isWithinLimit else { return .unusable }
        folded[key.text(semantics)] = value
      }
      return .constant(.map(folded), size)
    }
  }
}

extension ValueNode {
  /// The nodes this one consists of.
  package var children: [ValueIndex] {
    switch self {
    case .constant, .macro, .tag: []
    case .list(let items), .template(let items): items
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .escape(let part, _): [part]
    }
  }
}
