import Hits

extension CompiledContainer {
  /// Puts the pool into canonical form, so that containers of equal content are equal (see `ValuePool`).
  ///
  /// Decoders give that form. Who puts a container together by hand calls this before comparing or encoding it.
  ///
  /// - Throws: when the values are beyond the limits; the container is then unchanged.
  package mutating func makeCanonical() throws(ContainerEncodingError) {
    do throws(DecodingFault) {
      try makeCanonical(limits: .standard)
    } catch {
      throw ContainerEncodingError(.notExpressible, error.message)
    }
  }

  mutating func makeCanonical(limits: DecodeLimits) throws(DecodingFault) {
    var copy = PoolCopy(from: pool, limits: limits)
    let calls = (try copy.calls(macros), try copy.calls(tags), try copy.calls(predicates))
    (macros, tags, predicates) = calls
    pool = copy.builder.pool
  }
}

/// Copies the used nodes of a pool into another, in the order of their use.
private struct PoolCopy {
  private let pool: ValuePool
  private var copies: [Int32]
  private(set) var builder: ValuePoolBuilder

  init(from pool: ValuePool, limits: DecodeLimits) {
    self.pool = pool
    copies = Array(repeating: -1, count: pool.nodes.count)
    builder = ValuePoolBuilder(limits: limits)
  }

  mutating func calls(_ calls: [Call]) throws(DecodingFault) -> [Call] {
    var copies: [Call] = []
    copies.reserveCapacity(calls.count)
    for call in calls {
      var copy = call
      copy.parameters = Parameters()
      copy.parameters.reserveCapacity(call.parameters.count)
      var push = call.pushAfterEvaluate
      for (key, value) in call.parameters {
        if let value = push, !key.precedesInBytes("push_after_evaluate") {
          copy.pushAfterEvaluate = try self.copy(value)
          push = nil
        }
        copy.parameters.append(key: key, value: try self.copy(value))
      }
      if let push { copy.pushAfterEvaluate = try self.copy(push) }
      copies.append(copy)
    }
    return copies
  }

  /// Copies a value and its parts, parts first.
  ///
  /// Indexes of parts are smaller, so this comes to an end.
  private mutating func copy(_ root: ValueIndex) throws(DecodingFault) -> ValueIndex {
    var path = [(index: root, next: 0)]
    while let (index, next) = path.last {
      let node = pool[index]
      if copies[Int(index.rawValue)] < 0, let part = Self.part(next, of: node) {
        path[path.count - 1].next += 1
        if copies[Int(part.rawValue)] < 0 { path.append((part, 0)) }
        continue
      }
      path.removeLast()
      if copies[Int(index.rawValue)] < 0 {
        copies[Int(index.rawValue)] = try builder.add(renumbered(node)).rawValue
      }
    }
    return ValueIndex(Int(copies[Int(root.rawValue)]))
  }

  /// One of the values that a node consists of; nil after the last.
  private static func part(_ position: Int, of node: ValueNode) -> ValueIndex? {
    switch node {
    case .constant, .macro, .tag: nil
    case .list(let items), .template(let items): position < items.count ? items[position] : nil
    case .map(let entries):
      position / 2 >= entries.count
        ? nil : position % 2 == 0 ? entries[position / 2].key : entries[position / 2].value
    case .escape(let inner, _): position == 0 ? inner : nil
    }
  }

  private func renumbered(_ node: ValueNode) -> ValueNode {
    func copy(_ index: ValueIndex) -> ValueIndex { ValueIndex(Int(copies[Int(index.rawValue)])) }
    return switch node {
    case .constant, .macro, .tag: node
    case .list(let items): .list(items.map(copy))
    case .template(let items): .template(items.map(copy))
    case .map(let entries): .map(entries.map { MapEntry(key: copy($0.key), value: copy($0.value)) })
    case .escape(let inner, let codes): .escape(copy(inner), codes: codes)
    }
  }
}
