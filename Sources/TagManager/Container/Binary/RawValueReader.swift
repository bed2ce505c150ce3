import Hits

/// Reads the `Value` messages of a binary file into raw values (TM-120, TM-121).
///
/// The pool's own values come first, at the indexes the file gives them; values written inside others follow.
struct RawValueReader {
  /// How many entries an index may point into.
  struct Counts {
    var values: Int
    var macros: Int
    var tags: Int
  }

  private(set) var values: [RawValue] = []
  /// The escapes of those values that have any (TM-616).
  private(set) var escapes: [Int32: [Int]] = [:]
  private var inlineValues: [RawValue] = []
  private let bytes: [UInt8]
  private let end: Int
  private let counts: Counts
  private let limits: DecodeLimits

  /// - Parameter end: where the message ends that holds all the values to read.
  init(_ bytes: [UInt8], until end: Int, counts: Counts, limits: DecodeLimits) {
    self.bytes = bytes
    self.end = end
    self.counts = counts
    self.limits = limits
    values.reserveCapacity(counts.values + 1)
  }

  /// Reads the pool's next value.
  mutating func read(_ range: Range<Int>) throws(DecodingFault) {
    let index = Int32(values.count)
    values.append(try value(range, index: index, depth: 1))
  }

  /// Adds a value that no file has, after all others.
  mutating func finish(adding value: RawValue) -> Int32 {
    values += inlineValues
    inlineValues = []
    values.append(value)
    return Int32(values.count - 1)
  }

  /// The fields of a `Value` message, as far as they have a meaning.
  private struct Fields {
    var type: Int64?
    var text = ""
    var functionID = ""
    var integer: Int64 = 0
    var boolean = false
    var macroName: String?
    var tagName: String?
    var items: [Int32] = []
    var keys: [Int32] = []
    var values: [Int32] = []
    var tokens: [Int32] = []
    var escapes: [Int32] = []
    var serving: ServingValue?
  }

  /// `ServingValue`: the content of a compound value, by index.
  private struct ServingValue {
    var items: [Int32] = []
    var keys: [Int32] = []
    var values: [Int32] = []
    var macroIndex: Int32?
    var tokens: [Int32] = []
    var macroNamedBy: Int32?
    var tagIndex: Int32?
  }

  private mutating func value(_ range: Range<Int>, index: Int32, depth: Int) throws(DecodingFault) -> RawValue {
    guard depth < limits.depth else { throw .tooDeep(limit: limits.depth, at: "byte \(range.lowerBound)") }
    var fields = Fields()
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: fields.type = try reader.readInt64(field)
      case 2: fields.text = try reader.readText(field, limit: limits.textBytes)
      case 3: fields.items.append(try inlineValue(try reader.readMessage(field), depth: depth))
      case 4: fields.keys.append(try inlineValue(try reader.readMessage(field), depth: depth))
      case 5: fields.values.append(try inlineValue(try reader.readMessage(field), depth: depth))
      case 6: fields.macroName = try reader.readText(field, limit: limits.textBytes)
      case 7: fields.functionID = try reader.readText(field, limit: limits.textBytes)
      case 8: fields.integer = try reader.readInt64(field)
      case 9: _ = try reader.readBool(field)
      case 10: try reader.readInt32s(field, into: &fields.escapes)
      case 11: fields.tokens.append(try inlineValue(try reader.readMessage(field), depth: depth))
      case 12: fields.boolean = try reader.readBool(field)
      case 13: fields.tagName = try reader.readText(field, limit: limits.textBytes)
      case 101: fields.serving = try servingValue(try reader.readMessage(field))
      default: try reader.skip(field)
      }
    }
    if !fields.escapes.isEmpty { escapes[index] = fields.escapes.map(Int.init) }
    do throws(DecodingFault) {
      return try rawValue(fields)
    } catch var fault {
      fault.location = "value \(index) (byte \(range.lowerBound))"
      throw fault
    }
  }

  private mutating func inlineValue(_ range: Range<Int>, depth: Int) throws(DecodingFault) -> Int32 {
    let position = inlineValues.count
    guard counts.values + position < limits.values else { throw .tooMany("values", limit: limits.values) }
    if position == 0 {
      // A value has four bytes at least, so this is enough for all there can be.
      inlineValues.reserveCapacity(min(limits.values - counts.values, (end - range.lowerBound) / 4 + 1))
    }
    inlineValues.append(.constant(.absent))
    let index = Int32(counts.values + position)
    inlineValues[position] = try value(range, index: index, depth: depth + 1)
    return index
  }

  private func servingValue(_ range: Range<Int>) throws(DecodingFault) -> ServingValue {
    var serving = ServingValue()
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: try reader.readInt32s(field, into: &serving.items)
      case 2: try reader.readInt32s(field, into: &serving.keys)
      case 3: try reader.readInt32s(field, into: &serving.values)
      case 4: serving.macroIndex = try reader.readInt32(field)
      case 5: try reader.readInt32s(field, into: &serving.tokens)
      case 6: serving.macroNamedBy = try reader.readInt32(field)
      case 7: serving.tagIndex = try reader.readInt32(field)
      default: try reader.skip(field)
      }
    }
    let location = "byte \(range.lowerBound)"
    for list in [serving.items, serving.keys, serving.values, serving.tokens] {
      for index in list { try check(index, of: "value", count: counts.values, at: location) }
    }
    if let index = serving.macroNamedBy { try check(index, of: "value", count: counts.values, at: location) }
    if let index = serving.macroIndex { try check(index, of: "macro", count: counts.macros, at: location) }
    if let index = serving.tagIndex { try check(index, of: "tag", count: counts.tags, at: location) }
    return serving
  }

  private func check(
    _ index: Int32, of what: String, count: Int, at location: @autoclosure () -> String
  ) throws(DecodingFault) {
    guard index >= 0, index < count else {
      throw .indexOutOfRange(Int(index), of: what, count: count, at: location())
    }
  }

  private func rawValue(_ fields: Fields) throws(DecodingFault) -> RawValue {
    guard let type = fields.type.flatMap(RawValue.WireType.init) else {
      throw DecodingFault(
        .unknownValueType,
        "A value has type \(fields.type.map(String.init) ?? "none"), which does not exist; publish it again.")
    }
    let serving = fields.serving
    switch type {
    case .string: return .constant(.string(fields.text))
    case .functionID: return .constant(.string(fields.functionID))
    case .integer: return .constant(.int(fields.integer))
    case .boolean: return .constant(.bool(fields.boolean))
    case .list: return .list(try content(serving.map { [$0.items] }, or: [fields.items])[0])
    case .template: return .template(try content(serving.map { [$0.tokens] }, or: [fields.tokens])[0])
    case .map:
      // Keys and values as one, for a map that has some of the one and none of the other is uneven, not empty.
      let content = try content(serving.map { [$0.keys, $0.values] }, or: [fields.keys, fields.values])
      let (keys, values) = (content[0], content[1])
      guard keys.count == values.count else {
        throw DecodingFault(.unevenMap, "A map has \(keys.count) keys and \(values.count) values; publish it again.")
      }
      return .map(keys: keys, values: values)
    case .macroReference:
      if let index = serving?.macroNamedBy { return .macroNamedBy(index) }
      if let name = fields.macroName { return .macroName(name) }
      if let index = serving?.macroIndex { return .macroIndex(index) }
      throw Self.missingContent
    case .tagReference:
      if let index = serving?.tagIndex { return .tagIndex(index) }
      if let name = fields.tagName { return .tagName(name) }
      throw Self.missingContent
    }
  }

  /// The index form, or the inline form when the other has no content (TM-121).
  private func content(_ indexes: [[Int32]]?, or inline: [[Int32]]) throws(DecodingFault) -> [[Int32]] {
    let hasInline = inline.contains { !$0.isEmpty }
    if let indexes, !hasInline || indexes.contains(where: { !$0.isEmpty }) { return indexes }
    guard hasInline else { throw Self.missingContent }
    return inline
  }

  private static let missingContent = DecodingFault(
    .missingServingValue, "A list, map, template or reference has no content; publish it again.")
}
