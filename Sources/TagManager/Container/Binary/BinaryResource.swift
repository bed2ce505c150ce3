/// A `Resource` message of the binary form, split into its parts (TM-120).
///
///     1 key · 2 value · 3 property · 4 macro · 5 tag · 6 predicate · 7 rule · 13 version · 16 usageContext
///     17 resourceFormatVersion; the others are skipped
///
/// Parts are counted before they are kept, so that everything is allocated once and within the limits (TM-161).
struct BinaryResource {
  /// The parts that repeat.
  enum Part: Int, CaseIterable {
    case key = 1
    case value, property, macro, tag, predicate, rule

    /// What messages call it.
    var plural: String {
      switch self {
      case .key: "keys"
      case .value: "values"
      case .property: "properties"
      case .macro: "macros"
      case .tag: "tags"
      case .predicate: "predicates"
      case .rule: "rules"
      }
    }

    func maximum(in limits: DecodeLimits) -> Int {
      switch self {
      case .key: limits.keys
      case .value: limits.values
      case .property: limits.properties
      case .macro: limits.macros
      case .tag: limits.tags
      case .predicate: limits.predicates
      case .rule: limits.rules
      }
    }
  }

  let bytes: [UInt8]
  let range: Range<Int>
  private(set) var version = ""
  private(set) var usageContext: [String] = []
  private(set) var formatVersion: Int32 = 1
  private var counts = [Int](repeating: 0, count: Part.allCases.count + 1)

  /// Looks at every field without keeping any part.
  init(_ bytes: [UInt8], _ range: Range<Int>, limits: DecodeLimits) throws(DecodingFault) {
    self.bytes = bytes
    self.range = range
    var hasVersion = false
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      switch field.number {
      case 1...7:
        _ = try reader.readMessage(field)
        counts[field.number] += 1
      case 13:
        version = try reader.readText(field, limit: limits.textBytes)
        hasVersion = true
      case 16:
        usageContext.append(try reader.readText(field, limit: limits.textBytes))
        guard usageContext.count <= limits.keys else { throw .tooMany("usage contexts", limit: limits.keys) }
      case 17: formatVersion = try reader.readInt32(field)
      case 9, 10, 12, 19: _ = try reader.readText(field, limit: limits.textBytes)
      default: try reader.skip(field)
      }
    }
    for part in Part.allCases where count(of: part) > part.maximum(in: limits) {
      throw .tooMany(part.plural, limit: part.maximum(in: limits))
    }
    let meaningful: [Part] = [.value, .macro, .tag, .predicate, .rule]
    guard hasVersion || meaningful.contains(where: { count(of: $0) > 0 }) else {
      throw DecodingFault(
        .unrecognisedFormat,
        "The input is no form of a container: expected is a binary container, JSON or a property list."
      )
    }
  }

  func count(of part: Part) -> Int { counts[part.rawValue] }

  /// Gives each message of one kind to a reader, in file order.
  func forEach(
    _ part: Part, _ body: (Range<Int>) throws(DecodingFault) -> Void
  ) throws(DecodingFault) {
    guard count(of: part) > 0 else { return }
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      if field.number == part.rawValue { try body(try reader.readMessage(field)) } else { try reader.skip(field) }
    }
  }

  /// The property names.
  func keys(limits: DecodeLimits) throws(DecodingFault) -> [String] {
    var keys: [String] = []
    keys.reserveCapacity(count(of: .key))
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      if field.number == Part.key.rawValue {
        keys.append(try reader.readText(field, limit: limits.textBytes))
      } else {
        try reader.skip(field)
      }
    }
    return keys
  }
}
