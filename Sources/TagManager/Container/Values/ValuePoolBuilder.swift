import Hits

/// Builds a pool in canonical form: equal values become one node, in the order in which they are first added.
///
/// Texts are equal when their bytes are. A whole number is an `int`; an escape of an escape is one with all codes.
struct ValuePoolBuilder {
  private(set) var nodes: [ValueNode] = []
  /// How many nodes each would have, fully expanded; stops counting above the limit.
  private var sizes: [Int32] = []
  /// Open addressing with linear probing; -1 is a free slot.
  private var slots: [Int32] = Array(repeating: -1, count: 64)
  private let limits: DecodeLimits

  init(limits: DecodeLimits) { self.limits = limits }

  var pool: ValuePool { ValuePool(nodes: nodes) }

  /// The index of a node whose parts are already in the pool.
  mutating func add(_ node: ValueNode) throws(DecodingFault) -> ValueIndex {
    guard let node = canonical(node) else { return escaped(node) }
    var slot = hash(node) & (slots.count - 1)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if isSame(nodes[index], node) { return ValueIndex(index) }
      slot = (slot + 1) & (slots.count - 1)
    }
    guard nodes.count < limits.values else { throw .tooMany("values", limit: limits.values) }
    slots[slot] = Int32(nodes.count)
    nodes.append(node)
    sizes.append(expandedSize(of: node))
    if nodes.count * 4 > slots.count * 3 { grow() }
    return ValueIndex(nodes.count - 1)
  }

  /// Refuses a value that would expand beyond the limit; for values that a call uses (§100.6).
  func checkSize(of index: ValueIndex) throws(DecodingFault) {
    guard sizes[Int(index.rawValue)] > limits.expandedNodes else { return }
    throw DecodingFault(
      .valueTooLarge, "A value has more than \(limits.expandedNodes) parts when expanded; make it smaller.")
  }

  /// The node as it stands in the pool; nil for an escape without codes, which is its inner value.
  private func canonical(_ node: ValueNode) -> ValueNode? {
    switch node {
    case .constant(.double(let number)):
      guard number.isFinite else { return .constant(.absent) }
      return Int64(exactly: number).map { .constant(.int($0)) } ?? node
    case .constant(.null): return .constant(.absent)
    case .escape(_, let codes) where codes.isEmpty: return nil
    case .escape(let inner, let codes):
      guard case .escape(let innermost, let firstCodes) = nodes[Int(inner.rawValue)] else { return node }
      return .escape(innermost, codes: firstCodes + codes)
    default: return node
    }
  }

  private func escaped(_ node: ValueNode) -> ValueIndex {
    if case .escape(let inner, _) = node { inner } else { ValueIndex(0) }
  }

  private func expandedSize(of node: ValueNode) -> Int32 {
    var size = 1
    func add(_ index: ValueIndex) {
      if size <= limits.expandedNodes { size += Int(sizes[Int(index.rawValue)]) }
    }
    switch node {
    case .constant, .macro, .tag: break
    case .list(let items), .template(let items): items.forEach(add)
    case .map(let entries):
      for entry in entries {
        add(entry.key)
        add(entry.value)
      }
    case .escape(let inner, _): add(inner)
    }
    return Int32(clamping: min(size, limits.expandedNodes + 1))
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for index in nodes.indices {
      var slot = hash(nodes[index]) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(index)
    }
  }

  private func hash(_ node: ValueNode) -> Int {
    var hasher = Hasher()
    switch node {
    case .constant(.string(let text)): hasher.combine(bytesOf: text)
    case .macro(let name):
      hasher.combine(1)
      hasher.combine(bytesOf: name)
    default: hasher.combine(node)
    }
    return hasher.finalize()
  }

  private func isSame(_ left: ValueNode, _ right: ValueNode) -> Bool {
    switch (left, right) {
    case (.constant(.string(let left)), .constant(.string(let right))): left.hasSameScalars(as: right)
    case (.macro(let left), .macro(let right)): left.hasSameScalars(as: right)
    default: left == right
    }
  }
}

extension Hasher {
  /// Texts that are canonically equivalent but differ in bytes have different hashes here.
  fileprivate mutating func combine(bytesOf text: String) {
    if text.utf8.withContiguousStorageIfAvailable({ combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
      for byte in text.utf8 { combine(byte) }
    }
  }
}
