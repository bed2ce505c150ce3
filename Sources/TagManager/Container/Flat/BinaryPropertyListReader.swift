import Hits

/// Reads a binary property list as a flat container (TM-132).
///
///     file    = "bplist00" object* offset* trailer
///     trailer = 6 bytes · size of an offset · size of a reference · 8 bytes each: object count, root, start of offsets
///     object  = marker content; the marker's high half is the type, its low half a size or count, 15: an integer follows
///
/// Objects refer to each other by number, so one can be part of many: each is read once. Everything is big-endian.
struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let limits: DecodeLimits
  private var offsetSize = 1
  private var referenceSize = 1
  private var objectCount = 0
  private var root = 0
  private var offsetTable = 0
  /// What became of each object: its value and how deep it nests.
  private var states: [ObjectState] = []
  private var builder: FlatContainerBuilder

  private enum ObjectState {
    case unread, open
    case unsupported
    case value(ValueIndex, depth: UInt16)
  }

  private static let trailerSize = 32

  init(_ bytes: [UInt8], limits: DecodeLimits) {
    self.bytes = bytes
    self.limits = limits
    builder = FlatContainerBuilder(limits: limits)
  }

  mutating func read(diagnostics: inout DiagnosticList) throws(DecodingFault) -> CompiledContainer {
    try readTrailer()
    states = Array(repeating: .unread, count: objectCount)
    let (type, count, position) = try object(root)
    guard type == 0xD else {
      throw DecodingFault(
        .flatRootNotDictionary, "The property list's root is no dictionary; make it one of keys and values.")
    }
    states[root] = .open
    try checkReferences(count * 2, position)
    builder.reserve(count)
    // Many keys may be one object, whose text may be long; it is looked at once.
    var lastUse: [Int: Int] = [:]
    for index in 0..<count { lastUse[try reference(position, index)] = index }
    for index in 0..<count {
      let keyObject = try reference(position, index)
      guard lastUse[keyObject] == index else {
        diagnostics.add(Diagnostic(.warning, .duplicateKey, "A key occurs twice; the last value counts."))
        continue
      }
      let key = try keyText(keyObject)
      guard let (value, _) = try value(try reference(position, count + index), depth: 1) else {
        diagnostics.add(FlatContainerBuilder.unsupported("Data or null", at: key))
        continue
      }
      try builder.add(key, value)
    }
    return try builder.container(diagnostics: &diagnostics)
  }

  private mutating func readTrailer() throws(DecodingFault) {
    let start = bytes.count - Self.trailerSize
    guard start >= 8 else { throw damaged("it has no trailer", at: 0) }
    offsetSize = Int(bytes[start + 6])
    referenceSize = Int(bytes[start + 7])
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else { throw damaged("its trailer is wrong", at: start) }
    let end = UInt64(start)
    guard let count = try? number(at: start + 8, size: 8), let top = try? number(at: start + 16, size: 8),
      let table = try? number(at: start + 24, size: 8), count > 0, top < count, table >= 8, table < end,
      count <= (end - table) / UInt64(offsetSize)
    else { throw damaged("its trailer is wrong", at: start) }
    guard count <= UInt64(limits.values) else { throw .tooMany("values", limit: limits.values) }
    (objectCount, root, offsetTable) = (Int(count), Int(top), Int(table))
  }

  /// The type and the count of an object, and where its content begins.
  private func object(_ index: Int) throws(DecodingFault) -> (type: UInt8, count: Int, position: Int) {
    let offset = try number(at: offsetTable + index * offsetSize, size: offsetSize)
    guard offset >= 8, offset < UInt64(offsetTable) else { throw damaged("an object is outside", at: offsetTable) }
    let position = Int(offset)
    let marker = bytes[position]
    let (type, low) = (marker >> 4, Int(marker & 15))
    guard low == 15, type >= 4 else { return (type, low, position + 1) }
    let sizeMarker = position + 1 < offsetTable ? bytes[position + 1] : 0
    guard sizeMarker >> 4 == 1, sizeMarker & 15 <= 3 else { throw damaged("a count is no integer", at: position) }
    let size = 1 << Int(sizeMarker & 15)
    let count = try number(at: position + 2, size: size)
    guard count <= UInt64(bytes.count) else { throw damaged("a count is too large", at: position) }
    return (type, Int(count), position + 2 + size)
  }

  /// The object number at a place of a list of references.
  private func reference(_ position: Int, _ index: Int) throws(DecodingFault) -> Int {
    let reference = try number(at: position + index * referenceSize, size: referenceSize)
    guard reference < UInt64(objectCount) else { throw damaged("a reference points at no object", at: position) }
    return Int(reference)
  }

  /// Makes sure that so many references are there, before room is made for what they point at.
  private func checkReferences(_ count: Int, _ position: Int) throws(DecodingFault) {
    guard count <= (offsetTable - position) / referenceSize else {
      throw damaged("a list is longer than the file", at: position)
    }
  }

  private func keyText(_ index: Int) throws(DecodingFault) -> String {
    let (type, count, position) = try object(index)
    guard type == 5 || type == 6 else { throw damaged("a key is no text", at: position) }
    return try text(type, count, position)
  }

  /// A key of a dictionary inside another, which is a value of the pool.
  private mutating func key(_ index: Int) throws(DecodingFault) -> ValueIndex {
    guard let (key, _) = try value(index, depth: 1), builder.text(key) != nil else {
      throw damaged("a key is no text", at: offsetTable)
    }
    return key
  }

  /// Reads an object and what it consists of; nil for what a flat container cannot have.
  private mutating func value(_ index: Int, depth: Int) throws(DecodingFault) -> (ValueIndex, depth: Int)? {
    switch states[index] {
    case .value(let value, let valueDepth): return (value, Int(valueDepth))
    case .unsupported: return nil
    case .open: throw damaged("an object contains itself", at: offsetTable)
    case .unread: break
    }
    let (type, count, position) = try object(index)
    let isCompound = type >= 0xA
    guard !isCompound || depth < limits.depth else { throw .tooDeep(limit: limits.depth, at: nil) }
    states[index] = .open
    var valueDepth = 0
    let value: ValueIndex?
    switch type {
    case 0xA, 0xC: value = try list(count, position, depth: depth, &valueDepth)
    case 0xD: value = try map(count, position, depth: depth, &valueDepth)
    default: value = try scalar(type, count, position)
    }
    guard valueDepth < limits.depth else { throw .tooDeep(limit: limits.depth, at: nil) }
    guard let value else {
      states[index] = .unsupported
      return nil
    }
    states[index] = .value(value, depth: UInt16(valueDepth))
    return (value, valueDepth)
  }

  private mutating func list(
    _ count: Int, _ position: Int, depth: Int, _ valueDepth: inout Int
  ) throws(DecodingFault) -> ValueIndex {
    var items: [ValueIndex] = []
    try checkReferences(count, position)
    items.reserveCapacity(count)
    for index in 0..<count {
      guard let (item, itemDepth) = try value(try reference(position, index), depth: depth + 1) else { continue }
      items.append(item)
      valueDepth = max(valueDepth, itemDepth + 1)
    }
    return try builder.list(items)
  }

  private mutating func map(
    _ count: Int, _ position: Int, depth: Int, _ valueDepth: inout Int
  ) throws(DecodingFault) -> ValueIndex {
    var entries: [MapEntry] = []
    try checkReferences(count * 2, position)
    entries.reserveCapacity(count)
    for index in 0..<count {
      let key = try key(try reference(position, index))
      guard let (item, itemDepth) = try value(try reference(position, count + index), depth: depth + 1) else {
        continue
      }
      entries.append(MapEntry(key: key, value: item))
      valueDepth = max(valueDepth, itemDepth + 1)
    }
    return try builder.map(entries)
  }

  private mutating func scalar(_ type: UInt8, _ count: Int, _ position: Int) throws(DecodingFault) -> ValueIndex? {
    switch (type, count) {
    case (0, 8): return try builder.scalar(.bool(false))
    case (0, 9): return try builder.scalar(.bool(true))
    case (0, 0), (4, _), (8, _): return nil
    case (1, 0...4): return try builder.scalar(try integer(at: position, size: 1 << count))
    case (2, 2): return try real(Double(Float(bitPattern: UInt32(try number(at: position, size: 4)))))
    case (2, 3): return try real(Double(bitPattern: try number(at: position, size: 8)))
    case (3, 3):
      let seconds = Double(bitPattern: try number(at: position, size: 8))
      guard let text = PropertyListDate.text(secondsSince2001: seconds) else {
        throw damaged("a date is wrong", at: position)
      }
      return try builder.scalar(.string(text))
    case (5, _), (6, _): return try builder.scalar(.string(try text(type, count, position)))
    default: throw damaged("an object has an unknown type", at: position)
    }
  }

  private mutating func real(_ number: Double) throws(DecodingFault) -> ValueIndex? {
    number.isFinite ? try builder.scalar(.double(number)) : nil
  }

  /// An integer: 1, 2 and 4 bytes are unsigned, 8 signed, 16 signed and mostly beyond `Int64`.
  private func integer(at position: Int, size: Int) throws(DecodingFault) -> Value {
    guard size == 16 else {
      return .int(Int64(bitPattern: try number(at: position, size: size)))
    }
    let high = Int64(bitPattern: try number(at: position, size: 8))
    let low = try number(at: position + 8, size: 8)
    if high == 0, low <= UInt64(Int64.max) { return .int(Int64(low)) }
    if high == -1, low > UInt64(Int64.max) { return .int(Int64(bitPattern: low)) }
    return .double(Double(high) * 0x1p64 + Double(low))
  }

  private func text(_ type: UInt8, _ count: Int, _ position: Int) throws(DecodingFault) -> String {
    let size = type == 5 ? count : count * 2
    guard position + size <= offsetTable else { throw damaged("a text is longer than the file", at: position) }
    guard size <= limits.textBytes * 2 else { throw .textTooLarge(limit: limits.textBytes, at: "byte \(position)") }
    guard type == 6 else {
      guard bytes[position..<position + count].allSatisfy({ $0 < 0x80 }) else {
        throw DecodingFault(.invalidUTF8, "A text is not ASCII; write the file again.", at: "byte \(position)")
      }
      return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }
    return String(
      decoding: (0..<count).lazy.map { UInt16(bytes[position + 2 * $0]) << 8 | UInt16(bytes[position + 2 * $0 + 1]) },
      as: UTF16.self)
  }

  /// An unsigned integer of 1 to 8 bytes.
  private func number(at position: Int, size: Int) throws(DecodingFault) -> UInt64 {
    guard position >= 0, position + size <= bytes.count else { throw damaged("it ends too early", at: position) }
    return bytes[position..<position + size].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func damaged(_ what: String, at offset: Int) -> DecodingFault {
    DecodingFault(
      .malformedPropertyList, "The property list is damaged: \(what); write it again.", at: "byte \(offset)")
  }
}
