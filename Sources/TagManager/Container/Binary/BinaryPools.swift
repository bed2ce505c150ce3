import Hits

/// The pools of a binary container in the making: keys, values and properties, each once, in the order of first use.
struct BinaryPools {
  private(set) var keys: [String] = []
  private(set) var values: [[UInt8]] = []
  private(set) var properties: [WireWriter] = []
  private var keyIndexes: [String: Int] = [:]
  private var valueIndexes: [[UInt8]: Int] = [:]
  private var propertyIndexes: [Property: Int] = [:]
  private struct Property: Hashable {
    var key: Int
    var value: Int
  }

  private let pool: ValuePool
  /// The index that each node of the container's pool has here.
  private var nodeIndexes: [Int?]

  /// - Throws: when a value nests deeper than a decoder accepts, so that the recursion here is bounded.
  init(_ pool: ValuePool) throws(ContainerEncodingError) {
    guard pool.maximumDepth <= DecodeLimits.standard.depth else {
      throw ContainerEncodingError(.notExpressible, "A value nests deeper than \(DecodeLimits.standard.depth).")
    }
    self.pool = pool
    nodeIndexes = Array(repeating: nil, count: pool.nodes.count)
  }

  mutating func property(_ key: String, _ value: Int) -> Int {
    let keyIndex = keyIndexes[key] ?? keys.count
    if keyIndex == keys.count {
      keys.append(key)
      keyIndexes[key] = keyIndex
    }
    if let index = propertyIndexes[Property(key: keyIndex, value: value)] { return index }
    var message = WireWriter()
    message.write(1, Int64(keyIndex))
    message.write(2, Int64(value))
    properties.append(message)
    propertyIndexes[Property(key: keyIndex, value: value)] = properties.count - 1
    return properties.count - 1
  }

  mutating func text(_ text: String) -> Int { scalar(.string) { $0.write(2, text) } }
  mutating func functionID(_ id: String) -> Int { scalar(.functionID) { $0.write(7, id) } }
  mutating func bool(_ flag: Bool) -> Int { scalar(.boolean) { $0.write(12, flag) } }

  mutating func constant(_ value: Value) throws(ContainerEncodingError) -> Int {
    switch value {
    case .string(let text): return self.text(text)
    case .bool(let flag): return bool(flag)
    case .int(let number): return scalar(.integer) { $0.write(8, number) }
    case .double, .null, .absent, .list, .map:
      throw ContainerEncodingError(.notExpressible, "The binary form has no fractions and no missing values.")
    }
  }

  mutating func list(_ items: [Int]) -> Int { serving(.list) { $0.write(1, each: items) } }

  mutating func tags(_ tags: [TagReference]) throws(ContainerEncodingError) -> Int {
    var items: [Int] = []
    for tag in tags { items.append(try self.tag(tag)) }
    return list(items)
  }

  /// A node of the container's pool with its parts, parts first.
  mutating func value(_ root: ValueIndex) throws(ContainerEncodingError) -> Int {
    if let index = nodeIndexes[Int(root.rawValue)] { return index }
    let index = try add(pool[root])
    nodeIndexes[Int(root.rawValue)] = index
    return index
  }

  private mutating func add(_ node: ValueNode) throws(ContainerEncodingError) -> Int {
    switch node {
    case .constant(let value): return try constant(value)
    case .list(let items):
      let items = try values(items)
      return list(items)
    case .template(let items):
      let tokens = try values(items)
      return serving(.template) { $0.write(5, each: tokens) }
    case .map(let entries):
      let keys = try values(entries.map(\.key))
      let values = try values(entries.map(\.value))
      return serving(.map) {
        $0.write(2, each: keys)
        $0.write(3, each: values)
      }
    case .macro(let name):
      let name = text(name)
      return serving(.macroReference) { $0.write(6, Int64(name)) }
    case .tag(let tag): return try self.tag(tag)
    case .escape(let inner, let codes):
      // The escapes are a field of the inner value's own message.
      var message = WireWriter(values[try value(inner)])
      message.write(10, each: codes)
      return index(of: message)
    }
  }

  private mutating func values(_ indexes: [ValueIndex]) throws(ContainerEncodingError) -> [Int] {
    var values: [Int] = []
    values.reserveCapacity(indexes.count)
    for index in indexes { values.append(try value(index)) }
    return values
  }

  private mutating func tag(_ tag: TagReference) throws(ContainerEncodingError) -> Int {
    guard tag.flag == 0 else {
      throw ContainerEncodingError(.notExpressible, "The binary form has no flags of tag references.")
    }
    return serving(.tagReference) { $0.write(7, Int64(tag.tag)) }
  }

  private mutating func scalar(_ type: RawValue.WireType, _ content: (inout WireWriter) -> Void) -> Int {
    var message = WireWriter()
    message.write(1, type.rawValue)
    content(&message)
    return index(of: message)
  }

  private mutating func serving(_ type: RawValue.WireType, _ content: (inout WireWriter) -> Void) -> Int {
    var serving = WireWriter()
    content(&serving)
    return scalar(type) { $0.write(101, serving) }
  }

  private mutating func index(of message: WireWriter) -> Int {
    if let index = valueIndexes[message.bytes] { return index }
    values.append(message.bytes)
    valueIndexes[message.bytes] = values.count - 1
    return values.count - 1
  }
}
