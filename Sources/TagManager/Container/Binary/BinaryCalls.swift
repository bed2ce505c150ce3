import Hits

/// Reads `Property` and `FunctionCall` messages: calls as keys and indexes of raw values (TM-122).
struct BinaryCalls {
  private struct Property {
    var key: Int32
    var value: Int32
  }

  private let bytes: [UInt8]
  private let keys: [String]
  /// Where each key stands in byte order; equal texts have equal ranks.
  ///
  /// Keys may be long and are used often.
  private let ranks: [Int32]
  private var properties: [Property] = []
  private let limits: DecodeLimits

  init(_ resource: BinaryResource, limits: DecodeLimits) throws(DecodingFault) {
    bytes = resource.bytes
    keys = try resource.keys(limits: limits) + [Self.serverSide, Self.liveOnly]
    ranks = Self.ranks(of: keys)
    self.limits = limits
    properties.reserveCapacity(resource.count(of: .property))
    try resource.forEach(.property) { range throws(DecodingFault) in
      properties.append(try property(range, valueCount: resource.count(of: .value)))
    }
  }

  /// `Property`: 1 key, 2 value; both indexes.
  private func property(_ range: Range<Int>, valueCount: Int) throws(DecodingFault) -> Property {
    var property = Property(key: 0, value: 0)
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: property.key = try reader.readInt32(field)
      case 2: property.value = try reader.readInt32(field)
      default: try reader.skip(field)
      }
    }
    let location = "byte \(range.lowerBound)"
    let keyCount = keys.count - 2
    guard property.key >= 0, property.key < keyCount else {
      throw .indexOutOfRange(Int(property.key), of: "key", count: keyCount, at: location)
    }
    guard property.value >= 0, property.value < valueCount else {
      throw .indexOutOfRange(Int(property.value), of: "value", count: valueCount, at: location)
    }
    return property
  }

  /// `FunctionCall`: 1 serverSide, 3 property, 6 liveOnly; 2 and 4 are ignored.
  ///
  /// - Parameter true: the index of a raw value that is true, for the two flags.
  func entries(_ range: Range<Int>, true: Int32) throws(DecodingFault) -> [CallEntry<Int32>] {
    var indexes: [Int32] = []
    var isServerSide = false
    var isLiveOnly = false
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: isServerSide = try reader.readBool(field)
      case 2, 4: _ = try reader.readInt32(field)
      case 3: try reader.readInt32s(field, into: &indexes)
      case 6: isLiveOnly = try reader.readBool(field)
      default: try reader.skip(field)
      }
    }
    // Room for the structural keys besides the parameters.
    guard indexes.count <= limits.parametersPerCall + 20 else {
      throw .tooMany("parameters of one call", limit: limits.parametersPerCall, at: "byte \(range.lowerBound)")
    }
    var used: [Property] = []
    used.reserveCapacity(indexes.count + 2)
    for index in indexes {
      guard properties.indices.contains(Int(index)) else {
        throw .indexOutOfRange(Int(index), of: "property", count: properties.count, at: "byte \(range.lowerBound)")
      }
      used.append(properties[Int(index)])
    }
    if isServerSide { used.append(Property(key: Int32(keys.count - 2), value: `true`)) }
    if isLiveOnly { used.append(Property(key: Int32(keys.count - 1), value: `true`)) }
    return sorted(used)
  }

  /// The properties in the order of their keys; of a key given twice the last one.
  private func sorted(_ used: [Property]) -> [CallEntry<Int32>] {
    let order = used.indices.sorted { left, right in
      let (leftRank, rightRank) = (ranks[Int(used[left].key)], ranks[Int(used[right].key)])
      return leftRank < rightRank || (leftRank == rightRank && left < right)
    }
    var entries: [CallEntry<Int32>] = []
    entries.reserveCapacity(order.count)
    var lastRank: Int32 = -1
    for index in order {
      let property = used[index]
      if ranks[Int(property.key)] == lastRank { entries.removeLast() }
      lastRank = ranks[Int(property.key)]
      entries.append(CallEntry(key: keys[Int(property.key)], value: property.value))
    }
    return entries
  }

  private static let serverSide = "server_side"
  private static let liveOnly = "live_only"

  private static func ranks(of keys: [String]) -> [Int32] {
    let order = keys.indices.sorted { keys[$0].precedesInBytes(keys[$1]) }
    var ranks = [Int32](repeating: 0, count: keys.count)
    for (position, index) in order.enumerated().dropFirst() {
      let previous = order[position - 1]
      ranks[index] = keys[index].hasSameScalars(as: keys[previous]) ? ranks[previous] : Int32(position)
    }
    return ranks
  }
}
