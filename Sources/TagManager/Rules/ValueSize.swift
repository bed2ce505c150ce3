import Hits

/// How large a value is, for the bounds of one evaluation (TM-614).
package struct ValueSize: Sendable, Hashable {
  package var nodes: Int
  /// Bytes of text, keys included.
  package var text: Int

  package static let zero = ValueSize(nodes: 0, text: 0)
  package static let limit = ValueSize(nodes: 100_000, text: 1 << 20)

  package var isWithinLimit: Bool { nodes <= Self.limit.nodes && text <= Self.limit.text }

  package static func + (left: ValueSize, right: ValueSize) -> ValueSize {
    // Both sides are bounded by the limit or by memory itself, far below an overflow.
    ValueSize(nodes: left.nodes + right.nodes, text: left.text + right.text)
  }

  package static func += (left: inout ValueSize, right: ValueSize) { left = left + right }
}

extension Value {
  /// The value's size; counting stops soon after the limit.
  package var size: ValueSize {
    var size = ValueSize.zero
    count(into: &size, depth: 0)
    return size
  }

  private func count(into size: inout ValueSize, depth: Int) {
    size.nodes += 1
    guard size.isWithinLimit else { return }
    switch self {
    case .string(let text): size.text += text.utf8.count
    case .list(let items):
      // Deeper values come only from an app's handler; they count as too large.
      guard depth < ValueSize.maximumDepth else { return size.nodes += ValueSize.limit.nodes }
      for item in items { item.count(into: &size, depth: depth + 1) }
    case .map(let entries):
      guard depth < ValueSize.maximumDepth else { return size.nodes += ValueSize.limit.nodes }
      for (key, value) in entries {
        size.text += key.utf8.count
        value.count(into: &size, depth: depth + 1)
      }
    case .int, .double, .bool, .null, .absent: break
    }
  }
}

extension ValueSize {
  /// The deepest nesting of a value (TM-613).
  package static let maximumDepth = 64
}
