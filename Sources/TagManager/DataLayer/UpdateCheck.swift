package import Hits

/// The bounds of TM-516.
///
/// Text is counted in bytes of keys and texts; any other scalar counts as one byte, so that the total bounds the number
/// of values too.
package enum UpdateLimits {
  package static let depth = 64
  package static let nodes = 10_000
  package static let text = 1 << 20
  package static let keyBytes = 1_024
  package static let layerText = 8 << 20
}

/// What one look at an update tells, before anything of it is applied.
package struct UpdateCheck: Sendable, Hashable {
  /// The bytes of text in it, keys included.
  package private(set) var text = 0
  /// The values in it, with the maps that dotted keys expand to.
  package private(set) var nodes = 0
  /// Whether a top-level key has a dot, so that the order of keys matters (TM-511).
  package private(set) var hasDottedKeys = false
  /// Whether a top-level key is the tag manager's own, `gtm` or below it: a lifetime or a URL may stand there.
  package private(set) var hasOwnKeys = false
  /// A key with a dot that is literal for an empty segment, which deserves a warning (TM-511); the first in byte order.
  package private(set) var literalKey: String?
  /// Whether a number is NaN or infinite, which deserves a warning (TM-501).
  package private(set) var hasNonFiniteNumbers = false
  /// Whether a value inside a map or list is `absent`.
  package private(set) var hasAbsentValues = false

  /// Whether values may be stored as they are.
  package var isPlain: Bool { !hasNonFiniteNumbers && !hasAbsentValues }

  /// Looks at an update.
  ///
  /// - Throws: the first bound of TM-516 that the update exceeds.
  package init(_ update: [String: Value]) throws(PushRejection) {
    for (key, value) in update {
      let path = DataLayerPath(key)
      if key.utf8.starts(with: "gtm".utf8) { hasOwnKeys = true }
      if path.isDotted {
        hasDottedKeys = true
        nodes += path.segmentCount - 1
      } else if path.isSuspect {
        literalKey = literalKey.map { $0.utf8.lexicographicallyPrecedes(key.utf8) ? $0 : key } ?? key
      }
      try count(key)
      try count(value, depth: path.segmentCount)
    }
  }

  private mutating func count(_ key: String) throws(PushRejection) {
    let bytes = key.utf8.count
    guard bytes <= UpdateLimits.keyBytes else { throw .keyTooLong }
    text += bytes
  }

  /// - Parameter depth: how many maps and lists hold the value.
  private mutating func count(_ value: Value, depth: Int) throws(PushRejection) {
    nodes += 1
    guard depth <= UpdateLimits.depth else { throw .tooDeep }
    switch value {
    case .string(let string): text += string.utf8.count
    case .double(let number):
      text += 1
      if !number.isFinite { hasNonFiniteNumbers = true }
    case .int, .bool, .null: text += 1
    case .absent: hasAbsentValues = true
    case .list(let items):
      guard depth < UpdateLimits.depth else { throw .tooDeep }
      for item in items { try count(item, depth: depth + 1) }
    case .map(let entries):
      guard depth < UpdateLimits.depth else { throw .tooDeep }
      for (key, item) in entries {
        try count(key)
        try count(item, depth: depth + 1)
      }
    }
    guard nodes <= UpdateLimits.nodes, text <= UpdateLimits.text else { throw .tooLarge }
  }
}

extension Value {
  /// The bytes of text in the value, as `UpdateCheck` counts them.
  var textBytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .int, .double, .bool, .null: 1
    case .absent: 0
    case .list(let items): items.reduce(0) { $0 + $1.textBytes }
    case .map(let entries): entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.textBytes }
    }
  }
}
