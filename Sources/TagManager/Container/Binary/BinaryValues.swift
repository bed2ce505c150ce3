import Hits

/// The values of a binary file: checked for cycles, and put into the canonical pool as calls use them.
struct BinaryValues: CallValues {
  private let values: [RawValue]
  private let escapes: [Int32: [Int]]
  /// How deep each value nests, none of them beyond 254.
  private let depths: [UInt8]
  private var canonical: [Int32]
  private let macroNames: [String]
  /// The references to macros that are in the pool already, by the value that names them or, complemented, by index;
  /// a name may be long and referred to often.
  private var macroReferences: [Int32: ValueIndex] = [:]
  private let tagsByName: [String: Int]
  private let limits: DecodeLimits
  private(set) var pool: ValuePoolBuilder

  init(
    _ reader: RawValueReader, macroNames: [String], tagsByName: [String: Int], limits: DecodeLimits
  ) throws(DecodingFault) {
    values = reader.values
    escapes = reader.escapes
    depths = try Self.depths(of: reader.values)
    canonical = Array(repeating: -1, count: reader.values.count)
    self.macroNames = macroNames
    self.tagsByName = tagsByName
    self.limits = limits
    pool = ValuePoolBuilder(limits: limits)
  }

  func scalar(_ index: Int32) -> Value? { Self.scalar(index, of: values) }

  func items(_ index: Int32) -> [Int32]? {
    if case .list(let items) = values[Int(index)] { items } else { nil }
  }

  func tagReference(_ index: Int32) throws(DecodingFault) -> TagReference? {
    switch values[Int(index)] {
    case .tagIndex(let tag): return TagReference(tag: Int(tag))
    case .tagName(let name):
      guard let tag = tagsByName[name] else {
        throw DecodingFault(.indexOutOfRange, "A value names a tag that does not exist; publish it again.")
      }
      return TagReference(tag: tag)
    default: return nil
    }
  }

  mutating func add(_ index: Int32) throws(DecodingFault) -> ValueIndex {
    guard Int(depths[Int(index)]) <= limits.depth else { throw .tooDeep(limit: limits.depth, at: nil) }
    let value = try addChecked(index)
    try pool.checkSize(of: value)
    return value
  }

  /// Adds a value whose depth is known to be bounded, so that the recursion is.
  private mutating func addChecked(_ index: Int32) throws(DecodingFault) -> ValueIndex {
    if canonical[Int(index)] >= 0 { return ValueIndex(Int(canonical[Int(index)])) }
    var value: ValueIndex
    switch values[Int(index)] {
    case .macroNamedBy(let name): value = try addMacro(key: name, name: scalar(name)?.structuralText ?? "")
    case .macroIndex(let macro): value = try addMacro(key: ~macro, name: macroNames[Int(macro)])
    case .macroName(let name): value = try pool.add(.macro(name: name))
    case .constant(let constant): value = try pool.add(.constant(constant))
    case .list(let items): value = try pool.add(.list(try indexes(items)))
    case .template(let items): value = try pool.add(.template(try indexes(items)))
    case .map(let keys, let values): value = try pool.add(.map(try entries(keys, values)))
    case .tagIndex, .tagName: value = try pool.add(.tag(try tagReference(index) ?? TagReference(tag: 0)))
    }
    if let codes = escapes[index] { value = try pool.add(.escape(value, codes: codes)) }
    canonical[Int(index)] = value.rawValue
    return value
  }

  private mutating func addMacro(key: Int32, name: String) throws(DecodingFault) -> ValueIndex {
    if let reference = macroReferences[key] { return reference }
    let reference = try pool.add(.macro(name: name))
    macroReferences[key] = reference
    return reference
  }

  private mutating func entries(_ keys: [Int32], _ values: [Int32]) throws(DecodingFault) -> [MapEntry] {
    var entries: [MapEntry] = []
    entries.reserveCapacity(keys.count)
    for (key, value) in zip(keys, values) {
      entries.append(MapEntry(key: try addChecked(key), value: try addChecked(value)))
    }
    return entries
  }

  private mutating func indexes(_ items: [Int32]) throws(DecodingFault) -> [ValueIndex] {
    var indexes: [ValueIndex] = []
    indexes.reserveCapacity(items.count)
    for item in items { indexes.append(try addChecked(item)) }
    return indexes
  }

  static func scalar(_ index: Int32, of values: [RawValue]) -> Value? {
    if case .constant(let value) = values[Int(index)] { value } else { nil }
  }

  /// Walks all values, used or not, without recursion; a value that contains itself is refused (TM-123).
  private static func depths(of values: [RawValue]) throws(DecodingFault) -> [UInt8] {
    let open: UInt8 = 255
    // 0 is not seen yet, else the depth plus one.
    var marks = [UInt8](repeating: 0, count: values.count)
    var path: [(index: Int32, next: Int)] = []
    for start in values.indices where marks[start] == 0 {
      path.append((Int32(start), 0))
      marks[start] = open
      while let (index, next) = path.last {
        let value = values[Int(index)]
        if next < value.childCount {
          path[path.count - 1].next += 1
          let child = value.child(next)
          switch marks[Int(child)] {
          case 0:
            marks[Int(child)] = open
            path.append((child, 0))
          case open:
            throw DecodingFault(
              .valueCycle, "Value \(child) contains itself; the file is damaged, publish it again.",
              at: "value \(child)")
          default: break
          }
        } else {
          path.removeLast()
          if case .macroNamedBy(let name) = value, scalar(name, of: values)?.structuralText == nil {
            throw DecodingFault(
              .missingServingValue, "A macro reference has no name; publish it again.", at: "value \(index)")
          }
          let deepest = (0..<value.childCount).reduce(0) { max($0, marks[Int(value.child($1))]) }
          marks[Int(index)] = min(deepest + 1, open - 1)
        }
      }
    }
    return marks.map { $0 - 1 }
  }
}
