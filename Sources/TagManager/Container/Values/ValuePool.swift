package import Hits

/// A position in a container's pool.
package struct ValueIndex: Sendable, Hashable, Comparable {
  package let rawValue: Int32

  package init(_ index: Int) { rawValue = Int32(index) }

  package static func < (left: ValueIndex, right: ValueIndex) -> Bool { left.rawValue < right.rawValue }
}

/// The values of a container, each at most once: a graph by index, never expanded at load (TM-152).
///
/// Decoders put it in canonical form: equal values share one node, and nodes stand in the order of their first use
/// (macros, tags, predicates; parameters by key), children before parents. So two containers of equal content are equal.
package struct ValuePool: Sendable, Hashable {
  package var nodes: [ValueNode]

  package init(nodes: [ValueNode] = []) { self.nodes = nodes }

  /// How deep its deepest value nests; a scalar does not nest.
  var maximumDepth: Int {
    var depths: [Int] = []
    depths.reserveCapacity(nodes.count)
    func depth(_ parts: some Sequence<ValueIndex>) -> Int {
      1 + parts.reduce(0) { max($0, depths[Int($1.rawValue)]) }
    }
    for node in nodes {
      switch node {
      case .constant, .macro, .tag: depths.append(0)
      case .list(let items), .template(let items): depths.append(depth(items))
      case .map(let entries): depths.append(max(depth(entries.lazy.map(\.key)), depth(entries.lazy.map(\.value))))
      case .escape(let inner, _): depths.append(depths[Int(inner.rawValue)])
      }
    }
    return depths.max() ?? 0
  }

  package subscript(index: ValueIndex) -> ValueNode { nodes[Int(index.rawValue)] }
}

/// One value of the pool; what it consists of are indexes of smaller nodes, so there is no cycle.
package enum ValueNode: Sendable, Hashable {
  /// A scalar: text, int, double, bool, or `absent` for the missing value (TM-135).
  case constant(Value)
  case list([ValueIndex])
  case map([MapEntry])
  /// The value of the macro of that name.
  case macro(name: String)
  /// The texts of the pieces, joined.
  case template([ValueIndex])
  /// A text, escaped by the codes of `Escaping` one after another (TM-616).
  case escape(ValueIndex, codes: [Int])
  /// A tag, by its index among the container's tags.
  case tag(TagReference)
}

/// One entry of a map; the key may be any value, its text form counts.
package struct MapEntry: Sendable, Hashable {
  package var key: ValueIndex
  package var value: ValueIndex

  package init(key: ValueIndex, value: ValueIndex) {
    self.key = key
    self.value = value
  }
}
