import Hits

/// Makes a container of a dictionary: each key becomes a constant macro, which is its own default (TM-130).
struct FlatContainerBuilder {
  private let limits: DecodeLimits
  private var pool: ValuePoolBuilder
  /// The keys in the order of the input, and where each stands in it.
  private var entries: [MapEntry] = []
  private var positions: [ValueIndex: Int] = [:]
  private var duplicates: [ValueIndex] = []

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

  /// Adds a key of the dictionary; of a key given twice the last value counts.
  mutating func add(_ key: ValueIndex, _ value: ValueIndex) throws(DecodingFault) {
    do throws(DecodingFault) {
      try pool.checkSize(of: value)
    } catch var fault {
      fault.location = text(key)
      throw fault
    }
    if let position = positions[key] {
      entries[position].value = value
      duplicates.append(key)
      return
    }
    guard entries.count < limits.macros else { throw .tooMany("keys", limit: limits.macros) }
    positions[key] = entries.count
    entries.append(MapEntry(key: key, value: value))
  }

  /// The container, whose macros stand in the order of their keys.
  func container(diagnostics: inout DiagnosticList) throws(DecodingFault) -> CompiledContainer {
    for key in duplicates {
      diagnostics.add(
        Diagnostic(.warning, .duplicateKey, "A key occurs twice; the last value counts.", at: text(key)))
    }
    let named = entries.map { (name: text($0.key) ?? "", value: $0.value) }
    var container = CompiledContainer(semantics: .legacy)
    container.pool = pool.pool
    container.macros.reserveCapacity(named.count)
    for (name, value) in named.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      var macro = Call(.constant)
      macro.name = name
      macro.parameters = ["value": value]
      container.macros.append(macro)
    }
    try container.makeCanonical(limits: limits)
    return container
  }

  /// What is said about a value whose type a flat container cannot have (TM-131).
  static func unsupported(_ what: String, at location: String) -> Diagnostic {
    Diagnostic(
      .warning, .flatUnsupportedValue, "\(what) has no meaning in a flat container; the key is left out.", at: location)
  }
}
