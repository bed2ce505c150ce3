/// Writes the fields of one protobuf message, in the order in which it is told.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// Adds the fields of another writer to this message.
  mutating func append(_ fields: WireWriter) { bytes += fields.bytes }

  mutating func write(_ field: Int, _ number: Int64) {
    writeTag(field, .varint)
    writeVarint(UInt64(bitPattern: number))
  }

  mutating func write(_ field: Int, _ flag: Bool) { write(field, flag ? 1 : 0) }

  mutating func write(_ field: Int, _ text: String) { write(field, Array(text.utf8)) }

  mutating func write(_ field: Int, _ message: WireWriter) { write(field, message.bytes) }

  mutating func write(_ field: Int, _ content: [UInt8]) {
    writeTag(field, .bytes)
    writeVarint(UInt64(content.count))
    bytes += content
  }

  /// Writes each number as a field of its own, as the files in use do.
  mutating func write(_ field: Int, each numbers: some Sequence<Int>) {
    for number in numbers { write(field, Int64(number)) }
  }

  private mutating func writeTag(_ field: Int, _ type: WireType) {
    writeVarint(UInt64(field) << 3 | UInt64(type.rawValue))
  }

  private mutating func writeVarint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
