import Hits

/// Makes a container of a dictionary: each key becomes a constant macro, which is its own default (TM-130).
struct FlatContainerBuilder {
  private let limits: DecodeLimits
  private var pool: ValuePoolBuilder
  private var entries: [(key: String, value: ValueIndex)] = []

  init(limits: DecodeLimits) {
    self.limits = limits
    pool = ValuePoolBuilder(limits: limits)
  }

  /// Adds a scalar to the pool.
  mutating func scalar(_ value: Value) throws(DecodingFault) -> ValueIndex {
    if case .string(let text) = value, text.utf8.count > limits.textBytes {
      throw .textTooLarge(limit: limits.textBytes, at: nil)
    }
    return try pool.add(.constant(value))
  }

  /// Adds a list to the pool.
  mutating func list(_ items: [ValueIndex]) throws(DecodingFault) -> ValueIndex { try pool.add(.list(items)) }

  /// Adds a map, whose keys are texts, to the pool.
  mutating func map(_ entries: [MapEntry]) throws(DecodingFault) -> ValueIndex { try pool.add(.map(entries)) }

  /// The text at an index; nil when something else is there.
  func text(_ index: ValueIndex) -> String? {
    if case .constant(.string(let text)) = pool.nodes[Int(index.rawValue)] { text } else { nil }
  }

  /// Adds a key of the dictionary.
  mutating func add(_ key: String, _ value: ValueIndex) throws(DecodingFault) {
    do throws(DecodingFault) {
      try pool.checkSize(of: value)
    } catch var fault {
      fault.location = key
      throw fault
    }
    guard entries.count < limits.macros else { throw .tooMany("keys", limit: limits.macros) }
    entries.append((key, value))
  }

  /// The container, whose macros stand in the order of the input; of a key given twice the last value counts.
  func container(diagnostics: inout DiagnosticList) throws(DecodingFault) -> CompiledContainer {
    let superseded = superseded()
    var container = CompiledContainer(semantics: .legacy)
    container.macros.reserveCapacity(entries.count - superseded.count)
    for (index, entry) in entries.enumerated() {
      guard !superseded.contains(index) else {
        diagnostics.add(
          Diagnostic(.warning, .duplicateKey, "A key occurs twice; the last value counts.", at: entry.key))
        continue
      }
      var macro = Call(.constant)
      macro.name = entry.key
      macro.parameters = ["value": entry.value]
      container.macros.append(macro)
    }
    container.pool = pool.pool
    if !superseded.isEmpty { try container.makeCanonical(limits: limits) }
    return container
  }

  /// The entries whose key comes again later.
  private func superseded() -> Set<Int> {
    let order = entries.indices.sorted { left, right in
      let (leftKey, rightKey) = (entries[left].key, entries[right].key)
      return leftKey.precedesInBytes(rightKey) || (left < right && leftKey.hasSameScalars(as: rightKey))
    }
    return Set(
      zip(order, order.dropFirst()).lazy
        .filter { entries[$0].key.hasSameScalars(as: entries[$1].key) }
        .map { earlier, _ in earlier })
  }

  /// What is said about a value whose type a flat container cannot have (TM-131).
  static func unsupported(_ what: String, at location: String) -> Diagnostic {
    Diagnostic(
      .warning, .flatUnsupportedValue, "\(what) has no meaning in a flat container; the key is left out.", at: location)
  }
}
