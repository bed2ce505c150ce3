/// Changes a protobuf message field by field, so that lengths stay true and the change reaches what decoders do after
/// the wire format.
enum WireMutation {
  private struct Field {
    var number: UInt64
    var type: UInt64
    /// A varint, or the bytes of any other field.
    var varint: UInt64 = 0
    var bytes: [UInt8] = []
  }

  /// Changes the message so many times, or leaves it when it is none.
  static func change(_ bytes: inout [UInt8], times: Int, _ random: inout SplitMix, depth: Int = 0) {
    guard var fields = parse(bytes) else { return }
    for _ in 0..<times where !fields.isEmpty { change(&fields, &random, depth: depth) }
    bytes.removeAll(keepingCapacity: true)
    for field in fields { append(field, to: &bytes) }
  }

  private static func change(_ fields: inout [Field], _ random: inout SplitMix, depth: Int) {
    let at = random.below(fields.count)
    switch random.below(12) {
    case 0: fields.remove(at: at)
    case 1: fields.insert(fields[at], at: random.below(fields.count))
    case 2: fields.swapAt(at, random.below(fields.count))
    case 3: fields[at].number = UInt64(1 + random.below(random.oneIn(8) ? 200 : 24))
    case 4 where fields[at].type == 2: fields[at].bytes = fields[random.below(fields.count)].bytes
    case 5: fields.append(Field(number: UInt64(1 + random.below(24)), type: 0, varint: number(&random)))
    default:
      if fields[at].type == 0 {
        fields[at].varint = number(&random)
      } else if depth < 4, fields[at].type == 2, parse(fields[at].bytes) != nil {
        change(&fields[at].bytes, times: 1, &random, depth: depth + 1)
      } else if !fields[at].bytes.isEmpty {
        fields[at].bytes[random.below(fields[at].bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
    }
  }

  /// Mostly small, as indexes are.
  private static func number(_ random: inout SplitMix) -> UInt64 {
    switch random.below(8) {
    case 0: random.next()
    case 1: UInt64(random.below(2_000))
    default: UInt64(random.below(20))
    }
  }

  private static func parse(_ bytes: [UInt8]) -> [Field]? {
    var fields: [Field] = []
    var at = 0
    while at < bytes.count {
      guard let key = varint(bytes, &at), key >> 3 > 0 else { return nil }
      var field = Field(number: key >> 3, type: key & 7)
      let count: UInt64
      switch field.type {
      case 0:
        guard let value = varint(bytes, &at) else { return nil }
        field.varint = value
        count = 0
      case 1: count = 8
      case 2:
        guard let length = varint(bytes, &at) else { return nil }
        count = length
      case 5: count = 4
      default: return nil
      }
      guard count <= UInt64(bytes.count - at) else { return nil }
      field.bytes = Array(bytes[at..<at + Int(count)])
      at += Int(count)
      fields.append(field)
    }
    return fields
  }

  private static func varint(_ bytes: [UInt8], _ at: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard at < bytes.count else { return nil }
      value |= UInt64(bytes[at] & 127) << shift
      at += 1
      if bytes[at - 1] < 128 { return value }
    }
    return nil
  }

  private static func append(_ field: Field, to bytes: inout [UInt8]) {
    append(field.number << 3 | field.type, to: &bytes)
    switch field.type {
    case 0: append(field.varint, to: &bytes)
    case 2:
      append(UInt64(field.bytes.count), to: &bytes)
      bytes += field.bytes
    default: bytes += field.bytes
    }
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A number as a varint.
  static func varint(_ number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    append(number, to: &bytes)
    return bytes
  }
}
