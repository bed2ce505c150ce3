import Hits

/// Reads the fields of one protobuf message (proto2), without trusting any of it (TM-120).
///
///     message = field*
///     field   = tag content        tag = varint: number << 3 | type
///     type 0  = varint             7 bits a byte, lowest first, the top bit says that more follow
///     type 1  = 8 bytes    type 2 = varint length, then so many bytes    type 5 = 4 bytes
struct WireReader {
  /// A field's number and how its content is written.
  struct Field {
    let number: Int
    let type: WireType
    let offset: Int
  }

  private let bytes: [UInt8]
  private(set) var position: Int
  let end: Int

  init(_ bytes: [UInt8]) { self.init(bytes, bytes.indices) }

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next field; nil at the end of the message.
  mutating func nextField() throws(DecodingFault) -> Field? {
    guard position < end else { return nil }
    let offset = position
    let tag = try readVarint()
    guard let type = WireType(rawValue: UInt8(tag & 7)) else {
      throw Self.damaged("a field has wire type \(tag & 7)", at: offset)
    }
    guard 1...0x1FFF_FFFF ~= tag >> 3 else { throw Self.damaged("a field has number \(tag >> 3)", at: offset) }
    return Field(number: Int(tag >> 3), type: type, offset: offset)
  }

  /// Skips the content of a field that has no meaning to us.
  mutating func skip(_ field: Field) throws(DecodingFault) {
    switch field.type {
    case .varint: _ = try readVarint()
    case .fixed64: try advance(8)
    case .bytes: _ = try readRange()
    case .fixed32: try advance(4)
    }
  }

  mutating func readVarint() throws(DecodingFault) -> UInt64 {
    let start = position
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift < 70 else { throw Self.damaged("a number has more than 10 bytes", at: start) }
    }
    throw Self.damaged("the data ends inside a number", at: start)
  }

  mutating func readInt64(_ field: Field) throws(DecodingFault) -> Int64 {
    try expect(.varint, of: field)
    return Int64(bitPattern: try readVarint())
  }

  mutating func readInt32(_ field: Field) throws(DecodingFault) -> Int32 {
    Int32(truncatingIfNeeded: try readInt64(field))
  }

  mutating func readBool(_ field: Field) throws(DecodingFault) -> Bool {
    try readInt64(field) != 0
  }

  /// Adds the number or, when they are packed, the numbers of a repeated field.
  mutating func readInt32s(_ field: Field, into numbers: inout [Int32]) throws(DecodingFault) {
    guard field.type == .bytes else { return numbers.append(try readInt32(field)) }
    let range = try readRange()
    var packed = WireReader(bytes, range)
    while packed.position < packed.end { numbers.append(Int32(truncatingIfNeeded: try packed.readVarint())) }
  }

  /// Where the content of a message field is.
  mutating func readMessage(_ field: Field) throws(DecodingFault) -> Range<Int> {
    try expect(.bytes, of: field)
    return try readRange()
  }

  mutating func readText(_ field: Field, limit: Int) throws(DecodingFault) -> String {
    let range = try readMessage(field)
    guard range.count <= limit else { throw .textTooLarge(limit: limit, at: "byte \(field.offset)") }
    guard UTF8Sequence.areValid(bytes[range]) else {
      throw DecodingFault(
        .invalidUTF8, "A text is not UTF-8; the file is damaged, publish it again.", at: "byte \(field.offset)")
    }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  private func expect(_ type: WireType, of field: Field) throws(DecodingFault) {
    guard field.type == type else {
      throw Self.damaged("field \(field.number) has the wrong wire type", at: field.offset)
    }
  }

  private mutating func readRange() throws(DecodingFault) -> Range<Int> {
    let start = position
    let length = try readVarint()
    guard length <= UInt64(end - position) else { throw Self.damaged("the data ends inside a field", at: start) }
    defer { position += Int(length) }
    return position..<position + Int(length)
  }

  private mutating func advance(_ count: Int) throws(DecodingFault) {
    guard end - position >= count else { throw Self.damaged("the data ends inside a field", at: position) }
    position += count
  }

  private static func damaged(_ what: String, at offset: Int) -> DecodingFault {
    DecodingFault(.malformedWire, "The binary form is damaged: \(what); publish it again.", at: "byte \(offset)")
  }
}

/// How a field's content is written; 3 and 4, groups, are of no use to anyone.
enum WireType: UInt8 {
  case varint = 0
  case fixed64 = 1
  case bytes = 2
  case fixed32 = 5
}
