import Hits

/// Makes a container of a dictionary: each key becomes a constant macro, which is its own default (TM-130).
struct FlatContainerBuilder {
  private let limits: DecodeLimits
  private var pool: ValuePoolBuilder
  private var macros: [Call] = []

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

  /// Makes room for so many keys at once.
  mutating func reserve(_ count: Int) { macros.reserveCapacity(min(count, limits.macros)) }

  /// Adds a key of the dictionary.
  mutating func add(_ key: String, _ value: ValueIndex) throws(DecodingFault) {
    do throws(DecodingFault) {
      try pool.checkSize(of: value)
    } catch var fault {
      fault.location = key
      throw fault
    }
    guard macros.count < limits.macros else { throw .tooMany("keys", limit: limits.macros) }
    var macro = Call(.constant)
    macro.name = key
    macro.parameters = ["value": value]
    macros.append(macro)
  }

  /// The container, whose macros stand in the order of the input; of a key given twice the last value counts.
  func container(diagnostics: inout DiagnosticList) throws(DecodingFault) -> CompiledContainer {
    let superseded = superseded()
    var container = CompiledContainer(semantics: .legacy)
    container.macros = macros
    container.pool = pool.pool
    guard !superseded.isEmpty else { return container }
    for index in superseded.sorted() {
      diagnostics.add(
        Diagnostic(.warning, .duplicateKey, "A key occurs twice; the last value counts.", at: macros[index].name))
    }
    container.macros = macros.indices.filter { !superseded.contains($0) }.map { macros[$0] }
    try container.makeCanonical(limits: limits)
    return container
  }

  /// The macros whose name comes again later.
  private func superseded() -> Set<Int> {
    let order = macros.indices.sorted { left, right in
      let (leftName, rightName) = (macros[left].name, macros[right].name)
      return leftName.precedesInBytes(rightName) || (left < right && leftName.hasSameScalars(as: rightName))
    }
    return Set(
      zip(order, order.dropFirst()).lazy
        .filter { macros[$0].name.hasSameScalars(as: macros[$1].name) }
        .map { earlier, _ in earlier })
  }

  /// What is said about a value whose type a flat container cannot have (TM-131).
  static func unsupported(_ what: String, at location: String) -> Diagnostic {
    Diagnostic(
      .warning, .flatUnsupportedValue, "\(what) has no meaning in a flat container; the key is left out.", at: location)
  }
}
